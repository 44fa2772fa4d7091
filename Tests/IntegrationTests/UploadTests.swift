// SPDX-License-Identifier: MIT

import Foundation
import Glibc
import HTTPTypes
import SessionCore
import Testing
import TransferModel
import TransferTesting

extension Integration {
    /// Streams, folders, lists and FileQ uploads.
    @Suite(.serialized) struct UploadTests {
        /// Connections wait until descriptors are free again, and the server idles meanwhile.
        @Test func survivesAShortageOfDescriptors() async throws {
            try await Stage.with { stage in
                let server = try await stage.serve(.fileq)
                let script = ServerProgram.package.appending(path: "Tests/remote/descriptors.py").path
                let outcome = try await stage.shell(
                    "python3 -B '\(script)' '\(server.url(""))' - \(server.process.child.pid)", within: 120)
                #expect(outcome.exit == 0 && outcome.text == "shortage ok\n", "\(outcome)")
            }
        }

        @Test(arguments: ServerKind.present) func transfersThroughPipes(_ kind: ServerKind) async throws {
            try await Stage.with { stage in
                let server = try await stage.serve(kind)
                try Files.fill(stage.path("file"), 5_000_000)
                let sent = try await stage.shell("cat file | \"$FILEQ\" put - '\(server.url("there"))'")
                #expect(sent.exit == 0, "\(sent)")
                #expect(Files.same(stage.path("file"), server.file("there")))
                let got = try await stage.shell("\"$FILEQ\" get -q -o - '\(server.url("there"))' | cmp - file")
                #expect(got.exit == 0, "\(got)")
                #expect(stage.names == ["file"])
            }
        }

        @Test func aClosedReaderEndsTheDownload() async throws {
            try await Stage.with { stage in
                let server = try await stage.serve(.fileq)
                try Files.fill(server.file("big.bin"), 32 << 20)
                let outcome = try await stage.shell(
                    "\"$FILEQ\" get -q -o - '\(server.url("big.bin"))' | head -c 1000 | wc -c")
                #expect(outcome.exit == 23, "\(outcome)")
                #expect(outcome.text.contains("1000"))
            }
        }

        @Test(arguments: ServerKind.present) func uploadsAFolderWithItsPaths(_ kind: ServerKind) async throws {
            try await Stage.with { stage in
                let server = try await stage.serve(kind)
                let names = ["写真/夏祭り.jpg", "写真/京都 2025年春/清水寺 #1?.png", "写真/空.txt", "写真/a%20b;c&d.bin"]
                for name in names { _ = try stage.makeFolder((stage.path(name) as NSString).deletingLastPathComponent) }
                for (index, name) in names.enumerated() {
                    try Files.fill(stage.path(name), index * 40_000, seed: UInt64(index + 1))
                }
                symlink("/etc/passwd", stage.path("写真/link"))

                let outcome = try await stage.fileq("put", "-r", "写真", server.url(""))
                #expect(outcome.exit == 0, "\(outcome)")
                for name in names { #expect(Files.same(stage.path(name), server.file(name)), "\(name)") }
                #expect(!Files.exists(server.file("写真/link")))

                // And back, from a list, several at once.
                let list = names.map {
                    server.url(
                        $0.addingPercentEncoding(withAllowedCharacters: .alphanumerics.union(.init(charactersIn: "/")))!
                    )
                }
                try stage.write(list.joined(separator: "\n") + "\n", to: "list")
                _ = try stage.makeFolder(stage.path("back"))
                let back = try await stage.fileq("get", "-i", "list", "-j", "3", "-d", "back")
                #expect(back.exit == 0, "\(back)")
                for name in names {
                    #expect(
                        Files.same(stage.path(name), stage.path("back/\((name as NSString).lastPathComponent)")),
                        "\(name)")
                }
            }
        }

        @Test func limitsConcurrentTransfersOfAList() async throws {
            try await Stage.with { stage in
                // Three answers wait until all three have been asked for: fewer at once would never get one.
                let asked = Arrivals()
                let server = try stage.server { connection, _ in
                    guard connection.readHead() != nil else { return }
                    asked.arrive()
                    let came = eventually { asked.count >= 3 }
                    connection.answer(came ? "200 OK" : "500 Not At Once", ["Connection: close"], body: Array("x".utf8))
                }
                try stage.write((1...6).map { server.url("/\($0)") }.joined(separator: "\n"), to: "list")
                let outcome = try await stage.fileq("get", "-q", "--retry", "0", "-i", "list", "-j", "3")
                #expect(outcome.exit == 0, "\(outcome)")
                #expect(stage.names == ["1", "2", "3", "4", "5", "6", "list"])
            }
        }

