// SPDX-License-Identifier: MIT

import Foundation
import Testing
import TransferModel
import TransferTesting

@testable import FileServer

/// The IETF draft.
struct ResumableUploadTests {
    @Test func anUploadInPartsIsStoredLikeAPlainOne() async throws {
        try await ServedFolder.with { (folder) async throws in
            let location = try await folder.create(
                "/files", "Upload-Length: 6", "Content-Disposition: attachment; filename*=UTF-8''%E5%86%99.txt")
            let state = try await folder.state(location)
            #expect(state.status == 204 && state.headers["cache-control"] == "no-store")
            #expect(state.headers["upload-offset"] == "0" && state.headers["upload-length"] == "6")
            #expect(state.headers["upload-limit"]?.contains("max-age=") == true)
            let first = try await folder.append(location, at: 0, "one", complete: false)
            #expect(first.status == 204 && first.headers["upload-complete"] == "?0")
            #expect(try folder.tree().isEmpty)
            let last = try await folder.append(location, at: 3, "two", complete: true)
            #expect(last.status == 201 && last.headers["upload-complete"] == "?1")
            let stored = try #require(last.headers["location"])
            #expect(stored == location + "/%E5%86%99.txt")
            let read = try await folder.curl(stored)
            #expect(read.text == "onetwo" && read.headers["etag"] == last.headers["etag"])
            #expect(read.headers["repr-digest"] == last.headers["repr-digest"])
            let end = try await folder.state(location)
            #expect(end.headers["upload-complete"] == "?1" && end.headers["upload-offset"] == "6")
            // The response was lost: the client repeats the empty end.
            for _ in 0..<2 {
                let repeated = try await folder.append(location, at: 6, "", complete: true)
                #expect(repeated.status == 201 && repeated.headers["location"] == stored)
                #expect(repeated.headers["etag"] == last.headers["etag"])
                try await folder.restart()
            }
            let listing = try JSONDecoder().decode(FileQListing.self, from: try await folder.curl("/files").body)
            #expect(listing.files.map(\.size) == [6] && listing.files.first?.name == "写.txt")
        }
    }

