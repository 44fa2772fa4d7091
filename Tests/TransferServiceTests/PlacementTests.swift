// SPDX-License-Identifier: MIT

import Dispatch
import Glibc
import Synchronization
import Testing
import TransferControl
import TransferModel
@testable import TransferService
import TransferStore
import TransferTesting

/// A file has its name when its bytes are on the disk, and is completed when its name is.
@Suite(.timeLimit(.minutes(10))) struct PlacementTests {
    /// A disk that writes down what is asked of it, and answers when the test lets it.
    private final class Disk: Sendable {
        private let kept = Mutex<[String]>([])
        private let held = Mutex<Set<String>>([])
        let rounds = Mutex<[Int]>([])
        var log: [String] { kept.withLock { $0 } }

        func hold(_ call: String) { held.withLock { _ = $0.insert(call) } }
        func release(_ call: String) { held.withLock { _ = $0.remove(call) } }

        /// - Parameter file: whose existence is written down with each call.
        func configuration(inMemory: Bool = false, file: String, failing code: Int32? = nil) -> LocalQueue.Configuration
        {
            var configuration = LocalQueue.Configuration()
            configuration.disk.isInMemory = { _ in inMemory }
            configuration.disk.syncBytes = { [self] files in
                rounds.withLock { $0.append(files.count) }
                note("bytes", file)
                guard let code else { return .init() }
                return .init(failures: Dictionary(uniqueKeysWithValues: files.map { ($0.descriptor, code) }))
            }
            configuration.disk.syncNames = { [self] _ in
                note("names", file)
                return [:]
            }
            return configuration
        }

        private func note(_ call: String, _ file: String) {
            kept.withLock { $0.append("\(call), \(access(file, F_OK) == 0 ? "named" : "unnamed")") }
            _ = eventually { held.withLock { !$0.contains(call) } }
        }
    }

    private let disk = Disk()
    private let bytes = patternedBytes(30_000)

    private func server() throws -> ScriptedServer {
        try ScriptedServer { [bytes] connection, _ in
            while connection.readHead() != nil { connection.answer("200 OK", ["ETag: \"1\""], body: bytes) }
        }
    }

    private func stage(_ make: (String) -> LocalQueue.Configuration) throws -> QueueStage {
        try QueueStage { make($0.file("out.bin")) }
    }

    @Test func syncsBytesThenNameThenCompletes() async throws {
        let server = try server()
        let stage = try stage { disk.configuration(file: $0) }
        disk.hold("names")
        let ids = try await stage.queue.add([stage.download(server.url())], paused: false)
        #expect(await eventually { disk.log.count == 2 })
        #expect(disk.log == ["bytes, unnamed", "names, named"])
        #expect(try await stage.queue.snapshot().transfers[0].state == .verifying)
        disk.release("names")
        try await stage.wait { $0[ids[0]]?.state == .completed }
        #expect(try stage.folder.read("out.bin") == bytes)
        #expect(stage.folder.names == ["out.bin"])
    }

    @Test func smallFilesShareRoundsWithoutSlots() async throws {
        let server = try server()
        let stage = try stage { disk.configuration(file: $0) }
        try await stage.queue.setLimits(QueueLimits(concurrent: 4))
        disk.hold("bytes")
        let ids = try await stage.queue.add(
            (0..<100).map { try stage.download(server.url(), name: "f\($0)") }, paused: false)
        // All of them come in though the first is still being synced.
        #expect(await eventually { server.requests.count == 100 })
        #expect(await eventually { disk.rounds.withLock { $0.count } == 1 })
        disk.release("bytes")
        try await stage.wait { known in ids.allSatisfy { known[$0]?.state == .completed } }
        let rounds = disk.rounds.withLock { $0 }
        #expect(rounds.reduce(0, +) == 100)
        #expect(rounds.count < 20, "\(rounds)")
    }

    @Test func doesNotWaitForTheDiskWithoutSync() async throws {
        let server = try server()
        let stage = try stage { disk.configuration(file: $0) }
        let result = try await stage.end(of: stage.download(server.url()) { $1.syncs = false })
        #expect(result.state == .completed)
        #expect(disk.log.isEmpty)
    }

    @Test func syncsNothingInMemory() async throws {
        let server = try server()
        let stage = try stage { disk.configuration(inMemory: true, file: $0) }
        #expect(try await stage.end(of: stage.download(server.url())).state == .completed)
        #expect(disk.log.isEmpty)
    }

    @Test func doesNotRenameAfterAFailedSync() async throws {
        let server = try server()
        let stage = try stage { disk.configuration(file: $0, failing: EIO) }
        let result = try await stage.end(of: stage.download(server.url()))
        #expect(result.state == .failed)
        #expect(
            result.error?.code == .cannotWrite && result.error?.systemErrno == EIO,
            "\(String(describing: result.error))")
        #expect(stage.folder.names.isEmpty, "its bytes are not trusted")
        #expect(disk.log == ["bytes, unnamed"])
    }

    @Test func shutdownRenamesCompleteFiles() async throws {
        let server = try server()
        let stage = try stage { disk.configuration(file: $0) }
        disk.hold("bytes")
        let ids = try await stage.queue.add(
            [stage.download(server.url()), stage.download(server.url(), name: "second")], paused: false)
        #expect(await eventually { disk.log.count == 1 })
        #expect(try await eventuallyVerifying(stage, ids))
        async let end: Void = stage.queue.shutDown()
        disk.release("bytes")
        await end
        #expect(stage.folder.names == ["out.bin", "second"])
        #expect(try stage.folder.read("second") == bytes)
    }

    /// Whether all of them come to wait for the disk.
    private func eventuallyVerifying(_ stage: QueueStage, _ ids: [TransferID]) async throws -> Bool {
        let end = DispatchTime.now() + 60
        while DispatchTime.now() < end {
            if try await stage.queue.snapshot().transfers.allSatisfy({ $0.state == .verifying }) { return true }
            await Task.yield()
        }
        return false
    }
}
