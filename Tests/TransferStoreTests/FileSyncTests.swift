// SPDX-License-Identifier: MIT

import Glibc
import Testing
@testable import TransferStore
import TransferTesting

@Suite struct FileSyncTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func open(_ name: String) throws -> Int32 {
        Glibc.open(try folder.write([1, 2, 3], to: name), O_RDWR | O_CLOEXEC)
    }

    @Test(arguments: [1, FileSync.maximumSingly + 1]) func syncsFewAndManyFiles(_ count: Int) throws {
        let descriptors = try (0..<count).map { try open("f\($0)") }
        defer { descriptors.forEach { close($0) } }
        #expect(FileSync.syncBytes(descriptors.map { .init(descriptor: $0, device: 1) }) == .init())
    }

    /// What went wrong with one is said of that one alone, also where all of a file system are synced together.
    @Test(arguments: [1, FileSync.maximumSingly + 1]) func failuresConcernTheirFileOnly(_ count: Int) throws {
        let descriptors = try (0..<count).map { try open("f\($0)") }
        defer { descriptors.forEach { close($0) } }
        let files =
            [FileSync.OpenFile(descriptor: -1, device: 1)] + descriptors.map { .init(descriptor: $0, device: 1) }
        // Its file system could not be synced through it.
        #expect(FileSync.syncBytes(files) == .init(failures: [-1: EBADF], isWhole: count == 1))
    }

    /// syncfs(2) succeeds where another call has reported the lost bytes.
    @Test func aFileThatLostBytesFailsThoughItsFileSystemIsSynced() throws {
        let descriptors = try (0...FileSync.maximumSingly).map { try open("f\($0)") }
        defer { descriptors.forEach { close($0) } }
        let files = descriptors.map { FileSync.OpenFile(descriptor: $0, device: 1) }
        let lost = descriptors[2]
        let failures = FileSync.syncBytes(files) { $0 == lost ? EIO : 0 }
        #expect(failures == .init(failures: [lost: EIO]))
        let unknown = FileSync.syncBytes(files) { _ in ENOSYS }
        #expect(unknown == .init())
    }

    @Test func syncsNamesByFolder() throws {
        let paths = try ["a", "b"].map { try folder.write([1], to: $0) }
        #expect(
            FileSync.syncNames(paths + ["/gone/\(paths.count)/a"]).isEmpty, "a folder that is gone needs nothing more")
        #expect(FileSync.syncNames([]).isEmpty)
    }

    /// Linux reports to one sync alone that changes of a folder could not be written.
    @Test(arguments: [false, true]) func aFolderThatFailsOnceFailsAllOfItsTargets(_ areBytesDurable: Bool) throws {
        let targets = try ["a", "b"].map {
            SyncTarget(path: try folder.write([1], to: $0), device: 1, areBytesDurable: areBytesDurable)
        }
        var calls = 0
        let failures = FileSync.sync(targets) { paths in
            calls += 1
            return calls == 1 ? Dictionary(uniqueKeysWithValues: paths.map { ($0, EIO) }) : [:]
        }
        #expect(failures == [targets[0]: EIO, targets[1]: EIO])
    }

    @Test func renamedTargetsSyncOnlyTheirFolder() throws {
        let path = try folder.write([1], to: "a")
        #expect(
            FileSync.sync([SyncTarget(path: path, device: 1, areBytesDurable: true), SyncTarget(path: path, device: 1)])
                .isEmpty)
    }
}
