// SPDX-License-Identifier: MIT

/// A server inside this process, for tests and demonstrations.
package final class RunningFileServer: Sendable {
    package let port: Int
    package let scheme: String
    private let task: Task<Void, any Error>

    /// Returns when the server accepts connections.
    /// - Throws: ``StartError``
    package static func start(_ configuration: FileServerConfiguration) async throws -> RunningFileServer {
        let server = try FileServer(configuration: configuration)
        let (ports, continuation) = AsyncThrowingStream<Int, any Error>.makeStream()
        let task = Task {
            do {
                try await server.run { continuation.yield($0) }
                continuation.finish()
            } catch {
                continuation.finish(throwing: error)
                throw error
            }
        }
        for try await port in ports {
            return RunningFileServer(port: port, scheme: server.scheme, task: task)
        }
        throw StartError(.listening(0), "the server ended before it accepted connections")
    }

    private init(port: Int, scheme: String, task: Task<Void, any Error>) {
        self.port = port
        self.scheme = scheme
        self.task = task
    }

    deinit { task.cancel() }

    /// Without a trailing slash. With the name of the loopback address, whatever address the server listens on.
    package var url: String { "\(scheme)://127.0.0.1:\(port)" }

    /// Stops as ``FileServer/run(onListening:)`` does, and returns when it has stopped.
    package func stop() async {
        task.cancel()
        _ = await task.result
    }
}
