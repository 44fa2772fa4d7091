// SPDX-License-Identifier: MIT

import FileServer
import Foundation
import Testing
import TransferModel
import TransferTesting

struct TusUploadTests {
    /// `filename a.txt`
    private static let name = "Upload-Metadata: filename YS50eHQ=,album 5aSP"

    @Test func creationAndAppends() async throws {
        try await ServedFolder.with { (folder) async throws in
            let location = try await folder.createTus("/files/", "Upload-Length: 6", Self.name)
            let state = try await folder.state(location, "Tus-Resumable: 1.0.0")
            #expect(state.status == 200 && state.headers["cache-control"] == "no-store")
            #expect(state.headers["upload-offset"] == "0" && state.headers["upload-length"] == "6")
            #expect(state.headers["upload-metadata"] == String(Self.name.dropFirst("Upload-Metadata: ".count)))
            #expect(state.headers["tus-resumable"] == "1.0.0" && state.headers["upload-expires"] != nil)
            #expect(state.headers["upload-complete"] == nil)
            let first = try await folder.appendTus(location, at: "0", "one")
            #expect(first.status == 204 && first.headers["upload-offset"] == "3")
            #expect(first.headers["upload-expires"] != nil)
            #expect(try await folder.appendTus(location, at: "0", "one").status == 409)
            try await folder.restart()
            let last = try await folder.appendTus(location, at: "3", "two")
            #expect(last.status == 204 && last.headers["upload-offset"] == "6")
            #expect(last.headers["content-location"] == location + "/a.txt")
            #expect(try await folder.curl(location + "/a.txt").text == "onetwo")
            let end = try await folder.state(location, "Tus-Resumable: 1.0.0")
            #expect(end.headers["upload-offset"] == "6" && end.headers["upload-length"] == "6")
            // A repeat of the end changes nothing.
            #expect(try await folder.appendTus(location, at: "6", "").status == 204)
            #expect(try await folder.appendTus(location, at: "6", "x").status == 413)
            let files = try JSONDecoder().decode(FileQListing.self, from: try await folder.curl("/files").body).files
            #expect(files.map(\.name) == ["a.txt"] && files[0].metadata == [.init(name: "album", value: "夏")])
        }
    }

    /// Another protocol may continue what one began.
    @Test func theDraftContinuesAnUploadOfTus() async throws {
        try await ServedFolder.with { (folder) async throws in
            let location = try await folder.createTus("/", "Upload-Length: 6", Self.name)
            #expect(try await folder.appendTus(location, at: "0", "one").status == 204)
            #expect(try await folder.state(location).headers["upload-offset"] == "3")
            #expect(try await folder.append(location, at: 3, "two", complete: true).status == 201)
            #expect(try folder.content("a.txt") == "onetwo")
            let other = try await folder.create("/", "Upload-Length: 6", "Content-Disposition: a; filename=b.txt")
            #expect(try await folder.append(other, at: 0, "one", complete: false).status == 204)
            #expect(try await folder.appendTus(other, at: "3", "two").status == 204)
            #expect(try folder.content("b.txt") == "onetwo")
        }
    }

    @Test func creationWithUploadAndDeferredLength() async throws {
        try await ServedFolder.with { (folder) async throws in
            let fields = ["Tus-Resumable: 1.0.0", "Content-Type: application/offset+octet-stream"]
            let whole = try await folder.send("POST", "/files", "one", fields + ["Upload-Length: 3", Self.name])
            #expect(whole.status == 201 && whole.headers["upload-offset"] == "3")
            let location = try #require(whole.headers["location"])
            #expect(try await folder.curl(location + "/a.txt").text == "one")
            let part = try await folder.send("POST", "/files", "one", fields + ["Upload-Defer-Length: 1"])
            let other = try #require(part.headers["location"])
            #expect(part.status == 201 && part.headers["upload-offset"] == "3")
            let state = try await folder.state(other, "Tus-Resumable: 1.0.0")
            #expect(state.headers["upload-defer-length"] == "1" && state.headers["upload-length"] == nil)
            #expect(try await folder.appendTus(other, at: "3", "two", "Upload-Length: 9").status == 204)
            #expect(try await folder.state(other, "Tus-Resumable: 1.0.0").headers["upload-length"] == "9")
            #expect(try await folder.appendTus(other, at: "6", "!!!", "Upload-Length: 10").status == 400)
            #expect(try await folder.appendTus(other, at: "6", "!!!").status == 204)
            #expect(try await folder.curl(other + "/upload").text == "onetwo!!!")
            let empty = try await folder.createTus("/files", "Upload-Length: 0", Self.name)
            #expect(try await folder.curl(empty + "/a.txt").headers["content-length"] == "0")
        }
    }

