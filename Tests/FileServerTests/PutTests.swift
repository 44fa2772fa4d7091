// SPDX-License-Identifier: MIT

import FileServer
import Foundation
import Testing

struct PutTests {
    @Test func aNewFileAndThenItsReplacement() async throws {
        try await ServedFolder.with { (folder) async throws in
            let first = try await folder.put("/a%20b/写真.txt", "one")
            #expect(first.status == 201)
            #expect(first.headers["location"] == "/a%20b/%E5%86%99%E7%9C%9F.txt")
            #expect(try folder.content("a b/写真.txt") == "one")
            let second = try await folder.put("/a%20b/%E5%86%99%E7%9C%9F.txt", "two")
            #expect(second.status == 204)
            #expect(second.headers["etag"] != first.headers["etag"] && second.headers["etag"] != nil)
            #expect(try folder.tree() == ["a b", "a b/写真.txt"])
            #expect(try folder.content("a b/写真.txt") == "two")
            #expect(try folder.partials().isEmpty)
        }
    }

    @Test func keepsNamesByteForByte() async throws {
        try await ServedFolder.with { (folder) async throws in
            // The same letter, composed and not: two files.
            #expect(try await folder.put("/%E3%81%8C", "composed").status == 201)
            #expect(try await folder.put("/%E3%81%8B%E3%82%99", "decomposed").status == 201)
            #expect(try folder.tree().count == 2)
            #expect(try await folder.curl("/%E3%81%8C").text == "composed")
            #expect(try await folder.curl("/%E3%81%8B%E3%82%99").text == "decomposed")
        }
    }

    @Test func appliesConditions() async throws {
        try await ServedFolder.with { (folder) async throws in
            #expect(try await folder.put("/x", "1", "-H", "If-Match: *").status == 412)
            let made = try await folder.put("/x", "1", "-H", "If-None-Match: *")
            #expect(made.status == 201)
            #expect(try await folder.put("/x", "2", "-H", "If-None-Match: *").status == 412)
            #expect(try await folder.put("/x", "2", "-H", "If-Match: \"other\"").status == 412)
            #expect(try folder.content("x") == "1")
            #expect(try await folder.put("/x", "2", "-H", "If-Match: \(made.headers["etag"] ?? "")").status == 204)
            #expect(try folder.content("x") == "2")
        }
    }

    @Test func comparesDigests() async throws {
        try await ServedFolder.with { (folder) async throws in
            // SHA-256 of "one".
            let right = "sha-256=:dpLDrTVAu4A8Ags67mbNiIcSMjTqDG5xQ8Ct1z/0Me0=:"
            let answer = try await folder.put("/wrong", "two", "-H", "Repr-Digest: \(right)")
            #expect(answer.status == 422)
            #expect(try await folder.put("/wrong", "two", "-H", "Repr-Digest: sha-256").status == 400)
            #expect(try folder.tree().isEmpty)
            #expect(try folder.partials().isEmpty)
            // SHA-512 of "one", and of something else.
            let longer =
                "sha-512=:BfcDQQeKz2oG1CPSFyD5ZD1flTYm2IoCY23DqeeVgq6wyCCFf9P43FAqqDYNLI+pephf2ltim4CcrRj/ti04mQ==:"
            let other = "sha-512=:" + String(repeating: "A", count: 86) + "==:"
            for digest in ["Repr-Digest: \(longer)", "Content-Digest: \(longer)"] {
                #expect(try await folder.put("/wrong", "two", "-H", digest).status == 422)
                let stored = try await folder.put("/longer", "one", "-H", digest)
                #expect([201, 204].contains(stored.status) && stored.headers["repr-digest"] == longer)
            }
            #expect(try await folder.put("/wrong", "one", "-H", "Repr-Digest: \(right), \(other)").status == 422)
            #expect(try folder.tree() == ["longer"])
            let ok = try await folder.put("/right", "one", "-H", "Content-Digest: \(right)")
            #expect(ok.status == 201)
            #expect(ok.headers["repr-digest"] == right)
        }
    }

    @Test(arguments: [
        ("/x", ["-H", "Content-Range: bytes 0-2/9"], 400), ("/x", ["-H", "Content-Encoding: gzip"], 415),
        ("/folder", [], 409), ("/folder/", [], 405), ("/", [], 405), ("/file/below", [], 409), ("/files/x", [], 404),
        ("/upload", [], 405), ("/files", [], 405), ("/.fileq-server/x", [], 404), ("/a%2Fb", [], 400),
        ("/a%0Ab", [], 400),
        ("/pipe", [], 409), ("/a%E2%80%AEb", [], 400), ("/%FF", [], 400),
    ])
    func refused(path: String, arguments: [String], status: Int) async throws {
        try await ServedFolder.with { (folder) async throws in
            try folder.write("folder/inside", "kept")
            try folder.write("file", "kept")
            mkfifo(folder.root.appendingPathComponent("pipe").path, 0o600)
            let before = try folder.tree()
            let answer = try await folder.curl(path, ["-T", "-"] + arguments, input: Data("new".utf8))
            #expect(answer.status == status)
            #expect(answer.text.hasSuffix("\n") && answer.text.split(separator: "\n").count == 1)
            #expect(try folder.tree() == before)
            #expect(try folder.content("file") == "kept")
        }
    }

    @Test func chunkedFromAStreamOfUnknownLength() async throws {
        try await ServedFolder.with { (folder) async throws in
            let bytes = sampleBytes(3_000_001)
            let answer = try await folder.curl("/stream", "-T", "-", input: bytes)
            #expect(answer.status == 201)
            #expect(answer.log.contains("Transfer-Encoding: chunked"))
            #expect(try Data(contentsOf: folder.root.appendingPathComponent("stream")) == bytes)
        }
    }

    @Test func sends100OnExpectation() async throws {
        try await ServedFolder.with { (folder) async throws in
            let bytes = sampleBytes(2_500_000)
            try bytes.write(to: folder.scratch.appendingPathComponent("big"))
            let answer = try await folder.curl(
                "/big", "-T", folder.scratch.appendingPathComponent("big").path,
                "-H", "Expect: 100-continue", "--expect100-timeout", "30")
            #expect(answer.status == 201)
            #expect(answer.log.contains("100 Continue"))
            #expect(try Data(contentsOf: folder.root.appendingPathComponent("big")) == bytes)
        }
    }

    @Test func anEmptyFile() async throws {
        try await ServedFolder.with { (folder) async throws in
            #expect(try await folder.put("/empty", "").status == 201)
            let answer = try await folder.curl("/empty")
            #expect(answer.status == 200 && answer.body.isEmpty && answer.headers["content-length"] == "0")
        }
    }
}
