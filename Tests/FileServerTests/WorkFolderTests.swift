// SPDX-License-Identifier: MIT

import Foundation
import Glibc
import Platform
import Testing

@testable import FileServer

/// The server's own folder is this user's alone, or it is not used.
struct WorkFolderTests {
    private static let names = ["", "/partial", "/index", "/uploads", "/shares"]

    private func with(_ body: (_ root: String, _ work: String) async throws -> Void) async throws {
        let url = FileManager.default.temporaryDirectory.appendingPathComponent("work-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: url) }
        try await body(url.path, url.path + "/.fileq-server")
    }

    private func open(_ root: String) throws { _ = try WorkFolder(in: RootFolder(path: root)) }

    private func mode(_ path: String) throws -> mode_t {
        var found = stat()
        try #require(lstat(path, &found) == 0)
        return found.st_mode & 0o777
    }

    private func cause(_ root: String) -> StartError? {
        do { try open(root) } catch { return error as? StartError }
        return nil
    }

    @Test func foldersThatOthersCanUseAreNarrowed() async throws {
        try await with { root, work in
            try open(root)
            for name in Self.names { #expect(chmod(work + name, 0o777) == 0) }
            try open(root)
            for name in Self.names { #expect(try mode(work + name) == 0o700, "\(name)") }
        }
    }

    @Test(arguments: names) func linksAreNotFollowed(name: String) async throws {
        try await with { root, work in
            if !name.isEmpty { #expect(mkdir(work, 0o700) == 0) }
            #expect(mkdir(root + "/elsewhere", 0o700) == 0)
            #expect(symlink(root + "/elsewhere", work + name) == 0)
            #expect(cause(root)?.cause == .folder)
            let found = try FileManager.default.contentsOfDirectory(atPath: root + "/elsewhere")
            #expect(found.isEmpty)
        }
    }

    private static let isRoot = geteuid() == 0

    @Test(.enabled(if: isRoot, "only root makes folders of others"), arguments: names + ["/lock"])
    func whatBelongsToAnotherUserIsRefused(name: String) async throws {
        try await with { root, work in
            try open(root)
            #expect(chown(work + name, 65534, 65534) == 0)
            let error = cause(root)
            #expect(error?.cause == .foreign && error?.message.contains("another user") == true)
            #expect(error?.message.contains(".fileq-server\(name) ") == true)
        }
    }

    /// On some file systems, the owner of a file is not the user that creates it.
    @Test(
        arguments: [
            (1000, 1000, nil, true), (65534, 0, 65534, true), (65534, 0, 0, false), (1001, 1000, nil, false),
            (0, 1000, 0, true),
        ] as [(uid_t, uid_t, uid_t?, Bool)])
    func theOwnerOfWhatTheServerCreatesCounts(owner: uid_t, effective: uid_t, created: uid_t?, isOwn: Bool) {
        #expect(WorkFolder.isOwn(owner, effective: effective) { created } == isOwn)
    }

    @Test func theOwnerIsLearntWithoutATrace() async throws {
        try await with { root, _ in
            let folder = try FolderDescriptor(path: root)
            #expect(try WorkFolder.creator(in: folder) == geteuid())
            #expect(try folder.names().isEmpty)
        }
    }

    @Test(.enabled(if: isRoot, "only root makes files of others"), arguments: ["", ".json"])
    func uploadsOfAnotherUserStay(suffix: String) async throws {
        try await ServedFolder.with { folder in
            let location = try await folder.createTus("/files", "Upload-Length: 10")
            let id = try #require(location.split(separator: "/").last)
            let names = Set(try folder.unfinished())
            #expect(names == [String(id), "\(id).json"])
            #expect(chown("\(folder.root.path)/.fileq-server/uploads/\(id)\(suffix)", 65534, 65534) == 0)
            try await folder.restart()
            #expect(try await folder.state(location, "Tus-Resumable: 1.0.0").status == 404)
            #expect(Set(try folder.unfinished()) == names)
        }
    }

    @Test(.enabled(if: isRoot, "only root makes files of others")) func recordsOfAnotherUserAreIgnored() async throws {
        try await ServedFolder.with { folder in
            try folder.write("a.txt", "shared")
            let made = try await folder.curl("/files/share", "-X", "POST", "-H", "Share-Target: /a.txt")
            let link = try #require(made.headers["location"])
            let sid = try await folder.issueSID()
            let stored = try await folder.curl("/upload", "--data-binary", "x", "-b", "fileuploadSID=\(sid)")
            let location = try #require(stored.headers["location"])
            let id = try #require(location.split(separator: "/").dropFirst().first)
            for path in ["shares/\(link.dropFirst("/files/share/".count)).json", "index/\(id).json", "session-key"] {
                #expect(chown("\(folder.root.path)/.fileq-server/\(path)", 65534, 65534) == 0)
            }
            try await folder.restart()
            #expect(try await folder.curl(link).status == 404)
            #expect(try await folder.curl(location).status == 404)
            let again = try await folder.curl("/upload", "--data-binary", "x", "-b", "fileuploadSID=\(sid)")
            #expect(again.status == 403)
        }
    }

    @Test func onlyTheFileThatWasWrittenIsPlaced() async throws {
        try await with { root, _ in
            let folder = try FolderDescriptor(path: root)
            let partial = try PartialFile(in: folder, name: "partial", hashing: [])
            try folder.remove("partial")
            _ = try folder.create("partial")
            let error = #expect(throws: SystemError.self) {
                try partial.place(in: folder, as: "placed", replacing: true)
            }
            #expect(error?.errno == ESTALE)
            #expect(try folder.names() == ["partial"])
        }
    }
}
