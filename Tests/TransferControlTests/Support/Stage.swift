// SPDX-License-Identifier: MIT

import Synchronization
import TransferControl
import TransferTesting

/// A server with a queue in memory, in a folder of its own.
final class Stage: ControlHandler {
    let folder: TemporaryFolder
    let testQueue: FakeQueue
    let shutDowns = Counter()
    private let running = Mutex<ControlServer?>(nil)

    init(queue: FakeQueue = .sample(), change: (inout ControlServer.Options) -> Void = { _ in }) throws {
        folder = try TemporaryFolder()
        testQueue = queue
        var options = ControlServer.Options(version: "0.1.0")
        // All tests run at once on few processors.
        options.helloTimeout = 600
        change(&options)
        let server = try ControlServer(path: path, handler: self, options: options)
        server.start()
        running.withLock { $0 = server }
    }

    var path: String { folder.file("run/fileq.socket") }
    var queue: any QueueClient { testQueue }
    var server: ControlServer? { running.withLock { $0 } }

    func shutDownRequested() {
        shutDowns.add()
        testQueue.end()
    }

    func client(_ change: (inout ControlClient.Options) -> Void = { _ in }) async throws -> ControlClient {
        var options = ControlClient.Options(version: "0.1.0")
        options.callTimeout = 600
        change(&options)
        return try await ControlClient.connect(path: path, options: options)
    }

    /// A connection that has said hello.
    func peer() async throws -> RawPeer {
        let peer = try RawPeer(path)
        _ = await peer.line()
        await peer.send(RawPeer.hello + "\n")
        _ = await peer.line()
        return peer
    }

    /// Ends the server. A stage keeps its server, and the server its stage, until then.
    func end() async {
        testQueue.release()
        testQueue.end()
        let server = running.withLock { server in
            defer { server = nil }
            return server
        }
        await server?.shutDown()
    }
}

/// Runs `body` with a stage that is taken down afterwards.
func onStage(
    queue: FakeQueue = .sample(), change: (inout ControlServer.Options) -> Void = { _ in },
    _ body: (Stage) async throws -> Void
) async throws {
    let stage = try Stage(queue: queue, change: change)
    do {
        try await body(stage)
    } catch {
        await stage.end()
        throw error
    }
    await stage.end()
}