    @Test func checksumsAreVerifiedPerAppend() async throws {
        try await ServedFolder.with { (folder) async throws in
            let location = try await folder.createTus("/files", "Upload-Length: 22")
            let right = "Upload-Checksum: sha1 Kq5sNclPz7QV2+lfQIuc6R7oRu0="
            #expect(try await folder.appendTus(location, at: "0", "hello world", right).status == 204)
            let wrong = try await folder.appendTus(location, at: "11", "hello xorld", right)
            #expect(wrong.status == 460)
            #expect(try await folder.state(location, "Tus-Resumable: 1.0.0").headers["upload-offset"] == "11")
            for bad in ["crc32 AAAA", "sha1", "sha1 AAAA"] {
                let answer = try await folder.appendTus(location, at: "11", "hello world", "Upload-Checksum: \(bad)")
                #expect(answer.status == 400)
            }
            #expect(try await folder.appendTus(location, at: "11", "hello world", right).status == 204)
            #expect(try await folder.curl(location + "/upload").text == "hello worldhello world")
        }
    }

    @Test func partsAreConcatenated() async throws {
        try await ServedFolder.with { (folder) async throws in
            var parts: [String] = []
            for content in ["one", "two"] {
                let part = try await folder.createTus("/files", "Upload-Concat: partial", "Upload-Length: 3")
                parts.append(part)
                if content == "two" {
                    let early = try await folder.curl(
                        "/files", "-X", "POST", "-H", "Tus-Resumable: 1.0.0", "-H",
                        "Upload-Concat: final;\(parts.joined(separator: " "))")
                    #expect(early.status == 400)
                }
                #expect(try await folder.appendTus(part, at: "0", content).status == 204)
            }
            #expect(try folder.tree().isEmpty)
            try await folder.restart()
            let list = "Upload-Concat: final;\(parts[0]) \(folder.server.url)\(parts[1])"
            let final = try await folder.createTus("/", list, Self.name)
            #expect(try folder.content("a.txt") == "onetwo")
            let state = try await folder.state(final, "Tus-Resumable: 1.0.0")
            #expect(state.headers["upload-offset"] == "6" && state.headers["upload-length"] == "6")
            #expect(state.headers["upload-concat"] == String(list.dropFirst("Upload-Concat: ".count)))
            #expect(try await folder.appendTus(final, at: "6", "x").status == 403)
            // A repeat is not stored again; its parts are gone.
            #expect(try await folder.createTus("/", list, Self.name) == final)
            #expect(try folder.tree() == ["a.txt"])
            #expect(try await folder.state(parts[0], "Tus-Resumable: 1.0.0").status == 404)
        }
    }

    @Test func simultaneousConcatenationsAreStoredOnce() async throws {
        try await ServedFolder.with { (folder) async throws in
            let content = String(repeating: "x", count: 2_000_000)
            var parts: [String] = []
            for _ in 0..<2 {
                let part = try await folder.createTus("/files", "Upload-Concat: partial", "Upload-Length: 2000000")
                #expect(try await folder.appendTus(part, at: "0", content).status == 204)
                parts.append(part)
            }
            let request =
                "POST /files HTTP/1.1\r\nHost: localhost\r\nTus-Resumable: 1.0.0\r\nContent-Length: 0\r\n"
                + "Upload-Concat: final;\(parts.joined(separator: " "))\r\n\r\n"
            var connections: [RawConnection] = []
            for _ in 0..<4 {
                let raw = try RawConnection(port: folder.server.port)
                await raw.send(request)
                connections.append(raw)
            }
            var locations: Set<String> = []
            for raw in connections {
                let answer = await raw.receive(until: "\r\n\r\n")
                #expect(answer.hasPrefix("HTTP/1.1 201 "), "\(answer)")
                let location = try #require(answer.firstMatch(of: /Location: (\S+)/).map { String($0.1) })
                locations.insert(location)
            }
            #expect(locations.count == 1)
            let files = try JSONDecoder().decode(FileQListing.self, from: try await folder.curl("/files").body).files
            #expect(files.map(\.size) == [4_000_000])
            // The state of the result.
            #expect(try folder.unfinished().count == 1)
        }
    }

    /// It would make more bytes than were sent.
    @Test func aPartIsJoinedOnce() async throws {
        try await ServedFolder.with { (folder) async throws in
            let part = try await folder.createTus("/files", "Upload-Concat: partial", "Upload-Length: 3")
            #expect(try await folder.appendTus(part, at: "0", "one").status == 204)
            for list in ["\(part) \(part)", "\(part) \(folder.server.url)\(part)"] {
                let twice = try await folder.send(
                    "POST", "/", "", ["Tus-Resumable: 1.0.0", "Upload-Concat: final;\(list)", Self.name])
                #expect(twice.status == 400 && twice.text.contains("named twice"), "\(twice.text)")
            }
            #expect(try folder.tree().isEmpty)
            _ = try await folder.createTus("/", "Upload-Concat: final;\(part)", Self.name)
            #expect(try folder.content("a.txt") == "one")
        }
    }

