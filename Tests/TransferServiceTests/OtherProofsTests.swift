// SPDX-License-Identifier: MIT

import Testing
import TransferControl
import TransferModel
@testable import TransferService
import TransferTesting

/// Servers that do not respond to `Range` with `If-Range` as they should, although the bytes can be resumed.
@Suite(.timeLimit(.minutes(10))) struct OtherProofsTests {
    let stage: QueueStage

    init() throws {
        stage = try QueueStage { _ in
            var configuration = LocalQueue.Configuration()
            configuration.jitter = { 0 }
            return configuration
        }
    }

    private static let body = patternedBytes(300_000, seed: 1)
    private static let newer = patternedBytes(300_000, seed: 2)

    /// The first byte of the requested range.
    private static func first(_ head: String) -> Int? {
        head.firstMatch(of: /Range: bytes=(\d+)-/).flatMap { Int($0.1) }
    }

    /// Sends `count` bytes of `body` and closes, whatever it announced.
    private static func answer(
        _ connection: ScriptedConnection, from first: Int? = nil, count: Int = .max, body: [UInt8] = body,
        tag: String = "\"1\"", total: String? = nil, fields: [String] = []
    ) {
        let start = first ?? 0
        var lines = ["ETag: \(tag)", "Accept-Ranges: bytes", "Content-Length: \(body.count - start)"] + fields
        if first != nil { lines.append("Content-Range: bytes \(start)-\(body.count - 1)/\(total ?? "\(body.count)")") }
        connection.send(
            "HTTP/1.1 \(first == nil ? "200 OK" : "206 Partial Content")\r\n"
                + lines.map { $0 + "\r\n" }.joined() + "\r\n")
        _ = connection.sendIfOpen(Array(body[start...].prefix(count)))
    }

    /// Ranges with `If-Range` are ignored, and each connection breaks.
    @Test func aRangeIsRequestedWithoutItsCondition() async throws {
        let server = try ScriptedServer { connection, _ in
            guard let head = connection.readHead() else { return }
            Self.answer(connection, from: head.contains("If-Range:") ? nil : Self.first(head), count: 100_000)
        }
        let result = try await stage.end(of: stage.download(server.url()))
        #expect(result.state == .completed, "\(String(describing: result.error))")
        #expect(try stage.folder.read("out.bin") == Self.body)
        #expect(server.requests.map { Self.first($0) } == [nil, 100_000, 100_000, 200_000, 200_000])
        #expect(server.requests.map { $0.contains("If-Range:") } == [false, true, false, true, false])
    }

    /// The file changes between the two requests.
    @Test func aRangeWithoutItsConditionIsOfOneVersion() async throws {
        let server = try ScriptedServer { connection, number in
            guard let head = connection.readHead() else { return }
            switch number {
            case 1: Self.answer(connection, count: 100_000)
            case 2: Self.answer(connection)
            default: Self.answer(connection, from: Self.first(head), body: Self.newer, tag: "\"2\"")
            }
        }
        let result = try await stage.end(of: stage.download(server.url()))
        #expect(result.state == .completed, "\(String(describing: result.error))")
        #expect(try stage.folder.read("out.bin") == Self.newer)
    }

    // MARK: Redirects

    /// Each request is sent to another server, with its own entity tag.
    @Test func theServerOfTheFirstBytesIsAskedFirst() async throws {
        let mirrors = try (0..<3).map { index in
            try ScriptedServer { connection, _ in
                guard let head = connection.readHead() else { return }
                Self.answer(
                    connection, from: head.contains("If-Range: \"\(index)\"") ? Self.first(head) : nil, count: 100_000,
                    tag: "\"\(index)\"")
            }
        }
        let server = try ScriptedServer { connection, number in
            guard connection.readHead() != nil else { return }
            connection.answer("302 Found", ["Location: \(mirrors[(number - 1) % 3].url("/m"))", "Connection: close"])
        }
        let spec = try stage.download(server.url()) { spec, _ in spec.options.retries = 0 }
        #expect(try await stage.end(of: spec).state == .failed)
        let record = PartialRecord.load(stage.folder.file("out.bin.fileq-part.json"))
        #expect(record?.finalURL == mirrors[0].url("/m"))
        // In another process as well: the record has the address.
        let result = try await stage.end(of: stage.download(server.url()))
        #expect(result.state == .completed, "\(String(describing: result.error))")
        #expect(try stage.folder.read("out.bin") == Self.body)
        #expect(server.requests.count == 1 && mirrors.map(\.requests.count) == [3, 0, 0])
    }

    /// It still counts the connection that broke: another one would begin again.
    @Test func aBusyServerOfTheFirstBytesIsAskedAgain() async throws {
        let mirrors = try (0..<2).map { index in
            try ScriptedServer { connection, number in
                guard let head = connection.readHead() else { return }
                if index == 0, number == 2 { return connection.answer("503 Service Unavailable") }
                let first = head.contains("If-Range: \"\(index)\"") ? Self.first(head) : nil
                Self.answer(connection, from: first, count: first == nil ? 100_000 : .max, tag: "\"\(index)\"")
            }
        }
        let server = try ScriptedServer { connection, number in
            guard connection.readHead() != nil else { return }
            connection.answer("302 Found", ["Location: \(mirrors[(number - 1) % 2].url("/m"))", "Connection: close"])
        }
        let result = try await stage.end(of: stage.download(server.url()))
        #expect(result.state == .completed, "\(String(describing: result.error))")
        #expect(try stage.folder.read("out.bin") == Self.body)
        #expect(server.requests.count == 2 && mirrors.map(\.requests.count) == [3, 1])
    }

    /// A signed address is valid for a while.
    @Test(arguments: ["403 Forbidden", "400 Bad Request", "410 Gone", "200 OK"])
    func anExpiredRedirectIsRenewed(_ refusal: String) async throws {
        let server = try ScriptedServer { connection, number in
            guard let head = connection.readHead() else { return }
            switch (number, head.hasPrefix("GET /signed/")) {
            case (_, false):
                connection.answer("302 Found", ["Location: /signed/\(number)", "Connection: close"])
            case (3, true): connection.answer(refusal, ["Content-Type: text/html"], body: Array("expired".utf8))
            case (_, true):
                let first = head.contains("If-Range: \"1\"") ? Self.first(head) : nil
                Self.answer(connection, from: first, count: first == nil ? 100_000 : .max)
            }
        }
        let result = try await stage.end(of: stage.download(server.url()))
        #expect(result.state == .completed, "\(String(describing: result.error))")
        #expect(try stage.folder.read("out.bin") == Self.body)
        let paths = server.requests.map { $0.split(separator: " ")[1] }
        #expect(paths == ["/file", "/signed/1", "/signed/1", "/file", "/signed/4"])
    }

    /// The first server may not get what is for the requested one alone.
    @Test func theServerOfTheFirstBytesGetsNoSecrets() async throws {
        let mirror = try ScriptedServer { connection, _ in
            guard let head = connection.readHead() else { return }
            let first = Self.first(head)
            Self.answer(connection, from: first, count: first == nil ? 100_000 : .max)
        }
        let server = try ScriptedServer { connection, _ in
            guard connection.readHead() != nil else { return }
            connection.answer("302 Found", ["Location: \(mirror.url())", "Connection: close"])
        }
        let result = try await stage.end(
            of: stage.download(server.url()) { spec, _ in
                try? spec.options.addHeader(name: "X-Key", value: "planted-header")
                spec.options.cookies = (try? [Cookie(name: "c", value: "planted-cookie")]) ?? []
                spec.options.credential = Credential(user: "planted-user", password: "planted-password")
            })
        #expect(result.state == .completed, "\(String(describing: result.error))")
        #expect(mirror.requests.count == 2 && server.requests.count == 1)
        #expect(!mirror.requests.contains { $0.contains("planted") || $0.lowercased().contains("authorization") })
        #expect(server.requests.allSatisfy { $0.contains("planted-header") })
    }

    // MARK: Renewed links

    @Test(
        arguments: [
            ("/f?sig=2", "\"1\"", 300_000, true, true), ("/f", "\"1\"", 300_000, true, true),
            ("/f?sig=2", "\"2\"", 300_000, true, false), ("/f?sig=2", "\"1\"", 299_999, true, false),
            ("/f?sig=2", "\"1\"", 300_000, false, false), ("/g?sig=1", "\"1\"", 300_000, true, false),
        ])
    func aRenewedLinkContinues(
        _ path: String, _ tag: String, _ total: Int, _ isStated: Bool, _ continues: Bool
    ) async throws {
        let newer = Array((continues ? Self.body : Self.newer)[..<total])
        let server = try ScriptedServer { connection, number in
            guard let head = connection.readHead() else { return }
            guard number > 1 else { return Self.answer(connection, count: 100_000) }
            // Whatever `If-Range` says.
            Self.answer(connection, from: Self.first(head), body: newer, tag: tag, total: isStated ? nil : "*")
        }
        let spec = try stage.download(server.url("/f?sig=1")) { spec, _ in spec.options.retries = 0 }
        #expect(try await stage.end(of: spec).state == .failed)
        let result = try await stage.end(of: stage.download(server.url(path)))
        #expect(result.state == .completed, "\(String(describing: result.error))")
        #expect(try stage.folder.read("out.bin") == newer)
        #expect(result.metrics?.resumedFrom == (continues ? 100_000 : 0))
        // Other bytes are those of the first download.
        #expect(!continues || stage.folder.names == ["out.bin"])
    }

    // MARK: Servers without ranges

    @Test(arguments: [false, true]) func aServerThatRefusesRangesIsAskedForTheWhole(_ isGone: Bool) async throws {
        let server = try ScriptedServer { connection, number in
            guard let head = connection.readHead() else { return }
            if number == 1 { return Self.answer(connection, count: 100_000) }
            if isGone || Self.first(head) != nil { return connection.answer("403 Forbidden") }
            Self.answer(connection)
        }
        let result = try await stage.end(of: stage.download(server.url()))
        #expect(server.requests.map { Self.first($0) } == [nil, 100_000, nil])
        guard isGone else {
            #expect(result.state == .completed, "\(String(describing: result.error))")
            return #expect(try stage.folder.read("out.bin") == Self.body)
        }
        #expect(result.error?.code == .httpStatus && result.error?.fields.status == 403)
        #expect(try stage.folder.read("out.bin.fileq-part") == Array(Self.body[..<100_000]))
    }

    /// The rest alone, as a 200 without `Content-Range`.
    @Test(arguments: [["ETag: \"1\""], ["Content-Type: application/zip"], []], ["Content-Length", "chunked"])
    func theRestIsNotTakenForTheWhole(_ fields: [String], _ framing: String) async throws {
        let server = try ScriptedServer { connection, number in
            guard let head = connection.readHead() else { return }
            guard let first = Self.first(head) else {
                return Self.answer(
                    connection, count: number == 1 ? 100_000 : .max, fields: ["Content-Type: application/zip"])
            }
            let rest = Array(Self.body[first...])
            guard framing == "chunked" else { return connection.answer("200 OK", fields, body: rest) }
            let lines = (fields + ["Transfer-Encoding: chunked"]).map { $0 + "\r\n" }.joined()
            connection.send("HTTP/1.1 200 OK\r\n\(lines)\r\n\(String(rest.count, radix: 16))\r\n")
            _ = connection.sendIfOpen(rest + Array("\r\n0\r\n\r\n".utf8))
        }
        let result = try await stage.end(of: stage.download(server.url()))
        #expect(result.state == .completed, "\(String(describing: result.error))")
        #expect(try stage.folder.read("out.bin") == Self.body)
        #expect(server.requests.map { Self.first($0) } == [nil, 100_000, nil])
    }

    /// The first response stated a false length: what comes without a range is the whole.
    @Test func aFalseLengthIsForgotten() async throws {
        let server = try ScriptedServer { connection, number in
            guard connection.readHead() != nil else { return }
            guard number == 1 else { return connection.answer("200 OK", ["ETag: \"1\""], body: Self.body) }
            connection.send("HTTP/1.1 200 OK\r\nETag: \"1\"\r\nContent-Length: 400000\r\n\r\n")
            connection.send(Array(Self.body[..<100_000]))
        }
        let result = try await stage.end(of: stage.download(server.url()))
        #expect(result.state == .completed, "\(String(describing: result.error))")
        #expect(try stage.folder.read("out.bin") == Self.body)
    }
}
