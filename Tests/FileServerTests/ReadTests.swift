// SPDX-License-Identifier: MIT

import FileServer
import Foundation
import Testing
import TransferTesting

struct ReadTests {
    static let digits = "0123456789"

    @Test(
        arguments: [
            ([], 200, digits, nil), (["-r", "2-5"], 206, "2345", "bytes 2-5/10"),
            (["-r", "7-"], 206, "789", "bytes 7-9/10"),
            (["-r", "-3"], 206, "789", "bytes 7-9/10"), (["-r", "5-99"], 206, "56789", "bytes 5-9/10"),
            (["-r", "0-1,4-5"], 200, digits, nil), (["-H", "Range: lines=1-2"], 200, digits, nil),
            (["-H", "Range: bytes=5-2"], 200, digits, nil), (["-r", "10-"], 416, nil, "bytes */10"),
            (["-r", "2-5", "-H", "If-Range: \"other\""], 200, digits, nil),
            (["-r", "2-5", "-H", "If-Range: W/\"other\""], 200, digits, nil),
            (["-r", "2-5", "-H", "If-Range: Sun, 06 Nov 1994 08:49:37 GMT"], 200, digits, nil),
            (["-r", "10-", "-H", "If-Range: \"other\""], 200, digits, nil),
            (["-H", "If-None-Match: *"], 304, "", nil), (["-H", "If-Match: \"other\""], 412, nil, nil),
            (["-H", "If-Modified-Since: Sun, 06 Nov 2044 08:49:37 GMT"], 304, "", nil),
            (["-H", "If-Modified-Since: Sun, 06 Nov 1994 08:49:37 GMT"], 200, digits, nil),
            (["-H", "If-Unmodified-Since: Sun, 06 Nov 1994 08:49:37 GMT"], 412, nil, nil),
        ] as [([String], Int, String?, String?)])
    func rangesAndConditions(arguments: [String], status: Int, body: String?, range: String?) async throws {
        try await ServedFolder.with { (folder) async throws in
            try folder.write("digits.txt", Self.digits)
            let answer = try await folder.curl("/digits.txt", arguments)
            #expect(answer.status == status)
            if let body { #expect(answer.text == body) }
            #expect(answer.headers["content-range"] == range)
            if status < 300 { #expect(answer.headers["accept-ranges"] == "bytes") }
        }
    }

    @Test func evaluatesConditions() async throws {
        try await ServedFolder.with { (folder) async throws in
            try folder.write("digits.txt", Self.digits)
            let whole = try await folder.curl("/digits.txt")
            let tag = try #require(whole.headers["etag"])
            let date = try #require(whole.headers["last-modified"])
            #expect(whole.headers["content-type"] == "text/plain; charset=utf-8")
            #expect(tag.hasPrefix("\""))
            #expect(try await folder.curl("/digits.txt", "-H", "If-None-Match: W/\(tag)").status == 304)
            #expect(try await folder.curl("/digits.txt", "-H", "If-Modified-Since: \(date)").status == 304)
            for validator in [tag, date] {
                #expect(try await folder.curl("/digits.txt", "-r", "1-2", "-H", "If-Range: \(validator)").status == 206)
            }
            try folder.write("digits.txt", "9876543210")
            #expect(try await folder.curl("/digits.txt", "-r", "1-2", "-H", "If-Range: \(tag)").status == 200)
        }
    }

    @Test func headHasTheFieldsOfGET() async throws {
        try await ServedFolder.with { (folder) async throws in
            try folder.write("digits.txt", Self.digits)
            let head = try await folder.curl("/digits.txt", "-I")
            let get = try await folder.curl("/digits.txt")
            for name in ["content-length", "etag", "last-modified", "accept-ranges", "content-type"] {
                #expect(head.headers[name] == get.headers[name] && head.headers[name] != nil)
            }
            #expect(head.status == 200)
            #expect(try await folder.curl("/digits.txt", "-I", "-r", "0-3").headers["content-length"] == "4")
            #expect(try await folder.curl("/none", "-I").status == 404)
        }
    }

    @Test func largeFilesArriveWhole() async throws {
        try await ServedFolder.with { (folder) async throws in
            let bytes = sampleBytes(5_000_003)
            try folder.write("big.bin", bytes)
            #expect(try await folder.curl("/big.bin").body == bytes)
            #expect(try await folder.curl("/big.bin", "-r", "262143-4000000").body == bytes[262143...4_000_000])
        }
    }

    @Test(arguments: [
        ("/none", [], 404), ("/folder", [], 404), ("/digits.txt/", [], 404), ("/digits.txt/x", [], 404),
        ("/pipe", [], 404),
        ("/files/none/x", [], 404), ("/files/x", [], 404), ("/.fileq-server/lock", [], 404),
        ("/.fileq-server", [], 404),
        ("/digits.txt", ["-X", "PATCH"], 405), ("/digits.txt", ["-X", "DELETE"], 405), ("/session", [], 405),
        ("/upload", [], 405), ("/files", ["-X", "DELETE"], 405),
    ])
    func refused(path: String, arguments: [String], status: Int) async throws {
        try await ServedFolder.with { (folder) async throws in
            try folder.write("digits.txt", Self.digits)
            try folder.write("folder/x", "x")
            mkfifo(folder.root.appendingPathComponent("pipe").path, 0o600)
            let answer = try await folder.curl(path, arguments)
            #expect(answer.status == status)
            #expect((answer.headers["allow"] != nil) == (status == 405))
            #expect(answer.text.hasSuffix("\n"))
        }
    }

    @Test(arguments: [
        ("/x", "GET, HEAD, PUT, OPTIONS"), ("/upload", "POST, OPTIONS"), ("/files/a/b", "GET, HEAD, DELETE, OPTIONS"),
    ])
    func optionsReturnsAllow(path: String, allowed: String) async throws {
        try await ServedFolder.with { (folder) async throws in
            let answer = try await folder.curl(path, "-X", "OPTIONS")
            #expect(answer.status == 204)
            #expect(answer.headers["allow"] == allowed)
        }
    }

    @Test func listsFolders() async throws {
        try await ServedFolder.with { (folder) async throws in
            try folder.write("写/b", "12")
            try folder.write("写/a/x", "")
            let root = try await folder.curl("/")
            #expect(root.text.contains("写") && !root.text.contains("fileq-server"))
            let inside = try await folder.curl("/%E5%86%99/")
            #expect(inside.status == 200 && inside.headers["content-type"] == "application/json")
            let names = try #require(try JSONSerialization.jsonObject(with: inside.body) as? [String: Any])
            let entries = try #require(names["entries"] as? [[String: Any]])
            #expect(entries.map { $0["name"] as? String } == ["a", "b"])
            #expect(entries.map { $0["kind"] as? String } == ["folder", "file"])
            #expect(try await folder.curl("/none/").status == 404)
        }
    }

    /// Two versions must never reach a client as one file.
    @Test func closesTheConnectionIfTheFileChanges() async throws {
        try await ServedFolder.with({ configuration, _ in configuration.rate = 100_000 }) { (folder) async throws in
            try folder.write("moving", sampleBytes(300_000))
            let raw = try RawConnection(port: folder.server.port)
            await raw.send("GET /moving HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
            _ = await raw.receive(until: "\r\n\r\n")
            let handle = try FileHandle(forWritingTo: folder.root.appendingPathComponent("moving"))
            try handle.truncate(atOffset: 1000)
            #expect(await raw.receive().unicodeScalars.count < 300_000)
            #expect(try await folder.curl("/moving", "-I").headers["content-length"] == "1000")
        }
    }
}