    @Test func terminationRemovesTheFile() async throws {
        try await ServedFolder.with { (folder) async throws in
            let location = try await folder.createTus("/files", "Upload-Length: 3", Self.name)
            #expect(try await folder.appendTus(location, at: "0", "one").status == 204)
            // As POST, for clients without DELETE.
            let answer = try await folder.curl(
                location, "-X", "POST", "-H", "Tus-Resumable: 1.0.0", "-H", "X-HTTP-Method-Override: DELETE")
            #expect(answer.status == 204)
            #expect(try await folder.state(location, "Tus-Resumable: 1.0.0").status == 404)
            #expect(try await folder.curl(location + "/a.txt").status == 404)
            #expect(try folder.unfinished().isEmpty)
        }
    }

    /// A field for clients without PATCH and DELETE gives no access to other methods.
    @Test(arguments: ["HEAD", "GET", "PUT", "OPTIONS", "patch", "x y"])
    func overridesOfOtherMethodsAreRefused(method: String) async throws {
        try await ServedFolder.with { (folder) async throws in
            let location = try await folder.createTus("/files", "Upload-Length: 3")
            let fields = ["-X", "POST", "-H", "Tus-Resumable: 1.0.0", "-H", "X-HTTP-Method-Override: \(method)"]
            let answer = try await folder.curl(location, fields)
            #expect(answer.status == 400, "\(answer.text)")
        }
    }

    @Test(arguments: [
        (["Upload-Length: -1"], 400), (["Upload-Length: x"], 400), (["Upload-Length: 1, 2"], 400), ([], 400),
        (["Upload-Length: 3", "Upload-Defer-Length: 1"], 400), (["Upload-Defer-Length: 2"], 400),
        (["Upload-Length: 2000"], 413), (["Upload-Length: 9223372036854775808"], 400),
        (["Upload-Length: 3", "Upload-Metadata: filename !"], 400),
        (["Upload-Length: 3", "Upload-Metadata: a YQ==,a YQ=="], 400),
        // "a\nb" and "a\0b"
        (["Upload-Length: 3", "Upload-Metadata: filename YQpi"], 400),
        (["Upload-Length: 3", "Upload-Metadata: name YQBi"], 400),
        (["Upload-Length: 3", "Upload-Metadata: note " + String(repeating: "YWFh", count: 2304)], 431),
        (["Upload-Length: 3", "Upload-Concat: whole"], 400), (["Upload-Concat: final;/files/0"], 400),
        (["Upload-Length: 3", "Upload-Concat: final;/files/0"], 400),
        (["Upload-Concat: final;/files/0123456789abcdef0123456789abcdef"], 400),
    ])
    func badCreationsLeaveNothing(fields: [String], status: Int) async throws {
        try await ServedFolder.with({ configuration, _ in configuration.limits.uploadBytes = 1000 }) {
            (folder) async throws in
            let answer = try await folder.curl(
                "/files", ["-X", "POST", "-H", "Tus-Resumable: 1.0.0"] + fields.flatMap { ["-H", $0] })
            #expect(answer.status == status, "\(answer.text)")
            #expect(answer.headers["tus-resumable"] == "1.0.0")
            #expect(try folder.unfinished().isEmpty && folder.tree().isEmpty)
        }
    }

    @Test(arguments: [
        ("-1", 400), ("x", 400), ("", 400), ("3.0", 400), ("2", 409), ("4", 409), ("999999999999999999999", 400),
    ])
    func badOffsetsChangeNothing(offset: String, status: Int) async throws {
        try await ServedFolder.with { (folder) async throws in
            let location = try await folder.createTus("/files", "Upload-Length: 6")
            #expect(try await folder.appendTus(location, at: "0", "one").status == 204)
            #expect(try await folder.appendTus(location, at: offset, "two").status == status)
            #expect(try await folder.appendTus(location, at: "3", "more than that").status == 400)
            #expect(try await folder.state(location, "Tus-Resumable: 1.0.0").headers["upload-offset"] == "3")
        }
    }

    @Test func anUnknownVersionIsRefused() async throws {
        try await ServedFolder.with { (folder) async throws in
            let answer = try await folder.curl(
                "/files", "-X", "POST", "-H", "Tus-Resumable: 2.0.0", "-H", "Upload-Length: 3")
            #expect(answer.status == 412 && answer.headers["tus-version"] == "1.0.0")
        }
    }
}
