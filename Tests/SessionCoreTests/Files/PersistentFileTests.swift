// SPDX-License-Identifier: MIT

import Foundation
import Glibc
@testable import SessionCore
import Testing
import TransferModel
import TransferTesting

@Suite(.timeLimit(.minutes(10))) struct PersistentFileTests {
    private let folder = try! TemporaryFolder()

    private func file(
        _ name: String = "kept", _ privacy: PersistentFile.Privacy = .secret, patience: Double = 5
    ) -> PersistentFile {
        PersistentFile(path: folder.file(name), privacy: privacy, maximumBytes: 1000, patience: patience)
    }

    private func mode(_ name: String) -> mode_t? {
        var status = stat()
        return lstat(folder.file(name), &status) == 0 ? status.st_mode & 0o777 : nil
    }

    private func write(_ text: String, _ file: PersistentFile) throws {
        _ = try file.locked { () throws(TransferError) in try file.replace(with: Array(text.utf8)) }
    }

    @Test func writesAndReadsAPrivateFile() throws {
        let file = file("deep/er/kept")
        #expect(try file.read() == nil)
        try write("content", file)
        #expect(try file.read()?.bytes == Array("content".utf8))
        #expect(mode("deep") == 0o700)
        #expect(mode("deep/er") == 0o700)
        #expect(mode("deep/er/kept") == 0o600)
        #expect(folder.names == ["deep"])
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: folder.file("deep/er")).sorted() == [
                "kept", "kept.lock",
            ])
    }

    @Test(
        arguments: [
            (0o600, true, true), (0o400, true, true), (0o640, false, true), (0o604, false, true), (0o620, false, false),
            (0o602, false, false), (0o666, false, false),
        ] as [(mode_t, Bool, Bool)])
    func filesOpenToOthersAreRefused(mode: mode_t, isSecret: Bool, isTrusted: Bool) throws {
        try folder.write([1], to: "kept")
        chmod(folder.file("kept"), mode)
        for (privacy, isFine) in [(PersistentFile.Privacy.secret, isSecret), (.trusted, isTrusted)] {
            if isFine {
                #expect(try file("kept", privacy).read()?.bytes == [1])
            } else {
                let error = #expect(throws: TransferError.self) { try file("kept", privacy).read() }
                #expect(error?.code == .usage)
                #expect(error?.message.contains("chmod 600") == true)
            }
        }
    }

    /// Such as one below a home that is a file.
    @Test func thereIsNoFileBelowAFile() throws {
        try folder.write([1], to: "home")
        let below = file("home/kept")
        #expect(try below.read() == nil)
        #expect(below.isCurrent(nil))
        let error = #expect(throws: TransferError.self) { try write("content", below) }
        #expect(error?.code == .cannotWrite)
    }

    @Test(.enabled(if: geteuid() != 0)) func namesAFileThatMayNotBeRead() throws {
        try folder.write([1], to: "kept")
        chmod(folder.file("kept"), 0)
        let error = #expect(throws: TransferError.self) { try file().read() }
        #expect(error?.code == .usage && error?.fields.variant == .fileForbidden)
    }

    @Test func rejectsForeignFiles() throws {
        try folder.write([1], to: "real")
        chmod(folder.file("real"), 0o600)
        #expect(symlink(folder.file("real"), folder.file("link")) == 0)
        #expect(mkfifo(folder.file("pipe"), 0o600) == 0)
        #expect(mkdir(folder.file("folder"), 0o700) == 0)
        try folder.write([UInt8](repeating: 0, count: 1001), to: "large")
        chmod(folder.file("large"), 0o600)
        for (name, words) in [
            ("link", "symbolic link"), ("pipe", "regular file"), ("folder", "regular file"), ("large", "1000 bytes"),
        ] {
            let error = #expect(throws: TransferError.self, "\(name)") { try file(name).read() }
            #expect(error?.code == .usage)
            #expect(error?.message.contains(words) == true)
        }
    }

    @Test func failedWritesKeepTheOldFile() throws {
        let file = file()
        try write("old", file)
        #expect(throws: TransferError.self) { try write(String(repeating: "x", count: 1001), file) }
        #expect(mkdir(folder.file("kept.new"), 0o700) == 0)
        #expect(throws: TransferError.self) { try write("new", file) }
        #expect(try file.read()?.bytes == Array("old".utf8))
    }

    @Test func replacesTheRemainsOfADeadWriter() throws {
        try folder.write([9], to: "victim")
        #expect(symlink(folder.file("victim"), folder.file("kept.new")) == 0)
        try write("new", file())
        #expect(try folder.read("victim") == [9])
        #expect(folder.names == ["kept", "kept.lock", "victim"])
    }

    @Test func locksAcrossProcesses() throws {
        let file = file(patience: 0)
        let other = open(folder.file("kept.lock"), O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        #expect(flock(other, LOCK_EX) == 0)
        let error = #expect(throws: TransferError.self) { try write("new", file) }
        #expect(error?.code == .cannotWrite)
        close(other)
        try write("new", file)
    }

    @Test func seesEveryChangeOfTheFile() throws {
        let file = file()
        #expect(file.isCurrent(nil))
        try write("one", file)
        #expect(!file.isCurrent(nil))
        var version = try #require(try file.read()).version
        #expect(file.isCurrent(version))
        for _ in 0..<50 {
            // The same size within the same tick of the clock, and whatever inodes come free.
            try write("two", file)
            try write("one", file)
            #expect(!file.isCurrent(version))
            version = try #require(try file.read()).version
            #expect(file.isCurrent(version))
        }
        unlink(file.path)
        #expect(!file.isCurrent(version))
        #expect(file.isCurrent(nil))
    }
}