    @Test(arguments: [10, 9, 8, 6, 5, 3]) func everyVersionGetsItsOwnFields(version: Int) async throws {
        try await ServedFolder.with({ configuration, _ in configuration.limits.uploadBytes = 1000 }) {
            (folder) async throws in
            let (incomplete, complete) =
                version == 3
                ? ("Upload-Incomplete: ?1", "Upload-Incomplete: ?0") : ("Upload-Complete: ?0", "Upload-Complete: ?1")
            let (number, name) = (
                "Upload-Draft-Interop-Version: \(version)", incomplete.split(separator: ":")[0].lowercased()
            )
            let created = try await folder.send(
                "PUT", "/x", "one", [incomplete, number, "Content-Type: application/octet-stream"])
            #expect(created.status == 201 && created.headers[name] == String(incomplete.suffix(2)))
            #expect(created.log.contains("HTTP/1.1 104 Upload Resumption Supported"))
            #expect(created.log.contains("< \(number)"))
            let key = version >= 8 ? "max-age" : version == 6 ? "expires" : nil
            #expect(
                created.headers["upload-limit"]?.contains("max-size=1000, \(key ?? "-")=") == (key != nil ? true : nil))
            let location = try #require(created.headers["location"])
            #expect(created.headers["upload-offset"] == "3")
            let state = try await folder.state(location, number)
            #expect(state.status == 204 && state.headers[name] == String(incomplete.suffix(2)))
            // A question states nothing.
            for field in ["Upload-Offset: 3", incomplete] {
                #expect(try await folder.state(location, number, field).status == 400)
            }
            let type = version >= 6 ? "Content-Type: application/partial-upload" : "Content-Type: text/plain"
            let wrong = try await folder.send("PATCH", location, "two", [number, type, "Upload-Offset: 1", incomplete])
            #expect(wrong.status == 409 && wrong.headers["upload-offset"] == "3")
            #expect((UploadProblemDetails(parsing: wrong.body)?.expectedOffset == 3) == (version >= 6))
            let middle = try await folder.send(
                "PATCH", location, "two", [number, type, "Upload-Offset: 3", incomplete])
            #expect(middle.status == (version >= 8 ? 204 : 201) && middle.headers["upload-offset"] == "6")
            let last = try await folder.send("PATCH", location, "!", [number, type, "Upload-Offset: 6", complete])
            #expect(last.status == 201 && last.headers[name] == String(complete.suffix(2)))
            #expect(try folder.content("x") == "onetwo!")
            let again = try await folder.send("PATCH", location, "", [number, type, "Upload-Offset: 7", complete])
            #expect(again.status == (version >= 8 ? 201 : 400))
            let more = try await folder.send("PATCH", location, "x", [number, type, "Upload-Offset: 7", complete])
            #expect(more.status == 400)
            // A refusal by the protocol is not the response of the target.
            #expect(again.headers[name] == String((version >= 8 ? complete : incomplete).suffix(2)))
            #expect(more.headers[name] == String(incomplete.suffix(2)))
            let early = try await folder.send("PATCH", location, "x", [number, type, "Upload-Offset: 3", complete])
            #expect(early.status == (version >= 8 ? 409 : 400))
            #expect(early.headers[name] == String(incomplete.suffix(2)))
        }
    }

    @Test func oneRequestWithEverything() async throws {
        try await ServedFolder.with { (folder) async throws in
            try folder.write("x", "old")
            let answer = try await folder.put(
                "/x", "new", "-H", "Upload-Complete: ?1", "-H", "Upload-Draft-Interop-Version: 8")
            #expect(answer.status == 204 && answer.headers["upload-complete"] == "?1")
            #expect(answer.log.contains("< HTTP/1.1 104"))
            #expect(try folder.content("x") == "new")
            // No version, no 104: a plain upload.
            for fields in [["Upload-Complete: ?1"], ["Upload-Complete: ?1", "Upload-Draft-Interop-Version: 7"]] {
                let plain = try await folder.put("/y", "y", fields.flatMap { ["-H", $0] })
                #expect([201, 204].contains(plain.status) && !plain.log.contains("< HTTP/1.1 104"))
                #expect(plain.headers["upload-complete"] == nil)
            }
            // But never part of a file as the file.
            let part = try await folder.put(
                "/z", "z", "-H", "Upload-Complete: ?0", "-H", "Upload-Draft-Interop-Version: 7")
            #expect(part.status == 400 && part.text.contains("10, 9, 8, 6, 5, 3"))
            #expect(part.headers["upload-draft-interop-version"] == "10")
            #expect(try folder.tree() == ["x", "y"])
        }
    }

    /// Servers announce what they take to a version that they know.
    @Test func announcesWhatItTakesInTheVersionOfTheQuestion() async throws {
        try await ServedFolder.with({ configuration, _ in configuration.limits.uploadBytes = 1000 }) {
            (folder) async throws in
            for (version, status, key) in [("10", 204, "max-age="), ("6", 204, "expires="), ("7", 400, nil)] {
                let number = "Upload-Draft-Interop-Version: \(version)"
                let answer = try await folder.curl("/x", "-X", "OPTIONS", "-H", number)
                #expect(answer.status == status)
                #expect(answer.headers["upload-draft-interop-version"] == (status == 204 ? version : "10"))
                #expect(key.map { answer.headers["upload-limit"]?.contains($0) == true } ?? true)
            }
            let large = try await folder.send(
                "PUT", "/x", String(repeating: "x", count: 1001),
                ["Upload-Complete: ?1", "Upload-Draft-Interop-Version: 10"])
            #expect(large.status == 413 && large.headers["upload-limit"]?.contains("max-size=1000") == true)
        }
    }

    /// By the draft, that is the end of the upload.
    @Test func contentBeyondTheLengthEndsTheUpload() async throws {
        try await ServedFolder.with { (folder) async throws in
            let location = try await folder.create("/files", "Upload-Length: 5")
            #expect(try await folder.append(location, at: 0, "12345", complete: false).status == 204)
            let more = try await folder.append(location, at: 5, "6", complete: false)
            #expect(more.status == 400 && more.headers["upload-complete"] == "?0")
            #expect(UploadProblemDetails(parsing: more.body)?.kind == .inconsistentLength)
            for _ in 0..<2 {
                #expect(try await folder.state(location).status == 410)
                try await folder.restart()
            }
            // Not by tus, whose uploads end with their length.
            let tus = try await folder.createTus("/files", "Upload-Length: 5")
            #expect(try await folder.appendTus(tus, at: "0", "123").status == 204)
            #expect(try await folder.appendTus(tus, at: "3", "456").status >= 400)
            #expect(try await folder.appendTus(tus, at: "3", "45").status == 204)
        }
    }

    /// The proxy may have a path in front: `https://example.org/up/a/x`. Of the last three, it adds nothing.
    @Test(arguments: [
        "X-Forwarded-For: 10.0.0.1", "X-Forwarded-Prefix: /up", "Via: 1.1 proxy", "Forwarded: by=x",
        "Host: 127.0.0.1:1", "User-Agent: fileq/1", "Origin: http://127.0.0.1",
    ]) func behindAProxyReferencesAreRelative(_ sign: String) async throws {
        try await ServedFolder.with { (folder) async throws in
            let sign = sign.hasPrefix("Origin") ? sign + ":\(folder.server.port)" : sign
            let fields = ["Upload-Complete: ?0", "Upload-Draft-Interop-Version: 10", sign]
            let created = try await folder.send("PUT", "/a/x", "one", fields)
            let location = try #require(created.headers["location"])
            #expect(location.hasPrefix("../files/"))
            // The interim response and the final one.
            #expect(created.log.components(separatedBy: "< Location: \(location)").count == 3, "\(created.log)")
            let last = try await folder.append(String(location.dropFirst(2)), at: 3, "two", complete: true, sign)
            #expect(last.status == 201 && last.headers["location"] == "../a/x")
        }
    }

    @Test func referencesAreAbsolutePathsOtherwise() async throws {
        try await ServedFolder.with { (folder) async throws in
            let parts = try await folder.createTus("/files", "Upload-Concat: partial", "Upload-Length: 3")
            #expect(parts.hasPrefix("/files/"))
            #expect(try await folder.appendTus(parts, at: "0", "one").status == 204)
            let joined = try await folder.curl(
                "/", "-X", "POST", "-H", "Tus-Resumable: 1.0.0", "-H", "Upload-Metadata: filename eA==", "-H",
                "Upload-Concat: final;https://example.org/up\(parts)")
            #expect(joined.status == 201)
        }
    }

    @Test(arguments: [
        ("/x", "/files/1", "./files/1"), ("/a/x?y=/z", "/files/1", "../files/1"), ("/a/b/", "/a/b/c", "../../a/b/c"),
        ("/x", "/a:b", "./a:b"), ("http://host/a/x", "/files/1", "../files/1"), ("*", "/x", "./x"),
    ]) func referencesLeadToTheRoot(target: String, path: String, reference: String) {
        #expect(RelativeLocation.reference(to: path, from: target) == reference)
    }

    @Test func theStoredFileOfAnUploadIsComplete() async throws {
        try await ServedFolder.with { (folder) async throws in
            let whole = try await folder.curl("/files", "-H", "Upload-Complete: ?1", "-d", "whole")
            let stored = try #require(whole.headers["location"])
            let state = try await folder.state(stored)
            #expect(state.headers["upload-complete"] == "?1" && state.headers["upload-offset"] == "5")
        }
    }

    /// However few bytes arrived, and although no further ones arrive.
    @Test func reportsProgressByATimer() async throws {
        try await ServedFolder.with({ configuration, _ in configuration.limits.progressSeconds = 0.05 }) {
            (folder) async throws in
            let raw = try RawConnection(port: folder.server.port)
            await raw.send(
                "PUT /x HTTP/1.1\r\nHost: localhost\r\nUpload-Complete: ?1\r\nUpload-Draft-Interop-Version: 8\r\n"
                    + "Content-Length: 2000000\r\n\r\n")
            #expect(await raw.receive(until: "\r\n\r\n").hasPrefix("HTTP/1.1 104"))
            let bytes = sampleBytes(2_000_000)
            var sent = 0
            for next in [10, 900_000, 1_000_001] {
                await raw.send(bytes[sent..<next])
                sent = next
                var offset = 0
                while offset < sent {
                    let report = await raw.receive(until: "\r\n\r\n")
                    #expect(report.hasPrefix("HTTP/1.1 104 Upload Resumption Supported\r\n"))
                    let found = try #require(report.matches(of: /Upload-Offset: (\d+)\r\n/).last.flatMap { Int($0.1) })
                    #expect(found > offset && found <= sent)
                    offset = found
                }
            }
            await raw.send(bytes.dropFirst(sent))
            await raw.finishSending()
            #expect(await raw.receive().contains("HTTP/1.1 201"))
            #expect(try Data(contentsOf: folder.root.appendingPathComponent("x")) == bytes)
        }
    }

    @Test(arguments: [
        (["Upload-Offset: -1"], 400), (["Upload-Offset: x"], 400), (["Upload-Offset: 3.0"], 400), ([], 400),
        (["Upload-Offset: 3", "Upload-Offset: 3"], 400), (["Upload-Offset: 1000000000000000"], 400),
        (["Upload-Offset: 0"], 409), (["Upload-Offset: 2"], 409), (["Upload-Offset: 4"], 409),
        (["Upload-Offset: 999999999999999"], 409), (["Upload-Offset: 3", "Upload-Length: 9"], 400),
        (["Upload-Offset: 3", "Upload-Length: 2"], 400), (["Upload-Offset: 3", "Upload-Complete: 1"], 400),
        (["Upload-Offset: 3", "Upload-Complete;"], 400), (["Upload-Offset: 3", "Upload-Complete: ?1"], 400),
        (["Upload-Offset: 3", "Content-Type: text/plain"], 415),
        (["Upload-Offset: 3", "Upload-Draft-Interop-Version: 7"], 400),
        (["Upload-Offset: 3", "Content-Digest: sha-256"], 400),
        (["Upload-Offset: 3", "Content-Digest: sha-256=:dpLDrTVAu4A8Ags67mbNiIcSMjTqDG5xQ8Ct1z/0Me0=:"], 400),
        (["Upload-Offset: 3", "Content-Digest: sha-256=:dpLDrTVAu4A=:"], 400),
        (["Upload-Offset: 3", "Content-Encoding: gzip"], 415),
        (["Upload-Offset: 3", "Content-Range: bytes 3-5/8"], 400), (["Upload-Offset: 3", "Tus-Resumable: 0.2.2"], 412),
        (["Upload-Offset: 3", "Content-Type: application/offset+octet-stream"], 412),
    ])
    func badAppendsChangeNothing(fields: [String], status: Int) async throws {
        try await ServedFolder.with { (folder) async throws in
            let location = try await folder.create("/files", "Upload-Length: 8")
            #expect(try await folder.append(location, at: 0, "one", complete: false).status == 204)
            var all = fields
            for usual in ["Content-Type: application/partial-upload", "Upload-Complete: ?0"] {
                let name = usual.prefix { $0 != ":" }
                if !fields.contains(where: { $0.hasPrefix(name) }) { all.append(usual) }
            }
            let answer = try await folder.send(
                "PATCH", location, "two", all)
            #expect(answer.status == status, "\(answer.text)")
            let state = try await folder.state(location)
            #expect(state.headers["upload-offset"] == "3" && state.headers["upload-complete"] == "?0")
            let rest = try await folder.append(location, at: 3, "tw3!!", complete: true, "Content-Encoding: identity")
            #expect(rest.status == 201)
            #expect(try await folder.curl(location + "/upload").text == "onetw3!!")
        }
    }

    @Test func chunksBeyondTheLengthEndTheUpload() async throws {
        try await ServedFolder.with { (folder) async throws in
            let location = try await folder.create("/files", "Upload-Length: 5")
            let answer = try await folder.append(
                location, at: 0, "too long", complete: false, "Transfer-Encoding: chunked")
            #expect(answer.status == 400)
            #expect(try await folder.state(location).status == 410)
            #expect(try await folder.append(location, at: 0, "fits!", complete: true).status == 410)
            #expect(try folder.unfinished().allSatisfy { $0.hasSuffix(".json") })
            #expect(try folder.tree().isEmpty)
        }
    }

    /// No response names the upload: 104 comes only once the creation is accepted.
    @Test func refusedCreationsLeaveNothing() async throws {
        try await ServedFolder.with({ configuration, _ in configuration.limits.appendBytes = 100 }) {
            (folder) async throws in
            try folder.write("there", "old")
            let (ietf, tus) = ("Upload-Draft-Interop-Version: 8", "Tus-Resumable: 1.0.0")
            let type = "Content-Type: application/offset+octet-stream"
            let long = String(repeating: "x", count: 101)
            for (method, path, content, fields, status) in [
                ("PUT", "/x", "one", [ietf, "Upload-Complete: ?1", "Upload-Length: 10"], 400),
                ("PUT", "/x", "one", [ietf, "Upload-Complete: ?0", "Upload-Length: 2"], 400),
                ("PUT", "/x", long, [ietf, "Upload-Complete: ?1"], 413),
                ("POST", "/", "one", [ietf, "Upload-Complete: ?0", "Content-Disposition: a; filename=there"], 412),
                ("POST", "/files", "one", [tus, type, "Upload-Length: 2"], 400),
                (
                    "POST", "/files", "one", [tus, type, "Upload-Length: 3", "Upload-Checksum: md5 \(Self.md5OfTwo)"],
                    460
                ),
            ] as [(String, String, String, [String], Int)] {
                let answer = try await folder.send(method, path, content, fields)
                #expect(answer.status == status, "\(fields): \(answer.text)")
                #expect(!answer.log.contains("HTTP/1.1 104"))
                #expect(try folder.unfinished().isEmpty, "\(fields)")
            }
            #expect(try folder.tree() == ["there"])
        }
    }

    private static let md5OfTwo = "uKn3Fdu2T9XFbneDxoIKYQ=="

    @Test func aCancelledUploadIsGone() async throws {
        try await ServedFolder.with { (folder) async throws in
            let location = try await folder.create()
            #expect(try await folder.append(location, at: 0, "one", complete: false).status == 204)
            #expect(try await folder.curl(location, "-X", "DELETE").status == 204)
            #expect(try await folder.state(location).status == 404)
            #expect(try await folder.curl(location, "-X", "DELETE").status == 404)
            #expect(try folder.unfinished().isEmpty && folder.tree().isEmpty)
        }
    }

    @Test func digestsOfTheRepresentationAreVerified() async throws {
        try await ServedFolder.with { (folder) async throws in
            // SHA-256 of "one".
            let digest = "sha-256=:dpLDrTVAu4A8Ags67mbNiIcSMjTqDG5xQ8Ct1z/0Me0=:"
            for (content, status) in [("one", 201), ("two", 422)] {
                let location = try await folder.create(
                    "/", "Repr-Digest: \(digest)", "Content-Disposition: a; filename=\(content)")
                #expect(
                    try await folder.append(location, at: 0, String(content.prefix(1)), complete: false).status == 204)
                try await folder.restart()
                let answer = try await folder.append(location, at: 1, String(content.dropFirst()), complete: true)
                #expect(answer.status == status && answer.headers["upload-complete"] == "?1")
                #expect(try await folder.state(location).status == (status == 201 ? 204 : 410))
            }
            #expect(try folder.tree() == ["one"])
            let part = try await folder.create("/files")
            let right = try await folder.append(part, at: 0, "one", complete: false, "Content-Digest: \(digest)")
            #expect(right.status == 204)
            let wrong = try await folder.append(part, at: 3, "two", complete: true, "Content-Digest: \(digest)")
            #expect(wrong.status == 400 && wrong.headers["upload-offset"] == "3")
            #expect(wrong.headers["upload-complete"] == "?0")
            #expect(UploadProblemDetails(parsing: wrong.body)?.kind == .mismatchingDigest)
            // Nor do its bytes count after a restart.
            try await folder.restart()
            #expect(try await folder.state(part).headers["upload-offset"] == "3")
            let again = try await folder.append(part, at: 3, "one", complete: true, "Content-Digest: \(digest)")
            #expect(again.status == 201)
            #expect(try await folder.curl(part + "/upload").text == "oneone")
        }
    }

    /// Of content with a digest that is not sent to its end, no byte counts.
    @Test func contentWithADigestCountsAsAWhole() async throws {
        try await ServedFolder.with { (folder) async throws in
            let part = try await folder.create("/files")
            let raw = try RawConnection(port: folder.server.port)
            await raw.send(
                "PATCH \(part) HTTP/1.1\r\nHost: localhost\r\nUpload-Draft-Interop-Version: 8\r\n"
                    + "Content-Type: application/partial-upload\r\nUpload-Offset: 0\r\nUpload-Complete: ?1\r\n"
                    + "Content-Digest: sha-256=:dpLDrTVAu4A8Ags67mbNiIcSMjTqDG5xQ8Ct1z/0Me0=:\r\n"
                    + "Content-Length: 3\r\n\r\non")
            await raw.finishSending()
            #expect(!(await raw.receive().contains("HTTP/1.1 2")))
            let state = try await folder.state(part)
            #expect(state.headers["upload-offset"] == "0" && state.headers["upload-complete"] == "?0")
        }
    }

    @Test(arguments: [10, 9, 8, 6, 5, 3]) func everyVersionHasTheProblemOfADigest(version: Int) async throws {
        try await ServedFolder.with { (folder) async throws in
            let (number, incomplete) = (
                "Upload-Draft-Interop-Version: \(version)",
                version == 3 ? "Upload-Incomplete: ?1" : "Upload-Complete: ?0"
            )
            let digest = "Content-Digest: sha-256=:dpLDrTVAu4A8Ags67mbNiIcSMjTqDG5xQ8Ct1z/0Me0=:"
            let created = try await folder.send("PUT", "/x", "two", [number, incomplete, digest])
            #expect(created.status == 400 && UploadProblemDetails(parsing: created.body)?.kind == .mismatchingDigest)
            let empty = try await folder.send("PUT", "/x", "", [number, incomplete])
            let location = try #require(empty.headers["location"])
            let type = "Content-Type: application/partial-upload"
            let fields = [number, incomplete, type, "Upload-Offset: 0", digest]
            let wrong = try await folder.send("PATCH", location, "two", fields)
            #expect(wrong.status == 400 && UploadProblemDetails(parsing: wrong.body)?.kind == .mismatchingDigest)
            #expect(try await folder.send("PATCH", location, "one", fields).headers["upload-offset"] == "3")
        }
    }

    @Test(arguments: [true, false]) func digestsWithSHA512AreVerified(restarts: Bool) async throws {
        try await ServedFolder.with { (folder) async throws in
            // Of "one".
            let right =
                "sha-512=:BfcDQQeKz2oG1CPSFyD5ZD1flTYm2IoCY23DqeeVgq6wyCCFf9P43FAqqDYNLI+pephf2ltim4CcrRj/ti04mQ==:"
            for (folderPath, content, status) in [("/", "one", 201), ("/", "two", 422), ("/files", "two", 422)] {
                let location = try await folder.create(
                    folderPath, "Repr-Digest: \(right)", "Content-Disposition: a; filename=\(content)")
                let part = try await folder.append(location, at: 0, String(content.prefix(1)), complete: false)
                #expect(part.status == 204)
                if restarts { try await folder.restart() }
                let answer = try await folder.append(location, at: 1, String(content.dropFirst()), complete: true)
                #expect(answer.status == status, "\(answer.text)")
                #expect(answer.headers["repr-digest"] == (status == 201 ? right : nil))
            }
            // The bytes are not those that were sent, or not those that were meant.
            for (name, status) in [("Repr-Digest", 422), ("Content-Digest", 400)] {
                let whole = try await folder.put(
                    "/whole", "two", "-H", "\(name): \(right)", "-H", "Upload-Complete: ?1", "-H",
                    "Upload-Draft-Interop-Version: 8")
                #expect(whole.status == status && whole.headers["upload-complete"] == "?1")
                #expect((UploadProblemDetails(parsing: whole.body)?.kind == .mismatchingDigest) == (status == 400))
            }
            #expect(try folder.tree() == ["one"])
        }
    }

    @Test func conditionsHoldAtTheEnd() async throws {
        try await ServedFolder.with { (folder) async throws in
            let fields = ["Upload-Complete: ?0", "Upload-Draft-Interop-Version: 8", "If-None-Match: *"]
            let location = try #require(try await folder.send("PUT", "/x", "one", fields).headers["location"])
            try folder.write("x", "other")
            try await folder.restart()
            let answer = try await folder.append(location, at: 3, "two", complete: true)
            #expect(answer.status == 412 && answer.headers["upload-complete"] == "?1")
            #expect(try folder.content("x") == "other")
            #expect(try await folder.send("PUT", "/x", "one", fields).status == 412)
            // A folder keeps what it has.
            let post = try await folder.curl(
                "/", "-X", "POST", "-H", "Upload-Complete: ?0", "-H", "Content-Disposition: a; filename=x", "-d", "")
            #expect(post.status == 412)
            #expect(try folder.unfinished().filter { !$0.hasSuffix(".json") }.isEmpty)
        }
    }

    @Test func anObstacleLeavesTheBytes() async throws {
        try await ServedFolder.with { (folder) async throws in
            let fields = ["Upload-Complete: ?0", "Upload-Draft-Interop-Version: 8"]
            let location = try #require(try await folder.send("PUT", "/a/x", "one", fields).headers["location"])
            try folder.write("a", "in the way")
            let refused = try await folder.append(location, at: 3, "two", complete: true)
            #expect(refused.status == 409 && refused.headers["upload-complete"] == "?0")
            #expect(refused.headers["upload-offset"] == "6")
            try FileManager.default.removeItem(at: folder.root.appendingPathComponent("a"))
            #expect(try await folder.append(location, at: 6, "", complete: true).status == 201)
            #expect(try folder.content("a/x") == "onetwo")
        }
    }

    @Test(arguments: [
        ("../../x", "x"), (".fileq-server", "_fileq-server"), ("a\\b", "a_b"), ("写", "写"), ("-rf", "_-rf"),
        ("a\u{1B}[31m\r\nb", "a_[31m__b"),
        (String(repeating: "n", count: 9216) + ".txt", String(repeating: "n", count: 234) + "~85c6417fa753c6a3.txt"),
    ])
    func namesAreSanitized(proposed: String, name: String) async throws {
        try await ServedFolder.with { (folder) async throws in
            let location = try await folder.create(
                "/", "Content-Disposition: attachment; filename*=UTF-8''\(PercentCoding.encode(proposed))")
            #expect(try await folder.append(location, at: 0, "x", complete: true).status == 201)
            #expect(try folder.tree() == [name])
        }
    }

    @Test func aNameIsOptional() async throws {
        try await ServedFolder.with { (folder) async throws in
            for (path, stored) in [("/", "/unnamed"), ("/files", "/upload")] {
                let location = try await folder.create(path)
                let answer = try await folder.append(location, at: 0, "one", complete: true)
                #expect(answer.status == 201 && answer.headers["location"]?.hasSuffix(stored) == true)
            }
            #expect(try folder.content("unnamed") == "one")
            #expect(try await folder.send("POST", "/", "", ["Upload-Complete: ?0"]).status == 412)
        }
    }

    @Test func theServersOwnNamesAreRefused() async throws {
        try await ServedFolder.with { (folder) async throws in
            for name in ["files", "upload", "session"] {
                let answer = try await folder.curl(
                    "/", "-X", "POST", "-H", "Upload-Complete: ?0", "-H", "Content-Disposition: a; filename=\(name)",
                    "-d", "")
                #expect([404, 409].contains(answer.status))
            }
            #expect(try await folder.curl("/", "-X", "POST", "-d", "x").status == 400)
            #expect(try folder.tree().isEmpty)
        }
    }

    @Test func missingFoldersAreMadeAsForPUT() async throws {
        try await ServedFolder.with { (folder) async throws in
            let location = try await folder.createTus("/new/er/", "Upload-Length: 3", "Upload-Metadata: filename eA==")
            #expect(try folder.tree().isEmpty)
            #expect(try await folder.appendTus(location, at: "0", "one").status == 204)
            #expect(try await folder.curl("/new/er/x").text == "one")
            try folder.write("file", "x")
            let inFile = try await folder.curl("/file/", "-X", "POST", "-H", "Upload-Complete: ?0", "-d", "")
            #expect([404, 409].contains(inFile.status))
        }
    }

    @Test func aFileQUploadIsStoredOnce() async throws {
        try await ServedFolder.with { (folder) async throws in
            let sid = try await folder.issueSID()
            let cookies = FileQCookies(
                sid: sid, upload: UploadTests.uuid, name: "a.txt", size: 6, modified: 1_000_000_000,
                metadata: [.init(name: "album", value: "夏")])
            let field = try "Cookie: \(CookieHeader.print(cookies.cookies()))"
            let fields = [field, "Upload-Complete: ?0", "Upload-Draft-Interop-Version: 8"]
            let abandoned = try #require(try await folder.send("POST", "/upload", "one", fields).headers["location"])
            // The client does not know that URL: it begins again.
            let location = try #require(try await folder.send("POST", "/upload", "one", fields).headers["location"])
            #expect(try await folder.state(abandoned).status == 404)
            #expect(try await folder.state(location).headers["upload-length"] == "6")
            let last = try await folder.append(location, at: 3, "two", complete: true)
            #expect(last.status == 201)
            let repeated = try await folder.send(
                "POST", "/upload", "onetwo", [field, "Upload-Complete: ?1", "Upload-Draft-Interop-Version: 8"])
            #expect(repeated.status == 200 && repeated.headers["location"] == last.headers["location"])
            #expect(repeated.headers["upload-complete"] == "?1")
            let files = try JSONDecoder().decode(FileQListing.self, from: try await folder.curl("/files").body).files
            #expect(files.count == 1 && files[0].modified == 1_000_000_000 && files[0].metadata == cookies.metadata)
        }
    }

    @Test func announcesItsLimits() async throws {
        try await ServedFolder.with({ configuration, _ in configuration.limits.uploadBytes = 1000 }) {
            (folder) async throws in
            for path in ["/", "/files", "/x", "/upload"] {
                let answer = try await folder.curl(path, "-X", "OPTIONS")
                #expect(answer.status == 204)
                #expect(answer.headers["upload-limit"] == "max-size=1000, max-age=604800")
                #expect(answer.headers["tus-version"] == "1.0.0" && answer.headers["tus-max-size"] == "1000")
            }
            let location = try await folder.create()
            let answer = try await folder.curl(location, "-X", "OPTIONS")
            #expect(answer.headers["accept-patch"]?.contains("application/partial-upload") == true)
        }
    }
}
