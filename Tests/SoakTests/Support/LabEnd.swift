// SPDX-License-Identifier: MIT

import NetworkLab
import Synchronization

/// A lab server, at one port over all its lives: slow, cut off, silent or unavailable as each address says.
final class LabEnd: Sendable {
    let port: Int
    private let server: Mutex<LabServer?>

    init() async throws {
        port = try lastingPort()
        server = Mutex(nil)
        try await start()
    }

    func url(_ name: String, _ query: String) -> String { "http://127.0.0.1:\(port)/\(name)?\(query)" }

    /// Cuts every connection and listens no more.
    func stop() async { await server.withLock { $0.take() }?.stop() }

    func start() async throws {
        var configuration = LabServer.Configuration()
        configuration.port = port
        let server = try await LabServer.start(configuration)
        self.server.withLock { $0 = server }
    }
}
