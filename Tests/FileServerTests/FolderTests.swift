// SPDX-License-Identifier: MIT

import Foundation
import Testing

@testable import FileServer

/// New folders, and the end of files and folders.
@Suite(.timeLimit(.minutes(10))) struct FolderTests {
    @Test func foldersAreMade() async throws {
        try await ServedFolder.with { (folder) async throws in
            try folder.write("file", "1")
            for (path, status) in [
                ("/%E5%A4%8F/", 201), ("/%E5%A4%8F/", 405), ("/%E5%A4%8F/a%20b/", 201), ("/file/", 405), ("/", 405),
                ("/missing/x/", 409), ("/file/x/", 409), ("/.fileq-server/x/", 404), ("/files/x/", 404), ("/x", 405),
                ("/../x/", 400),
            ] { #expect(try await folder.curl(path, "-X", "MKCOL").status == status, "\(path)") }
            #expect(try await folder.curl("/x/", "-X", "MKCOL", "-d", "1").status == 415)
            #expect(try await folder.curl("/x/", "-X", "MKCOL", "-H", "Origin: http://evil.example").status == 403)
            #expect(try folder.tree() == ["file", "夏", "夏/a b"])
        }
    }

    @Test func nothingIsDeletedUnlessAllowed() async throws {
        try await ServedFolder.with { (folder) async throws in
            try folder.write("sub/x", "1")
            for path in ["/sub/x", "/sub/"] {
                let answer = try await folder.curl(path, "-X", "DELETE")
                #expect(answer.status == 405 && answer.headers["allow"]?.contains("DELETE") == false)
            }
            #expect(
                try await folder.curl("/sub/", "-H", "Accept: text/html").text.contains("class=\"delete\"") == false)
            #expect(try folder.tree() == ["sub", "sub/x"])
        }
    }

    @Test func filesAndFoldersAreDeleted() async throws {
        try await ServedFolder.with({ configuration, _ in configuration.allowsDelete = true }) {
            (folder) async throws in
            for name in ["a", "b", "sub/x", "sub/.hidden/y", "sub/夏/z", "keep/.fileq-server/lock", "keep/x"] {
                try folder.write(name, "1")
            }
            let outside = folder.scratch.appendingPathComponent("outside")
            try FileManager.default.createDirectory(at: outside, withIntermediateDirectories: true)
            try Data("1".utf8).write(to: outside.appendingPathComponent("x"))
            for link in ["sub/link", "link"] {
                try FileManager.default.createSymbolicLink(
                    atPath: folder.root.appendingPathComponent(link).path, withDestinationPath: outside.path)
            }
            let page = try await folder.curl("/", "-H", "Accept: text/html").text
            #expect(page.contains("<button type=\"button\" class=\"delete\" aria-label=\"Delete a\" hidden>"))
            let tag = try #require(try await folder.curl("/a", "-I").headers["etag"])
            for (path, fields, status): (String, [String], Int) in [
                ("/a", ["If-Match: \"other\""], 412), ("/a", ["Origin: http://evil.example"], 403),
                ("/a", ["If-Match: \(tag)"], 204), ("/a", [], 404), ("/a/", [], 404), ("/b", [], 204),
                ("/sub", [], 404),
                ("/link", [], 404), ("/link/", [], 404), ("/link/x", [], 404), ("/sub/", [], 204), ("/", [], 403),
                ("/keep/", [], 409), ("/keep/.fileq-server/", [], 404), ("/.fileq-server/lock", [], 404),
            ] {
                let answer = try await folder.curl(path, ["-X", "DELETE"] + fields.flatMap { ["-H", $0] })
                #expect(answer.status == status, "\(path) \(fields)")
            }
            #expect(try folder.tree() == ["keep", "keep/.fileq-server", "keep/.fileq-server/lock", "keep/x", "link"])
            #expect(try FileManager.default.contentsOfDirectory(atPath: outside.path) == ["x"])
        }
    }

    /// What the page's "Replace" sends.
    @Test func anUploadReplacesTheVersionThatItNames() async throws {
        try await ServedFolder.with { (folder) async throws in
            try folder.write("a", "old")
            let tag = try #require(try await folder.curl("/a", "-I").headers["etag"])
            func create(_ more: String...) async throws -> CurlAnswer {
                let fields = ["Tus-Resumable: 1.0.0", "Upload-Length: 3", "Upload-Metadata: filename YQ=="] + more
                return try await folder.curl("/", ["-X", "POST"] + fields.flatMap { ["-H", $0] })
            }
            for field in [[], ["If-Match: *"], ["If-Match: \"other\""]] {
                let answer = try await field.isEmpty ? create() : create(field[0])
                #expect(answer.status == 412, "\(field)")
            }
            let late = try #require(try await create("If-Match: \(tag)").headers["location"])
            let made = try #require(try await create("If-Match: \(tag)").headers["location"])
            func append(_ location: String) async throws -> Int {
                try await folder.curl(
                    location, "-X", "PATCH", "-H", "Tus-Resumable: 1.0.0", "-H", "Upload-Offset: 0", "-H",
                    "Content-Type: application/offset+octet-stream", "--data-binary", "new"
                ).status
            }
            #expect(try await append(made) == 204)
            #expect(try folder.content("a") == "new")
            #expect(try await append(late) == 412, "another version came first")
        }
    }
}