        @Test func oneFailureDeterminesTheExitCode() async throws {
            try await Stage.with { stage in
                let server = try stage.server { connection, _ in
                    while let head = connection.readHead() {
                        if head.hasPrefix("GET /2") {
                            connection.answer("404 Not Found")
                        } else {
                            connection.answer("200 OK")
                        }
                    }
                }
                expectComplaint(
                    try await stage.fileq("get", "-q", server.url("/1"), server.url("/2"), server.url("/3")), 22, "404")
                #expect(stage.names == ["1", "3"])
            }
        }

        // MARK: FileQ

        @Test func keepsNameAndMetadataOfAFileQUpload() async throws {
            try await Stage.with { stage in
                let server = try await stage.serve(.fileq)
                try Files.fill(stage.path("夏祭り.mp4"), 3_000_000)
                try stage.write(try await stage.session(at: server) + "\n", to: "sid")
                let outcome = try await stage.fileq(
                    "put", "--sid-file", "sid", "--meta", "題=夏 の 動画", "--meta", "title=x=y", "夏祭り.mp4",
                    server.url("upload"))
                #expect(outcome.exit == 0, "\(outcome)")
                let stored = try #require(server.storedFiles().first)
                #expect(stored.hasSuffix("/夏祭り.mp4"))
                #expect(server.storedFiles().count == 1)
                #expect(Files.same(stored, stage.path("夏祭り.mp4")))
                let list = try await stage.shell("curl -sS '\(server.url("files"))'")
                #expect(list.text.contains("夏祭り.mp4"), "\(list)")
            }
        }

        @Test func requestsASessionIfMissing() async throws {
            try await Stage.with { stage in
                let server = try await stage.serve(.fileq)
                try stage.write("content", to: "file")
                let outcome = try await stage.fileq("put", "--meta", "a=b", "file", server.url("upload"))
                #expect(outcome.exit == 0, "\(outcome)")
                #expect(server.storedFiles().count == 1)
            }
        }

        /// The answer is lost on its way back; the same upload is sent again under the same key, and stored once.
        @Test func aRepeatAfterALostResponseStoresOnce() async throws {
            try await Stage.with { stage in
                let server = try await stage.serve(.fileq)
                let port = try #require(Int(server.origin.split(separator: ":")[2]))
                let relay = try stage.server { connection, number in
                    guard let head = connection.readHead() else { return }
                    if field("Expect", of: head) != nil { connection.send("HTTP/1.1 100 Continue\r\n\r\n") }
                    let length = field("Content-Length", of: head).flatMap { Int($0) } ?? 0
                    let answer = exchange(port, head, connection.readBody(length))
                    if number == 1 { connection.reset() } else { connection.send(answer) }
                }
                try Files.fill(stage.path("file"), 300_000)
                let outcome = try await stage.fileq(
                    "put", "--json", "--sid", stage.session(at: server), "file", relay.url("/upload"))
                #expect(outcome.exit == 0, "\(outcome)")
                let events = try outcome.events()
                #expect(events.contains { $0.name == "retrying" })
                #expect(events.last?.number("status") == 200)
                #expect(relay.requests.count == 2)
                let keys = relay.requests.compactMap {
                    field("Cookie", of: $0)?.firstMatch(of: /fileq-upload=([^;]+)/)?.output.1
                }
                #expect(keys.count == 2 && keys.first == keys.last)
                #expect(server.storedFiles().count == 1)
                #expect(Files.same(try #require(server.storedFiles().first), stage.path("file")))
            }
        }

        @Test func reportsAGrowingSource() async throws {
            try await Stage.with { stage in
                let path = try Files.fill(stage.path("file"), 300_000)
                let server = try stage.server { connection, _ in
                    guard let head = connection.readHead() else { return }
                    connection.send("HTTP/1.1 100 Continue\r\n\r\n")
                    _ = connection.readBody(1000)
                    Files.append(1000, to: path)
                    _ = connection.readBody((field("Content-Length", of: head).flatMap { Int($0) } ?? 0) - 1000)
                    connection.answer("201 Created")
                }
                let outcome = try await stage.fileq(
                    "put", "-q", "--limit", "600k", "--retry", "0", "file", server.url())
                expectComplaint(outcome, 26, "changed")
            }
        }

