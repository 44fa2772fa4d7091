// SPDX-License-Identifier: MIT

import CurlTransport
import SessionCore
import Synchronization
import Testing
import TransferControl
import TransferModel
@testable import TransferService
import TransferTesting

/// When an upload counts as done, and what follows where it does not.
@Suite(.timeLimit(.minutes(10))) struct UploadEndTests {
    let stage: QueueStage
    let bytes = patternedBytes(3_000_000)

    init() throws {
        var configuration = LocalQueue.Configuration()
        configuration.jitter = { 0 }
        stage = try QueueStage { _ in configuration }
    }

    private func upload(
        _ url: String, _ bytes: [UInt8]? = nil, form: Upload.Form = .put,
        createsFolders: Bool = false
    ) throws -> Spec {
        let path = try stage.folder.write(bytes ?? self.bytes, to: "source")
        return Spec(
            url: try TransferURL(url),
            operation: .upload(
                Upload(source: .file(path: path), form: form, createsFolders: createsFolders)))
    }

    /// Reads each whole body, then answers.
    private func server(_ status: String, _ fields: [String] = [], body: String = "") throws -> ScriptedServer {
        try ScriptedServer { connection, _ in
            while let head = connection.readHead() {
                connection.takeBody(of: head)
                connection.answer(status, fields, body: Array(body.utf8))
            }
        }
    }

    @Test func earlySuccessFailsAnUpload() async throws {
        let server = try ScriptedServer { connection, _ in
            guard connection.readHead() != nil else { return }
            connection.answer("200 OK", ["Content-Type: text/html"], body: Array("<html>log in".utf8))
            connection.waitWithoutReading()
        }
        defer { server.stop() }
        let result = try await stage.end(of: upload(server.url()))
        #expect(result.state == .failed)
        #expect(result.error?.code == .answeredEarly)
        #expect(
            result.error?.message.contains("returned 200 before the file was sent; the server may want a login") == true
        )
        #expect(result.total == 3_000_000)
        #expect(result.httpStatus == 200)
        #expect(server.requests.count == 1)
    }

    @Test func redirectToAPageFailsAnUpload() async throws {
        let server = try ScriptedServer { connection, _ in
            while let head = connection.readHead() {
                if head.contains("/login") { return connection.answer("200 OK", body: Array("<html>".utf8)) }
                connection.answer("302 Found", ["Location: /login"])
            }
        }
        let result = try await stage.end(of: upload(server.url()))
        #expect(result.error?.code == .answeredEarly)
        #expect(result.total == 3_000_000)
    }

    @Test func redirectedUploadsCountTheLastRequest() async throws {
        let server = try ScriptedServer { connection, _ in
            while let head = connection.readHead() {
                if !head.contains("/there") {
                    return connection.answer("307 Temporary Redirect", ["Location: /there", "Connection: close"])
                }
                connection.takeBody(of: head)
                connection.answer("201 Created")
            }
        }
        let result = try await stage.end(of: upload(server.url()))
        #expect(result.state == .completed)
        #expect(result.total == 3_000_000)
        #expect(result.confirmed == 3_000_000)
    }

    @Test(arguments: [0, 10, 100_000]) func completesSmallUploads(_ count: Int) async throws {
        let server = try server("204 No Content")
        let result = try await stage.end(of: upload(server.url(), Array(bytes[..<count])))
        #expect(result.state == .completed)
        #expect(result.total == Int64(count))
        #expect(server.requests.count == 1)
    }

    /// Its connection broke in the middle: the next attempt sends all of it.
    @Test func aBrokenPlainUploadHasSentNothing() async throws {
        let server = try ScriptedServer { connection, number in
            guard let head = connection.readHead() else { return }
            if number == 1 {
                if head.contains("100-continue") { connection.send("HTTP/1.1 100 Continue\r\n\r\n") }
                _ = connection.readBody(1_000_000)
                return connection.reset()
            }
            connection.takeBody(of: head)
            connection.answer("201 Created")
        }
        let events = try await stage.ends(of: [upload(server.url())]).events
        let between = events.filter { $0.transfer.attempt == 2 && $0.transfer.state == .retrying }
        #expect(between.last?.transfer.bytes == 0 && between.last?.transfer.total == 3_000_000)
        #expect(events.last?.transfer.state == .completed && events.last?.transfer.bytes == 3_000_000)
    }

    // MARK: FileQ

    @Test(
        arguments: [
            ("201 Created", [], nil), ("200 OK", ["Location: /files/1/x"], nil), ("200 OK", [], .sendFailed),
            ("204 No Content", [], .sendFailed),
            ("202 Accepted", ["Location: /files/1/x"], .sendFailed),
        ] as [(String, [String], TransferError.Code?)])
    func fileQUploadsNeedTheirResponse(
        _ status: String, _ fields: [String], _ code: TransferError.Code?
    ) async throws {
        let server = try server(status, fields)
        let result = try await stage.end(of: upload(server.url(), form: .fileQ(FileQUpload(sid: "s"))))
        #expect(result.error?.code == code)
        #expect(server.requests.count == 1)
    }

    @Test func comparesTheServersDigest() async throws {
        let digest = try #require(FileDigest.compute(.sha256, path: stage.folder.write(bytes, to: "same")))
        let right = ReprDigest(Checksum(algorithm: .sha256, bytes: digest))
        let wrong = ReprDigest(Checksum(algorithm: .sha256, bytes: [UInt8](repeating: 7, count: 32)))
        let good = try server("201 Created", ["Location: /files/1/x", "Repr-Digest: \(right)"])
        #expect(try await stage.end(of: upload(good.url(), form: .fileQ(FileQUpload(sid: "s")))).state == .completed)
        let bad = try server("201 Created", ["Location: /files/1/x", "Repr-Digest: \(wrong)"])
        let result = try await stage.end(of: upload(bad.url(), form: .fileQ(FileQUpload(sid: "s"))))
        #expect(result.error?.code == .checksumMismatch)
        #expect(bad.requests.count == 1)
    }

    /// 409 with `Retry-After`: an earlier attempt is still in progress.
    @Test func aFileQUploadInProgressIsRepeated() async throws {
        let requests = Atomic<Int>(0)
        let busy = try ScriptedServer { connection, _ in
            while let head = connection.readHead() {
                connection.takeBody(of: head)
                let isFirst = requests.add(1, ordering: .relaxed).newValue == 1
                connection.answer(isFirst ? "409 Conflict" : "201 Created", isFirst ? ["Retry-After: 0"] : [])
            }
        }
        let form = Upload.Form.fileQ(FileQUpload(sid: "s"))
        #expect(try await stage.end(of: upload(busy.url(), [1, 2], form: form)).state == .completed)
        #expect(requests.load(ordering: .relaxed) == 2)
        let other = try server("409 Conflict")
        #expect(try await stage.end(of: upload(other.url(), [1, 2], form: form)).state == .failed)
        #expect(other.requests.count == 1)
    }

    // MARK: Refusals

    @Test(arguments: [nil, 9]) func givesUpAfterFiveRefusedBodies(_ retries: Int?) async throws {
        let server = try server("503 Service Unavailable", body: "no room today")
        var spec = try upload(server.url(), [1, 2, 3])
        spec.options.retries = retries
        let result = try await stage.end(of: spec)
        #expect(result.state == .failed)
        #expect(result.error?.message.contains("no room today (given up after 5 attempts)") == true)
        #expect(server.requests.count == 5)
    }

    /// The server has each body, and may still be at work on it.
    @Test(arguments: [(nil, 0.4, TransferError.Timer.request), (0.4, nil, .response)] as [
        (Double?, Double?, TransferError.Timer)
    ])
    func aLateVerdictIsAwaitedTwice(
        _ response: Double?, _ request: Double?, _ timer: TransferError.Timer
    ) async throws {
        let server = try ScriptedServer { connection, _ in
            guard let head = connection.readHead() else { return }
            connection.takeBody(of: head)
            connection.waitForClose()
        }
        var spec = try upload(server.url(), [1, 2, 3])
        (spec.options.requestTimeout, spec.options.responseTimeout, spec.options.retries) = (request, response, 9)
        let result = try await stage.end(of: spec)
        #expect(result.error?.fields.timer == timer)
        #expect(
            result.error?.message.hasSuffix("; the server has taken the whole file (given up after 2 attempts)")
                == true)
        #expect(server.requests.count == 2)
    }

    /// It took the bodies in place of the server.
    @Test func aPortalMayRefuseMoreThanFiveBodies() async throws {
        let requests = Atomic<Int>(0)
        let server = try ScriptedServer { connection, _ in
            while let head = connection.readHead() {
                connection.takeBody(of: head)
                let isFirst = requests.add(1, ordering: .relaxed).newValue <= 6
                connection.answer(isFirst ? "511 Network Authentication Required" : "201 Created")
            }
        }
        #expect(try await stage.end(of: upload(server.url(), [1, 2, 3])).state == .completed)
        #expect(requests.load(ordering: .relaxed) == 7)
    }

    @Test func hintsAtAMissingFolder() async throws {
        let server = try server("409 Conflict")
        let result = try await stage.end(of: upload(server.url("/a/b.bin"), [1]))
        #expect(
            result.error?.message.hasSuffix("returned 409 Conflict; the folder may not exist on the server") == true)
        let top = try await stage.end(of: upload(server.url("/b.bin"), [1]))
        #expect(top.error?.message.hasSuffix("returned 409 Conflict") == true)
    }

    @Test func createsMissingFoldersAndSendsAgain() async throws {
        let table = MadeFolders(["/dav/"])
        let dav = try ScriptedServer { connection, _ in
            while let head = connection.readHead() {
                connection.takeBody(of: head)
                connection.answer(table.answer(head))
            }
        }
        let result = try await stage.end(of: upload(dav.url("/dav/a/b/c.bin"), [1, 2, 3], createsFolders: true))
        #expect(result.state == .completed)
        #expect(
            dav.requests.map { $0.split(separator: " ").prefix(2).joined(separator: " ") } == [
                "PUT /dav/a/b/c.bin", "MKCOL /dav/a/b/", "MKCOL /dav/a/", "MKCOL /dav/a/b/", "PUT /dav/a/b/c.bin",
            ])
    }

    /// Apache's mod_dav responds so if another request creates the folder at the same moment.
    @Test(arguments: [("/dav/a/", "403 Forbidden"), ("/dav/a/b/", "403 Forbidden"), ("/dav/a/b/", "400 Bad Request")])
    func aRefusedFolderMayExist(_ refused: String, _ status: String) async throws {
        let table = MadeFolders(["/dav/"])
        let dav = try ScriptedServer { connection, _ in
            while let head = connection.readHead() {
                connection.takeBody(of: head)
                let response = table.answer(head)
                let isRefused = head.hasPrefix("MKCOL \(refused) ") && response.hasPrefix("201")
                connection.answer(isRefused ? status : response)
            }
        }
        let result = try await stage.end(of: upload(dav.url("/dav/a/b/c.bin"), [1, 2, 3], createsFolders: true))
        #expect(result.state == .completed, "\(result.error as Any)")
    }

    @Test func requestsFoldersOnlyOnce() async throws {
        let server = try ScriptedServer { connection, _ in
            while let head = connection.readHead() {
                connection.takeBody(of: head)
                connection.answer(head.hasPrefix("MKCOL") ? "501 Not Implemented" : "404 Not Found")
            }
        }
        let result = try await stage.end(of: upload(server.url("/a/b.bin"), [1], createsFolders: true))
        #expect(result.error?.message.contains("returned 404") == true)
        #expect(result.httpStatus == 404)
        #expect(server.requests.count == 2)
    }

    /// Neither says that the server creates no folders.
    @Test(arguments: ["503 Service Unavailable", nil]) func requestsAFolderAgainAfterAFault(
        _ fault: String?
    ) async throws {
        let table = MadeFolders(["/dav/"])
        // The first one on a connection that was used before is repeated by curl.
        let requests = Atomic<Int>(0)
        let dav = try ScriptedServer { connection, _ in
            while let head = connection.readHead() {
                connection.takeBody(of: head)
                guard head.hasPrefix("MKCOL"), requests.add(1, ordering: .relaxed).newValue <= 2 else {
                    connection.answer(table.answer(head))
                    continue
                }
                guard let fault else { return connection.reset() }
                connection.answer(fault)
            }
        }
        let result = try await stage.end(of: upload(dav.url("/dav/a/c.bin"), [1, 2, 3], createsFolders: true))
        #expect(result.state == .completed, "\(result.error as Any)")
        #expect(requests.load(ordering: .relaxed) >= 3)
    }

    // MARK: Reasons

    @Test func reportsTheServersReasonOfADownload() async throws {
        let server = try ScriptedServer { connection, _ in
            while connection.readHead() != nil {
                connection.answer(
                    "403 Forbidden", ["Content-Type: application/json"],
                    body: Array("{\"detail\": \"quota used up\"}".utf8))
            }
        }
        let result = try await stage.end(of: stage.download(server.url()))
        #expect(result.error?.code == .httpStatus)
        #expect(result.error?.message.hasSuffix("returned 403 Forbidden: quota used up") == true)
        #expect(stage.folder.names.isEmpty)
    }

    @Test func stopsReadingALongErrorPage() async throws {
        let server = try ScriptedServer { connection, _ in
            guard connection.readHead() != nil else { return }
            connection.send("HTTP/1.1 404 Not Found\r\n\r\ngone permanently\n")
            connection.send([UInt8](repeating: 0x20, count: 8192))
            connection.waitForClose()
        }
        let result = try await stage.end(of: stage.download(server.url()))
        #expect(result.error?.message.hasSuffix("returned 404 Not Found: gone permanently") == true)
    }

    @Test func namesABearerDemand() async throws {
        let server = try ScriptedServer { connection, _ in
            while connection.readHead() != nil {
                connection.answer("401 Unauthorized", ["WWW-Authenticate: Bearer realm=\"x\""])
            }
        }
        let result = try await stage.end(of: stage.download(server.url()))
        #expect(result.error?.code == .loginDenied)
        #expect(result.error?.message.contains("wants a bearer token") == true)
    }
}

/// The folders of a WebDAV server, over all of its connections.
private final class MadeFolders: Sendable {
    private let paths: Mutex<Set<String>>

    init(_ paths: Set<String>) { self.paths = Mutex(paths) }

    /// The status line's end for a request.
    func answer(_ head: String) -> String {
        let words = head.split(separator: " ")
        let path = String(words[1])
        let parent = path.split(separator: "/").dropLast().map { "/" + $0 }.joined() + "/"
        return paths.withLock { paths in
            guard paths.contains(parent) else { return "409 Conflict" }
            if words[0] == "PUT" { return "201 Created" }
            return paths.insert(path).inserted ? "201 Created" : "405 Method Not Allowed"
        }
    }
}

extension ScriptedConnection {
    /// Reads the body that a request's head announces, having said `100 Continue` where it asks for that.
    func takeBody(of head: String) {
        if head.contains("100-continue") { send("HTTP/1.1 100 Continue\r\n\r\n") }
        let length = head.split(separator: "\r\n").first { $0.lowercased().hasPrefix("content-length:") }
        _ = readBody(length.flatMap { Int($0.split(separator: " ").last ?? "") } ?? 0)
    }
}
