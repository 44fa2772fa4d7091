// SPDX-License-Identifier: MIT

import Glibc
import SessionCore
import Synchronization
import Testing
import TransferControl
import TransferModel
import TransferStore
import TransferTesting

@testable import TransferService

/// Bytes that an earlier process of this boot has left. A sync of them may have failed before it was killed: a later
/// one succeeds without them, unless they are written again.
@Suite(.timeLimit(.minutes(10))) struct UnsyncedBytesTests {
    private static let mebibyte = 1 << 20
    /// What is there is a hole, which shows what is written again.
    private static let there = 2 * mebibyte
    private static let body = [UInt8](repeating: 0, count: there) + patternedBytes(mebibyte / 2)
    private static let part = "out.bin.fileq-part"

    /// - Parameter sent: how many bytes of the rest; then the connection stays open.
    private func server(sent: Int = Self.mebibyte / 2) throws -> ScriptedServer {
        try ScriptedServer { connection, _ in
            guard let head = connection.readHead() else { return }
            guard head.contains("bytes=\(Self.there)-") else { return connection.answer("404 Not Found") }
            connection.send(
                "HTTP/1.1 206 Partial Content\r\nETag: \"1\"\r\nLast-Modified: Sun, 06 Nov 1994 08:49:37 GMT\r\n"
                    + "Content-Range: bytes \(Self.there)-\(Self.body.count - 1)/\(Self.body.count)\r\n"
                    + "Content-Length: \(Self.body.count - Self.there)\r\n\r\n")
            connection.send(Array(Self.body[Self.there..<(Self.there + sent)]))
            connection.waitForClose()
        }
    }

    private func leave(_ folder: TemporaryFolder, of url: String, synced: Int) throws {
        let path = try folder.write([], to: Self.part)
        try #require(truncate(path, off_t(Self.there)) == 0)
        PartialRecord.save(
            ResumeData(
                url: url, validator: Validator(entityTag: "\"1\""), ranges: ByteRangeSet(0..<Int64(synced)),
                total: Int64(Self.body.count), partialPath: path, bootID: BootID.current))
    }

    @Test(arguments: [0, mebibyte, there]) func areWrittenAgainBeforeTheSync(_ synced: Int) async throws {
        let found = Mutex<[Range<Int64>?]>([])
        let stage = try QueueStage { _ in
            var configuration = LocalQueue.Configuration()
            configuration.disk.isInMemory = { _ in false }
            configuration.disk.syncBytes = { files in
                found.withLock { $0 += files.map { Files.data($0.descriptor) } }
                return .init()
            }
            return configuration
        }
        let server = try server()
        try leave(stage.folder, of: server.url(), synced: synced)
        let result = try await stage.end(of: stage.download(server.url()))
        #expect(result.state == .completed && result.metrics?.resumedFrom == Int64(Self.there))
        #expect(found.withLock { $0 } == [Int64(synced)..<Int64(Self.body.count)])
        #expect(try stage.folder.read("out.bin") == Self.body)
        #expect(FileTimes.modified(stage.folder.file("out.bin")) == 784_111_777)
        await stage.queue.shutDown()
    }

    /// Linux reports bytes that could not be written to one sync, which may be that for the last record.
    @Test func aPlacementKnowsWhatAnotherSyncHasLost() throws {
        let folder = try TemporaryFolder()
        let path = try folder.write(patternedBytes(1000), to: Self.part)
        let partial = try PartialFile(path: path)
        let placement = DownloadPlacement(
            partial: partial, path: folder.file("out.bin"), overwrites: false,
            permissions: FilePermissions(umask: nil, own: nil), modified: nil, total: 1000, mayHaveRecord: true)
        #expect(partial.sync() == 0 && placement.earlierFailure == nil)
        partial.rewriteBeforeSync(0..<1000)
        let (writer, reader) = (dup(partial.descriptor), open(path, O_RDONLY | O_CLOEXEC))
        dup2(reader, partial.descriptor)
        #expect(partial.sync() == EBADF, "what was read cannot be written")
        dup2(writer, partial.descriptor)
        for descriptor in [reader, writer] { close(descriptor) }
        #expect(placement.prepareSync(setsAttributes: true) == 0)
        #expect(FileSync.syncBytes([.init(descriptor: partial.descriptor, device: partial.device)]).failures.isEmpty)
        #expect(placement.earlierFailure == EBADF)
    }

    /// Otherwise the third process would write everything again, and a power cut would cost everything.
    @Test func theNextRecordKeepsWhatIsSynced() async throws {
        let stage = try QueueStage()
        let server = try server(sent: 100_000)
        try leave(stage.folder, of: server.url(), synced: Self.mebibyte)
        let id = try await stage.queue.add([stage.download(server.url())], paused: false)[0]
        try await stage.wait { $0[id]?.bytes == Int64(Self.there + 100_000) }
        await stage.queue.shutDown()
        let record = PartialRecord.load(stage.folder.file(Self.part + ".json"))
        #expect(record?.ranges == ByteRangeSet(0..<Int64(Self.mebibyte)))
        #expect(record?.bootID == BootID.current)
    }
}