        @Test func reportsAnEarlyRefusal() async throws {
            try await Stage.with { stage in
                try Files.fill(stage.path("file"), 8 << 20)
                let server = try stage.server { connection, _ in
                    guard connection.readHead() != nil else { return }
                    connection.answer("413 Content Too Large", ["Connection: close"], body: Array("at most 1 MiB".utf8))
                    connection.waitForClose()
                }
                expectComplaint(try await stage.fileq("put", "-q", "--retry", "0", "file", server.url()), 22, "413")
                expectComplaint(
                    try await stage.fileq("put", "-q", "--retry", "0", "file", server.url()), 22, "at most 1 MiB")
            }
        }

        /// Gateways, login pages and filters answer so.
        @Test func anEarlySuccessFails() async throws {
            try await Stage.with { stage in
                try Files.fill(stage.path("file"), 20 << 20)
                let server = try stage.server { connection, _ in
                    guard connection.readHead() != nil else { return }
                    connection.answer(
                        "200 OK", ["Content-Type: text/html"], body: Array("<html>please log in</html>".utf8))
                    connection.waitWithoutReading()
                }
                defer { server.stop() }
                expectComplaint(
                    try await stage.fileq("put", "-q", "--resumable", "never", "file", server.url()), 55,
                    "returned 200 before the file was sent; the server may want a login")
                #expect(server.requests.count == 1)
                let reported = try await stage.fileq("put", "--json", "--resumable", "never", "file", server.url())
                let last = try #require(try reported.events().last)
                #expect(last.name == "failed" && last.number("total") == 20 << 20)
                expectComplaint(
                    try await stage.fileq("put", "-q", "--sid", "s", "file", server.url("/upload")), 55,
                    "before the file was sent")
            }
        }

