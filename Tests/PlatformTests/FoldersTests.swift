// SPDX-License-Identifier: MIT

import Glibc
import Platform
import Testing
import TransferTesting

@Suite struct FoldersTests {
    private func folders(_ environment: [String: String], account: String? = nil) -> Folders {
        Folders(environment: { environment[$0] }, account: { account })
    }

    @Test func followsTheEnvironment() {
        let found = folders([
            "HOME": "/home/me", "XDG_CONFIG_HOME": "/c/", "XDG_STATE_HOME": "/s", "XDG_CACHE_HOME": "/k",
            "XDG_RUNTIME_DIR": "/r",
        ])
        #expect(
            [found.configuration, found.userConfiguration, found.state, found.cache] == [
                "/c/fileq", "/c", "/s/fileq", "/k/fileq",
            ])
        #expect(found.runtime == "/r/fileq")
        #expect(found.fileqHome == nil)
    }

    @Test func defaultsToTheHome() {
        let found = folders(["HOME": "/home/me"])
        #expect(
            [found.configuration, found.state, found.cache]
                == ["/home/me/.config/fileq", "/home/me/.local/state/fileq", "/home/me/.cache/fileq"])
        #expect(found.runtime == nil)
    }

    /// A relative path would mean another folder in each program.
    @Test(arguments: ["", "relative", "./relative", "~/x"]) func ignoresRelativePaths(_ path: String) {
        let found = folders(
            [
                "HOME": path, "XDG_CONFIG_HOME": path, "XDG_STATE_HOME": path, "XDG_CACHE_HOME": path,
                "XDG_RUNTIME_DIR": path,
            ],
            account: "/home/account")
        #expect(found == folders([:], account: "/home/account"))
        #expect(found.state == "/home/account/.local/state/fileq")
    }

    /// Anybody can make a folder below `/tmp` before this user does.
    @Test func usesNoSharedFolderWithoutAHome() {
        let found = folders([:])
        #expect(
            [found.configuration, found.state, found.cache].allSatisfy {
                !$0.hasPrefix("/tmp") && !$0.hasPrefix("/var")
            })
    }

    @Test func fileqHomeMayBeRelative() {
        #expect(folders(["FILEQ_HOME": "/f/"]).fileqHome == "/f")
        #expect(folders(["FILEQ_HOME": ""]).fileqHome == nil)
        #expect(folders(["FILEQ_HOME": "f"]).fileqHome == Folders.absolute("f"))
        #expect(Folders.absolute("f").hasPrefix("/"))
    }

    // MARK: Private folders

    @Test func createsPrivateFolders() throws {
        let folder = try TemporaryFolder()
        #expect(chmod(folder.path, 0o755) == 0)
        try PrivateFolder.prepare(folder.file("a/b"))
        try PrivateFolder.prepare(folder.file("a/b"))
        for name in ["a", "a/b"] {
            var status = stat()
            #expect(stat(folder.file(name), &status) == 0 && status.st_mode & 0o777 == 0o700)
        }
    }

    @Test func rejectsFoldersOthersCanWrite() throws {
        let folder = try TemporaryFolder()
        let place = folder.file("place")
        try PrivateFolder.prepare(place)
        for mode: mode_t in [0o720, 0o702, 0o1777] {
            #expect(chmod(place, mode) == 0)
            #expect(throws: PrivateFolder.Refusal.writableByOthers) { try PrivateFolder.prepare(place) }
        }
        try folder.write([], to: "file")
        #expect(throws: PrivateFolder.Refusal.notAFolder) { try PrivateFolder.prepare(folder.file("file")) }
        #expect(throws: PrivateFolder.Refusal.failed(SystemError("mkdir", path: folder.file("file/x"), errno: ENOTDIR)))
        {
            try PrivateFolder.prepare(folder.file("file/x"))
        }
    }

    @Test(.enabled(if: geteuid() == 0, "only root makes folders of others")) func rejectsFoldersOfAnotherUser() throws {
        let folder = try TemporaryFolder()
        try PrivateFolder.prepare(folder.file("place"))
        #expect(chown(folder.file("place"), 65534, 65534) == 0)
        #expect(throws: PrivateFolder.Refusal.foreign) { try PrivateFolder.prepare(folder.file("place")) }
    }
}
