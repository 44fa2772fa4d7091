// SPDX-License-Identifier: MIT

import Glibc
import TransferControl
import TransferModel

/// The scripted queue in a process of its own, which a test kills under the screen.
enum ProbeService {
    private struct Handler: ControlHandler {
        let queue: any QueueClient
        func shutDownRequested() {}
    }

    /// Serves until it is killed.
    static func serve(_ queue: ScriptedQueue, at path: String) throws -> Never {
        let server = try ControlServer(path: path, handler: Handler(queue: queue), options: .init(version: "probe"))
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
