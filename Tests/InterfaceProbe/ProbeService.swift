// SPDX-License-Identifier: MIT

import Glibc
import TransferControl
import TransferModel
import TransferTesting

/// The scripted queue in a process of its own, which a test kills under the screen.
enum ProbeService {
    /// Serves until it is killed.
    static func serve(_ queue: FakeQueue, at path: String) throws -> Never {
        let server = try ControlServer(path: path, handler: queue, options: .init(version: "probe"))
        server.start()
        while true {
            pause()
            withExtendedLifetime(server) {}
        }
    }

    /// - Returns: a client that connects again for a minute.
    static func connect(to path: String) async throws -> ReconnectingQueueClient {
        var options = ReconnectingQueueClient.Options()
        options.pauses = [Double](repeating: 0.2, count: 300)
        let connect: ReconnectingQueueClient.Connect = { _ throws(TransferError) in
            do { return try await ControlClient.connect(path: path, options: .init(version: "probe")) } catch {
                throw error as? TransferError ?? TransferError(.other, "\(error)")
            }
        }
        return ReconnectingQueueClient(first: try await connect(true), options: options, connect: connect)
    }
}
