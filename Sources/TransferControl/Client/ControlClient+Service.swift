// SPDX-License-Identifier: MIT

/// Calls of the service itself.
extension ControlClient {
    package func attend(_ attends: Bool) async throws { _ = try await call(AttendCall(attends: attends)) }

    package func status() async throws -> ServiceStatus { try await call(StatusCall()) }

    /// Asks the service to end. Returns when it has agreed; ``waitUntilClosed()`` returns when it is about to be
    /// gone.
    package func shutDownService() async throws { _ = try await call(ShutDownCall()) }
}