        @Test(.needs(.nginx)) func anEarlySuccessFailsOverHTTP2() async throws {
            try await Stage.with { stage in
                try Files.fill(stage.path("file"), 20 << 20)
                let server = try await stage.nginx(
                    tls: stage.certificate(), server: ["location /login { return 200 'please log in'; }"], isHTTP2: true
                )
                let outcome = try await stage.fileq(
                    "put", "-q", "--http", "2", "--cacert", try #require(server.authority), "file", server.url("login"))
                expectComplaint(outcome, 55, "returned 200 before the file was sent")
                let stored = try await stage.fileq(
                    "put", "-q", "--http", "2", "--cacert", try #require(server.authority), "file", server.url("there"))
                #expect(stored.exit == 0, "\(stored)")
                #expect(Files.same(stage.path("file"), server.file("there")))
            }
        }

        /// A session gives the response; libcurl alone would try to send the rest until the request timeout.
        @Test(.needs(.nginx)) func aSessionGetsAResponseThatClosesTheStream() async throws {
            try await Stage.with { stage in
                let path = try Files.fill(stage.path("file"), 20 << 20)
                let server = try await stage.nginx(
                    tls: stage.certificate(), server: ["location /login { return 200 'please log in'; }"], isHTTP2: true
                )
                let authority = try #require(server.authority)
                let session = try Sessions.make()
                let request = try Sessions.request(server.url("login"), .put) {
                    $0.certificateAuthorities = authority
                    $0.httpVersion = .http2
                }
                let answer = try await session.upload(for: request, body: .file(path: path))
                #expect(answer.response.status.code == 200)
                #expect(answer.text == "please log in")
            }
        }

        @Test(.needs(.nginx)) func createsAFolderOnAWebDAVServer() async throws {
            try await Stage.with { stage in
                let server = try await stage.nginx(server: ["location /dav/ { dav_methods PUT MKCOL; }"])
                _ = try stage.makeFolder(server.file("dav"))
                let names = ["tree/a.bin", "tree/deep/er/b.bin", "tree/deep/c d.bin", "tree/deep/er/e.bin"]
                for (index, name) in names.enumerated() {
                    _ = try stage.makeFolder((stage.path(name) as NSString).deletingLastPathComponent)
                    try Files.fill(stage.path(name), 1000 + index, seed: UInt64(index + 1))
                }
                let outcome = try await stage.fileq("put", "-q", "-r", "tree", server.url("dav/"))
                #expect(outcome.exit == 0, "\(outcome)")
                for name in names { #expect(Files.same(stage.path(name), server.file("dav/\(name)")), "\(name)") }
                // One file alone is sent as it is said.
                expectComplaint(
                    try await stage.fileq("put", "-q", "--retry", "0", "tree/a.bin", server.url("dav/none/a.bin")), 22,
                    "the folder may not exist on the server")
            }
        }

        @Test(arguments: ServerKind.present) func followsARedirectedUpload(_ kind: ServerKind) async throws {
            try await Stage.with { stage in
                try Files.fill(stage.path("file"), 2_000_000)
                let place = try await stage.serve(kind)
                let target = place.url("there")
                let server = try stage.server { connection, _ in
                    guard connection.readHead() != nil else { return }
                    connection.answer("307 Temporary Redirect", ["Location: \(target)", "Connection: close"])
                    connection.waitForClose()
                }
                let outcome = try await stage.fileq("put", "-q", "file", server.url())
                #expect(outcome.exit == 0, "\(outcome)")
                #expect(Files.same(stage.path("file"), place.file("there")))
            }
        }

        @Test func readsAListFromStandardInput() async throws {
            try await Stage.with { stage in
                let server = try stage.replying("200 OK", body: "content")
                try stage.write("# two\n\(server.url("/one"))\n\n\(server.url("/two"))\n", to: "list")
                let outcome = try await stage.fileq("get", "-q", "-i", "-", input: stage.path("list"))
                #expect(outcome.exit == 0, "\(outcome)")
                #expect(stage.names == ["list", "one", "two"])
            }
        }

        @Test func reportsAShrinkingSource() async throws {
            try await Stage.with { stage in
                try Files.fill(stage.path("file"), 300_000)
                let path = stage.path("file")
                let server = try stage.server { connection, _ in
                    guard connection.readHead() != nil else { return }
                    truncate(path, 1000)
                    connection.waitForClose()
                }
                let outcome = try await stage.fileq(
                    "put", "-q", "--limit", "100k", "--retry", "0", "file", server.url())
                expectComplaint(outcome, 26, "shorter")
            }
        }
    }
}

extension Stage {
    /// A session as our server issues it.
    func session(at server: RealServer) async throws -> String {
        let outcome = try await shell("curl -sS -X POST '\(server.url("session"))'")
        let object = try JSONSerialization.jsonObject(with: outcome.output) as? [String: Any]
        return try #require(object?["sid"] as? String, "\(outcome)")
    }
}

extension RealServer {
    /// What FileQ uploads our server holds: their paths.
    func storedFiles() -> [String] {
        let below = (try? FileManager.default.subpathsOfDirectory(atPath: "\(root)/files")) ?? []
        return below.map { "\(root)/files/\($0)" }.filter {
            var isFolder: ObjCBool = false
            return FileManager.default.fileExists(atPath: $0, isDirectory: &isFolder) && !isFolder.boolValue
        }.sorted()
    }
}

/// The value of the first field of that name in a request's head.
func field(_ name: String, of head: String) -> String? {
    head.split(separator: "\r\n").dropFirst().map { $0.split(separator: ":", maxSplits: 1) }
        .first { $0[0].lowercased() == name.lowercased() }.map { $0[1].trimmingCharacters(in: .whitespaces) }
}

/// Sends a request on to a port of loopback and returns the answer whole.
private func exchange(_ port: Int, _ head: String, _ body: [UInt8]) -> [UInt8] {
    let descriptor = connectLoopback(port)
    guard descriptor >= 0 else { return [] }
    defer { close(descriptor) }
    let lines = head.split(separator: "\r\n").filter { !$0.lowercased().hasPrefix("expect:") }
    let request = Array((lines.joined(separator: "\r\n") + "\r\nConnection: close\r\n\r\n").utf8) + body
    var sent = 0
    while sent < request.count {
        let count = request[sent...].withUnsafeBytes { send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
        guard count > 0 else { return [] }
        sent += count
    }
    var answer: [UInt8] = []
    var piece = [UInt8](repeating: 0, count: 65_536)
    while true {
        let count = recv(descriptor, &piece, piece.count, 0)
        guard count > 0 else { return answer }
        answer += piece[..<count]
    }
}
