// SPDX-License-Identifier: MIT

import CurlTransport
import Glibc
import SessionCore
import Testing
import TransferControl
import TransferModel
import TransferStore
import TransferTesting

@testable import TransferService

/// Linux reports once that a folder's changes could not be written: a later sync succeeds without them.
@Suite(.timeLimit(.minutes(10))) struct NameDurabilityTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func queue(_ failures: Counter) throws -> DurableQueue {
        var configuration = LocalQueue.Configuration()
        configuration.disk.isInMemory = { _ in false }
        configuration.disk.syncNames = { paths in
            defer { failures.add() }
            return failures.count == 0 ? Dictionary(uniqueKeysWithValues: paths.map { ($0, EIO) }) : [:]
        }
        return try DurableQueue(
            store: try TransferStore(folder: folder.file("state"), time: 1_800_000_000), transport: try CurlTransport(),
            configuration: configuration)
    }

    /// As it is after a folder's entries have last changed.
    private func age() {
        let old = timespec(tv_sec: 1000, tv_nsec: 0)
        var times = [old, old]
        #expect(utimensat(AT_FDCWD, folder.path, &times, 0) == 0)
    }

    private var hasChanged: Bool {
        var status = stat()
        return stat(folder.path, &status) == 0 && status.st_mtim.tv_sec != 1000
    }

    /// With too many open files, no folder can be opened: then the file system of a file is synced instead.
    @Test(arguments: [EMFILE, ENFILE, ENOMEM, EIO, 0]) func aShortageSyncsTheFileSystem(_ code: Int32) {
        let synced = Counter()
        var disk = PlacementDisk()
        disk.syncNames = { paths in code == 0 ? [:] : [paths[0]: code] }
        disk.syncFileSystem = { descriptor in
            if descriptor == 7 { synced.add() }
            return 0
        }
        let failures = disk.makeNamesDurable(of: [("/a/b", 7), ("/a/c", 8)])
        #expect(failures == (code == EIO ? ["/a/b": EIO] : [:]))
        #expect(synced.count == (code == EIO || code == 0 ? 0 : 1))
        disk.syncFileSystem = { _ in ENOSPC }
        #expect(disk.makeNamesDurable(of: [("/a/b", 7)]) == (code == 0 ? [:] : ["/a/b": code == EIO ? EIO : ENOSPC]))
    }

    /// - Parameter count: so many that the transport alone carries them out, or one.
    @Test(arguments: [1, 64]) func aRetryGivesTheNameAgain(_ count: Int) async throws {
        let server = try ScriptedServer { connection, _ in
            while connection.readHead() != nil { connection.answer("200 OK", ["ETag: \"1\""], body: [1, 2, 3]) }
        }
        let queue = try queue(Counter())
        let specs = try (0..<count).map { number in
            Spec(
                url: try TransferURL(server.url("/\(number)")),
                operation: .download(Download(destination: .file(path: folder.file("out-\(number)")))))
        }
        let ids = try await queue.add(specs, paused: false)
        let ends = try await queue.ends(count: count)
        let failed = ends.filter { $0.state == .failed }
        #expect(!failed.isEmpty && failed.allSatisfy { $0.error?.systemErrno == EIO })
        for id in 0..<count { #expect(try folder.read("out-\(id)") == [1, 2, 3]) }
        age()
        #expect(!hasChanged)
        try await queue.perform(.retry, on: failed.map(\.id))
        let known = try await queue.transfers { known in ids.allSatisfy { known[$0]?.state == .completed } }
        #expect(known.values.allSatisfy { $0.bytes == 3 })
        #expect(hasChanged)
        #expect(folder.names.filter { $0.hasPrefix("out-") }.count == count, "\(folder.names)")
        #expect(server.requests.count == count)
        await queue.shutDown()
    }
}
