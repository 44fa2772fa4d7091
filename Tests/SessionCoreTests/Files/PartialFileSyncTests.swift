// SPDX-License-Identifier: MIT

import Glibc
import SessionCore
import Testing
import TransferTesting

/// Bytes that are not known to be synced are written again before a sync. In a file that is one hole they leave zeros
/// on the disk.
@Suite struct PartialFileSyncTests {
    let folder: TemporaryFolder
    private static let mebibyte: Int64 = 1 << 20

    init() throws { folder = try TemporaryFolder() }

    private var path: String { folder.file("f.fileq-part") }

    /// A hole of 4 MiB.
    private func hole() throws -> PartialFile {
        let file = try PartialFile(path: path)
        try file.truncate(to: 4 * Self.mebibyte)
        return file
    }

    @Test(arguments: [0..<mebibyte, mebibyte..<3 * mebibyte, 0..<4 * mebibyte])
    func writesTheRangeOnce(_ range: Range<Int64>) throws {
        let file = try hole()
        file.rewriteBeforeSync(range)
        #expect(!file.wasRewritten && Files.data(file.descriptor) == nil)
        #expect(file.sync() == 0)
        #expect(file.wasRewritten && Files.data(file.descriptor) == range)
        #expect(file.length == 4 * Self.mebibyte)
        let time = timespec(tv_sec: 1000, tv_nsec: 0)
        #expect(futimens(file.descriptor, [time, time]) == 0)
        #expect(file.sync() == 0)
        #expect(FileTimes.modified(path) == 1000)
    }

    /// What it lost stays lost, whatever the system says of a later sync.
    @Test func aFailureIsReportedByEachSyncFromThenOn() throws {
        try folder.write(patternedBytes(1000), to: "f.fileq-part")
        let file = try PartialFile(path: path)
        file.rewriteBeforeSync(0..<1000)
        let reading = dup(file.descriptor)
        let nowhere = open("/dev/null", O_WRONLY)
        dup2(nowhere, file.descriptor)
        let code = file.sync()
        #expect(code != 0)
        dup2(reading, file.descriptor)
        for descriptor in [reading, nowhere] { close(descriptor) }
        #expect(fdatasync(file.descriptor) == 0)
        #expect(file.sync() == code && file.sync() == code && file.syncFailure == code)
    }

    @Test func keepsTheBytes() throws {
        let bytes = patternedBytes(700_000)
        try folder.write(bytes, to: "f.fileq-part")
        let file = try PartialFile(path: path)
        file.rewriteBeforeSync(1000..<650_000)
        #expect(file.sync() == 0 && file.wasRewritten)
        #expect(try folder.read("f.fileq-part") == bytes)
    }

    /// By the download, which begins again, or by another program.
    @Test(arguments: [false, true]) func aTruncatedFileStaysShort(_ isOther: Bool) throws {
        let file = try hole()
        file.rewriteBeforeSync(0..<4 * Self.mebibyte)
        if isOther {
            #expect(Glibc.truncate(path, off_t(Self.mebibyte)) == 0)
        } else {
            try file.truncate(to: Self.mebibyte)
        }
        #expect(file.sync() == 0)
        #expect(file.length == Self.mebibyte)
        #expect(Files.data(file.descriptor) == 0..<Self.mebibyte)
    }

    @Test func writesNothingOnceUnlocked() throws {
        let file = try hole()
        file.rewriteBeforeSync(0..<4 * Self.mebibyte)
        file.unlock()
        #expect(file.sync() == 0)
        #expect(!file.wasRewritten && Files.data(file.descriptor) == nil)
    }

    @Test func reportsAFailure() throws {
        let file = try hole()
        file.rewriteBeforeSync(0..<4 * Self.mebibyte)
        let reader = open(path, O_RDONLY | O_CLOEXEC)
        try #require(reader >= 0 && dup2(reader, file.descriptor) == file.descriptor)
        close(reader)
        #expect(file.sync() == EBADF, "what was read cannot be written")
    }
}
