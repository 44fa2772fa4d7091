// SPDX-License-Identifier: MIT

import Foundation
import Glibc
import Testing
import TransferTesting

extension Integration {
    /// What is wrong before anything goes over the wire: one line, the code, nothing written, nothing sent.
    @Suite(.serialized) struct UsageTests {
        struct Row: Sendable, CustomStringConvertible {
            let words: [String]
            let exit: Int32
            let says: String
            init(_ words: [String], _ exit: Int32, _ says: String) {
                (self.words, self.exit, self.says) = (words, exit, says)
            }
            var description: String { String(words.joined(separator: " ").prefix(80)).debugDescription }
        }

        /// `URL` stands for the address of a server that must not receive anything.
        static let rows: [Row] = [
            Row(["get", "--no-such-option", "URL"], 2, "--no-such-option"),
            Row(["fetch", "URL"], 2, "fetch"),
            Row(["get"], 2, "URL"),
            Row(["put", "file"], 2, "put"),
            Row(["get", "not a url"], 3, "http"),
            Row(["get", "http://"], 3, "host"),
            Row(["get", "http://127.0.0.1:99999/"], 3, "port"),
            Row(["get", "gopher://127.0.0.1/x"], 3, "gopher"),
            Row(["put", "file", "ftp://127.0.0.1/x"], 3, "ftp"),
            Row(["put", "missing", "URL"], 26, "missing"),
            Row(["put", "folder", "URL"], 2, "-r"),
            Row(["get", "--http", "4", "URL"], 2, "1.1, 2 or 3"),
            Row(["get", "-d", "nowhere", "URL"], 23, "nowhere"),
            Row(["get", "-o", "nowhere/file", "URL"], 23, "nowhere"),
            Row(["get", "-o", "file/inside", "URL"], 23, "file"),
            Row(["get", "-b", "a=" + String(repeating: "x", count: 4096), "URL"], 2, "larger than 4096"),
            Row(["get", "-b", "a=b\u{1}c", "URL"], 2, "control"),
            Row(["get", "-b", "a=b\r\nX: y", "URL"], 2, "control"),
            Row(["put", "--sid", "a\u{7}b", "file", "URL"], 2, "control"),
            Row(
                ["put", "--sid", "s", "--meta", "n=" + String(repeating: "x", count: 4096), "file", "URL"], 2, "--meta"
            ),
            Row(["put", "--sid", "s", "--meta", "n=a\u{1b}[31m", "file", "URL"], 2, "control"),
            Row(["get", "-H", "A: b\r\nC: d", "URL"], 2, "--header"),
            Row(["get", "--limit", "fast", "URL"], 2, "--limit"),
            Row(["get", "--checksum", "sha256:abc", "URL"], 2, "--checksum"),
            Row(["get", "--cacert", "nowhere", "URL"], 2, "--cacert"),
            Row(["get", "URL/a/same", "URL/b/same"], 2, "same"),
            Row(["put", "file", "folder/../file", "URL/"], 2, "twice"),
            Row(["get", "-i", "nowhere"], 2, "nowhere"),
        ]

        @Test(arguments: rows) func reportsInOneLine(_ row: Row) async throws {
            try await Stage.with { stage in
                let server = try stage.replying("200 OK", body: "content")
                try stage.write("content", to: "file")
                _ = try stage.makeFolder(stage.path("folder"))
                let words = row.words.map { $0.replacing("URL", with: server.url("")) }
                expectComplaint(try await stage.fileq(words), row.exit, row.says)
                #expect(stage.names == ["file", "folder"])
                #expect(stage.text("file") == "content")
                #expect(server.requests == [])
            }
        }

        @Test func replacesExistingFilesOnlyOnRequest() async throws {
            try await Stage.with { stage in
                let server = try stage.replying("200 OK", body: "new content")
                try stage.write("old", to: "file")
                for words in [[server.url()], ["-o", "file", server.url("/other")]] {
                    expectComplaint(try await stage.fileq(["get", "-q"] + words), 23, "exists already")
                    #expect(stage.text("file") == "old")
                }
                let asked = try await stage.fileq("get", "-q", "--overwrite", server.url())
                #expect(asked.exit == 0, "\(asked)")
                #expect(stage.text("file") == "new content")
                #expect(stage.names == ["file"])
            }
        }

        @Test func aFolderThatCannotBeWrittenTo() async throws {
            try await Stage.with { stage in
                let server = try stage.replying("200 OK", body: "content")
                // /proc takes no files, not even the administrator's.
                let place = geteuid() == 0 ? "/proc" : try stage.makeFolder(stage.path("closed"))
                if geteuid() != 0 { chmod(place, 0o500) }
                expectComplaint(try await stage.fileq("get", "-q", "-d", place, server.url()), 23, "cannot write")
            }
        }

        @Test(
            .enabled(if: FullDisk.canBeMade, "a file system of its own needs the administrator's rights"),
            arguments: ServerKind.present)
        func aFullDisk(_ kind: ServerKind) async throws {
            try await Stage.with { stage in
                let place = try stage.makeFolder(stage.path("small"))
                let disk = try FullDisk(at: place, bytes: 2 << 20)
                defer { disk.remove() }
                let server = try await stage.serve(kind)
                try Files.fill(server.file("big.bin"), 8 << 20)
                expectComplaint(try await stage.fileq("get", "-q", "-d", "small", server.url("big.bin")), 23, "space")
                #expect(!stage.exists("small/big.bin"))
                // It fits when there is space, and resumes the partial file.
                try disk.resize(bytes: 32 << 20)
                let again = try await stage.fileq("get", "-q", "-d", "small", server.url("big.bin"))
                #expect(again.exit == 0, "\(again)")
                #expect(Files.same(stage.path("small/big.bin"), server.file("big.bin")))
            }
        }

        @Test func startsNothingBeforeValidation() async throws {
            try await Stage.with { stage in
                let server = try stage.replying("200 OK", body: "content")
                expectComplaint(
                    try await stage.fileq("get", server.url("/one"), "nonsense", server.url("/two")), 3, "nonsense")
                #expect(server.requests == [])
                #expect(stage.names == [])
            }
        }

        @Test func skipsInvalidLinesOfAList() async throws {
            try await Stage.with { stage in
                let server = try stage.replying("200 OK", body: "content")
                try stage.write("\(server.url("/one"))\nnonsense\n\(server.url("/two"))\n", to: "list")
                let outcome = try await stage.fileq("get", "-q", "-i", "list")
                #expect(outcome.exit == 2, "\(outcome)")
                #expect(outcome.complaints.contains("line 2"), "\(outcome)")
                #expect(stage.names == ["list", "one", "two"])
            }
        }
    }
}

/// A small file system in memory, mounted for one test.
struct FullDisk {
    private let path: String

    static let canBeMade: Bool = {
        guard geteuid() == 0, let folder = try? TemporaryFolder() else { return false }
        guard let disk = try? FullDisk(at: folder.path, bytes: 1 << 20) else { return false }
        disk.remove()
        return true
    }()

    init(at path: String, bytes: Int) throws {
        self.path = path
        guard mount("tmpfs", path, "tmpfs", 0, "size=\(bytes)") == 0 else { throw POSIXError(.EPERM) }
    }

    func resize(bytes: Int) throws {
        guard mount("tmpfs", path, "tmpfs", UInt(MS_REMOUNT), "size=\(bytes)") == 0 else { throw POSIXError(.EPERM) }
    }

    func remove() { umount2(path, Int32(MNT_DETACH)) }
}
