// SPDX-License-Identifier: MIT

/// The services behind a ``ControlServer``.
package protocol ControlHandler: Sendable {
    /// The queue of the clients. Its errors are sent unchanged.
    var queue: any QueueClient { get }

    /// The limits in force, including the timetable; `nil`: those of the queue's snapshot.
    func limitsInForce() async -> QueueLimits?

    /// The service's configuration; `nil`: none.
    var configuration: ServiceConfiguration? { get }

    /// A client requested a stop. Called on any thread, after the reply; the process then shuts down the queue, so that
    /// listeners get the last changes, then ``ControlServer/shutDown()``.
    func shutDownRequested()
}

extension ControlHandler {
    package func limitsInForce() async -> QueueLimits? { nil }
    package var configuration: ServiceConfiguration? { nil }
}
