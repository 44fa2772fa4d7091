// SPDX-License-Identifier: MIT

import Glibc
import Platform
import Testing
import TransferTesting

@Suite struct AtomicFileTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func mode(_ name: String) -> mode_t {
        var status = stat()
        return lstat(folder.file(name), &status) == 0 ? status.st_mode & 0o7777 : 0
    }

    @Test(arguments: [AtomicFile.Temporary.fixed, .unique], [AtomicFile.Durability.none, .file, .name])
    func replacesTheFileForItsOwnerAlone(_ temporary: AtomicFile.Temporary, _ durability: AtomicFile.Durability) throws
    {
        try folder.write([1], to: "file")
        #expect(chmod(folder.file("file"), 0o644) == 0)
        let old = try Descriptor.open(folder.file("file"), O_RDONLY)
        let new = try AtomicFile.replace(
            folder.file("file"), with: [2, 3], temporary: temporary, durability: durability)
        #expect(try folder.read("file") == [2, 3])
        #expect(mode("file") == 0o600)
        #expect(folder.names == ["file"])
        // Who has the old one open still reads the old bytes.
        #expect(try old.read(10) == [1])
        #expect(try new.read(10, at: 0) == [2, 3])
    }

    @Test func replacesALeftoverTemporaryFile() throws {
        try folder.write([1], to: "other")
        #expect(symlink(folder.file("other"), folder.file("file.new")) == 0)
        try AtomicFile.replace(folder.file("file"), with: [2], temporary: .fixed, durability: .none)
        #expect(try folder.read("file") == [2])
        #expect(try folder.read("other") == [1])
    }

    @Test func replacesALinkInsteadOfFollowing() throws {
        try folder.write([1], to: "other")
        #expect(symlink(folder.file("other"), folder.file("file")) == 0)
        try AtomicFile.replace(folder.file("file"), with: [2], temporary: .unique, durability: .none)
        #expect(try folder.read("file") == [2])
        #expect(try folder.read("other") == [1])
    }

    @Test func failuresKeepTheOldFileOnly() throws {
        try folder.write([1], to: "file")
        #expect(throws: SystemError("fchmod", path: folder.file("file"), errno: EPERM)) {
            try AtomicFile.replace(folder.file("file"), with: [2], temporary: .unique, durability: .file) {
                (_) throws(SystemError) in
                throw SystemError("fchmod", errno: EPERM)
            }
        }
        #expect(try folder.read("file") == [1])
        #expect(folder.names == ["file"])
        #expect(mkdir(folder.file("taken"), 0o700) == 0)
        #expect(throws: SystemError("rename", path: folder.file("taken"), errno: EISDIR)) {
            try AtomicFile.replace(folder.file("taken"), with: [2], temporary: .fixed, durability: .file)
        }
        #expect(folder.names == ["file", "taken"])
    }

    @Test func errorsNameTheTemporaryFile() throws {
        let path = folder.file("missing/file")
        #expect(throws: SystemError("open", path: path + ".new", errno: ENOENT)) {
            try AtomicFile.replace(path, with: [], temporary: .fixed, durability: .none)
        }
    }
}
