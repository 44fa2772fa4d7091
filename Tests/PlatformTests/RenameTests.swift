// SPDX-License-Identifier: MIT

import CLinux
import Glibc
import Testing
import TransferTesting

/// Renames that replace nothing, on file systems that offer neither that nor hard links.
@Suite struct RenameTests {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    @Test func renamesToAFreeName() throws {
        try folder.write([1], to: "a")
        #expect(clinux_rename_if_free(AT_FDCWD, folder.file("a"), folder.file("b")) == 0)
        #expect(folder.names == ["b"])
    }

    @Test(arguments: ["file", "link", "folder"]) func replacesNothing(_ kind: String) throws {
        try folder.write([1], to: "a")
        let path = folder.file("b")
        switch kind {
        case "file": try folder.write([2], to: "b")
        case "link": #expect(symlink("nowhere", path) == 0)
        default: #expect(mkdir(path, 0o700) == 0)
        }
        let result = clinux_rename_if_free(AT_FDCWD, folder.file("a"), path)
        let code = errno
        #expect(result == -1 && code == EEXIST)
        #expect(folder.names == ["a", "b"])
        #expect(try folder.read("a") == [1])
    }

    @Test func reportsAMissingFile() {
        let result = clinux_rename_if_free(AT_FDCWD, folder.file("a"), folder.file("b"))
        let code = errno
        #expect(result == -1 && code == ENOENT)
    }
}
