// SPDX-License-Identifier: MIT

import HTTPTypes
import SessionCore
import Synchronization
import Testing
import TransferControl
import TransferModel
import TransferTesting

@testable import TransferService

/// Servers that refuse a transfer: what is said of them, and whether it is tried again.
@Suite(.timeLimit(.minutes(10))) struct RefusingServerTests {
    let stage: QueueStage

    init() throws {
        stage = try QueueStage { _ in
            var configuration = LocalQueue.Configuration()
            configuration.jitter = { 0 }
            return configuration
        }
    }

    private func upload(
        _ url: String, _ resumption: UploadResumption, bytes: Int = 2_000_000, headers: [HTTPField] = []
    ) throws -> Spec {
        let path = try stage.folder.write(patternedBytes(bytes), to: "source")
        var spec = Spec(
            url: try TransferURL(url),
            operation: .upload(Upload(source: .file(path: path), form: .put, resumption: resumption)))
        spec.options.retries = 0
        spec.options.headers = headers
        return spec
    }

    /// Reads the request's body.
    private static func take(_ head: String, _ connection: ScriptedConnection) {
        if head.contains("Expect: 100-continue") { connection.send("HTTP/1.1 100 Continue\r\n\r\n") }
        _ = connection.receiveBody(of: head)
    }

    /// Not the question what the server announces.
    @Test(arguments: [UploadResumption.auto, .ietf, .never]) func quotesTheResponseThatRefused(
        _ resumption: UploadResumption
    ) async throws {
        let server = try ScriptedServer { connection, _ in
            while let head = connection.readHead() {
                Self.take(head, connection)
                let isQuestion = head.hasPrefix("OPTIONS")
                connection.answer(
                    isQuestion ? "405 Method Not Allowed" : "403 Forbidden",
                    body: Array((isQuestion ? "no OPTIONS here" : "quota used up").utf8))
            }
        }
        let result = try await stage.end(of: upload(server.url(), resumption))
        let message = try #require(result.error?.message)
        #expect(message == "127.0.0.1:\(server.port): returned 403 Forbidden: quota used up")
    }

    /// While it runs it has none: neither that of the question nor that of the attempt before.
    @Test func theStatusIsThatOfTheUpload() async throws {
        let proceeds = Atomic<Bool>(false)
        let server = try ScriptedServer { connection, _ in
            while let head = connection.readHead() {
                if head.hasPrefix("OPTIONS") {
                    connection.answer("405 Method Not Allowed")
                    continue
                }
                if head.contains("Expect: 100-continue") { connection.send("HTTP/1.1 100 Continue\r\n\r\n") }
                guard connection.readBody(1_000_000).count == 1_000_000,
                    eventually({ proceeds.load(ordering: .relaxed) }),
                    connection.readBody(1_000_000).count == 1_000_000
                else { return }
                connection.answer("201 Created")
            }
        }
        let id = try await stage.queue.add([upload(server.url(), .auto)], paused: false)[0]
        try await stage.wait { ($0[id]?.bytes ?? 0) > 0 }
        #expect(try await stage.queue.snapshot().transfers[0].httpStatus == nil)
        proceeds.store(true, ordering: .relaxed)
        try await stage.wait { $0[id]?.state == .completed }
        #expect(try await stage.queue.snapshot().transfers[0].httpStatus == 201)
    }

    @Test func theStatusIsThatOfTheAttempt() async throws {
        let server = try ScriptedServer { connection, number in
            guard connection.readHead() != nil else { return }
            guard number > 1 else { return connection.answer("503 Service Unavailable") }
            connection.send("HTTP/1.1 200 OK\r\nETag: \"1\"\r\nContent-Length: 100000\r\n\r\n")
            connection.send(patternedBytes(40_000))
            connection.waitForClose()
        }
        let id = try await stage.queue.add([stage.download(server.url())], paused: false)[0]
        try await stage.wait { $0[id]?.bytes == 40_000 }
        let running = try await stage.queue.snapshot().transfers[0]
        #expect(running.attempt == 2 && running.httpStatus == nil)
        await stage.queue.shutDown()
    }

    /// After a redirect to another origin.
    @Test(arguments: [true, false], ["401 Unauthorized", "404 Not Found"])
    func namesTheServerThatResponded(isUpload: Bool, status: String) async throws {
        let other = try ScriptedServer { connection, _ in
            while let head = connection.readHead() {
                Self.take(head, connection)
                connection.answer(status, status.hasPrefix("401") ? ["WWW-Authenticate: Basic realm=\"r\""] : [])
            }
        }
        let server = try ScriptedServer { connection, _ in
            while let head = connection.readHead() {
                Self.take(head, connection)
                connection.answer("307 Temporary Redirect", ["Location: \(other.url())"])
            }
        }
        let spec =
            isUpload
            ? try upload(server.url(), .never, bytes: 10)
            : try stage.download(server.url()) { spec, _ in spec.options.retries = 0 }
        let result = try await stage.end(of: spec)
        let error = try #require(result.error)
        #expect(error.message.hasPrefix("127.0.0.1:\(other.port): returned \(status)"), "\(error.message)")
        #expect(error.fields.host == "127.0.0.1:\(other.port)")
        #expect(error.code == (status.hasPrefix("401") ? .loginDenied : .httpStatus))
    }

    struct Condition: Sendable {
        var name: HTTPField.Name
        var value: String
        var variant: TransferError.Variant
        var words: String
    }

    private static let conditions = [
        Condition(name: .ifNoneMatch, value: "*", variant: .existsOnServer, words: "has the file already (412)"),
        Condition(
            name: .ifMatch, value: "\"5\"", variant: .changedOnServer,
            words: "has another version of the file, or none (412)"),
    ]

    /// tus has no conditions: what is announced does not matter to an upload with one.
    @Test(arguments: conditions, [true, false])
    func aConditionThatDoesNotHold(_ condition: Condition, announcesTus: Bool) async throws {
        let other = try ScriptedServer { connection, _ in
            while let head = connection.readHead() {
                Self.take(head, connection)
                connection.answer("412 Precondition Failed", body: head.hasPrefix("HEAD") ? [] : Array("no".utf8))
            }
        }
        let server = try ScriptedServer { connection, _ in
            while let head = connection.readHead() {
                Self.take(head, connection)
                guard head.hasPrefix("OPTIONS") else {
                    connection.answer("307 Temporary Redirect", ["Location: \(other.url())"])
                    continue
                }
                let tus = ["Tus-Version: 1.0.0", "Tus-Extension: creation,creation-with-upload"]
                connection.answer("200 OK", announcesTus ? tus : [])
            }
        }
        let field = HTTPField(name: condition.name, value: condition.value)
        let result = try await stage.end(of: upload(server.url(), .auto, headers: [field]))
        #expect(result.error?.message == "127.0.0.1:\(other.port): \(condition.words)")
        #expect(result.error?.code == .httpStatus && result.error?.fields.variant == condition.variant)
        // What must not replace a file asks for it first; 412 says nothing of that.
        let first = condition.name == .ifNoneMatch ? ["HEAD"] : []
        #expect(server.requests.map { String($0.prefix { $0 != " " }) } == first + ["OPTIONS", "PUT"])
        // Also after a redirect to another origin.
        #expect(other.requests.count == first.count + 1)
        #expect(
            other.requests.first?.lowercased().contains("\(condition.name.canonicalName): \(condition.value)") == true)
    }

    /// nginx replaces files whatever `If-None-Match` says.
    @Test(arguments: [("200 OK", ["HEAD"]), ("405 No", ["HEAD", "PUT"])])
    func aServerThatIgnoresTheCondition(_ status: String, _ requests: [String]) async throws {
        let server = try ScriptedServer { connection, _ in
            while let head = connection.readHead() {
                Self.take(head, connection)
                let isHead = head.hasPrefix("HEAD")
                connection.send("HTTP/1.1 \(isHead ? status : "204 No Content")\r\nContent-Length: 0\r\n\r\n")
            }
        }
        let field = HTTPField(name: .ifNoneMatch, value: "*")
        let result = try await stage.end(of: upload(server.url(), .never, bytes: 10, headers: [field]))
        #expect(result.error?.code == .destinationExists, "\(String(describing: result.error))")
        #expect(result.error?.fields.problem?.kind == (requests.count == 1 ? .foundOnServer : .replacedOnServer))
        #expect(server.requests.map { String($0.prefix { $0 != " " }) } == requests)
    }

    @Test func aFileThatIsNotThereIsStored() async throws {
        let server = try ScriptedServer { connection, _ in
            while let head = connection.readHead() {
                Self.take(head, connection)
                let status = head.hasPrefix("HEAD") ? "404 Not Found" : "204 No Content"
                connection.send("HTTP/1.1 \(status)\r\nContent-Length: 0\r\n\r\n")
            }
        }
        let field = HTTPField(name: .ifNoneMatch, value: "*")
        let result = try await stage.end(of: upload(server.url(), .never, bytes: 10, headers: [field]))
        #expect(result.state == .completed, "\(String(describing: result.error))")
    }

    @Test func tusByChoiceHasNoConditions() async throws {
        let server = try ScriptedServer { connection, _ in
            while connection.readHead() != nil {
                connection.answer("200 OK", ["Tus-Version: 1.0.0", "Tus-Extension: creation"])
            }
        }
        let field = HTTPField(name: .ifNoneMatch, value: "*")
        let result = try await stage.end(of: upload(server.url("/files/"), .tus, headers: [field]))
        #expect(result.state == .failed && result.error?.code == .sendFailed)
        #expect(server.requests.map { $0.prefix { $0 != " " } } == ["OPTIONS"])
    }

    /// What a wait of a server leads to: one longer than the transfer may wait is not waited for.
    @Test(arguments: [(3600, "86400", "1d0h"), (0, "1", "0:01"), (90, "91", "1:31")] as [(Double, String, String)])
    func tooLongAWaitFails(_ most: Double, _ pause: String, _ words: String) async throws {
        let server = try Self.busy(pause)
        let result = try await stage.end(
            of: stage.download(server.url()) { spec, _ in spec.options.maximumRetryWait = most })
        #expect(result.state == .failed && result.attempt == 1 && server.requests.count == 1)
        #expect(result.error?.code == .httpStatus && result.error?.fields.status == 429)
        #expect(result.error?.fields.variant == .longRetryWait)
        let message = result.error?.message ?? ""
        #expect(message.hasSuffix("; the server asks to wait \(words)"), "\(message)")
    }

    @Test(
        arguments: [
            (nil, "86400", "1d0h"), (86_400, "86400", "1d0h"), (nil, "259200", "3d0h"), (90, "90", "1:30"),
            (90, "20", nil),
        ] as [(Double?, String, String?)])
    func aLongWaitHasItsReason(_ most: Double?, _ pause: String, _ words: String?) async throws {
        let server = try Self.busy(pause)
        let spec = try stage.download(server.url()) { spec, _ in spec.options.maximumRetryWait = most }
        let id = try await stage.queue.add([spec], paused: false)[0]
        try await stage.wait { $0[id]?.state == .retrying }
        let transfer = try #require(try await stage.queue.snapshot().transfers.first)
        guard case .failure(let error)? = transfer.note else {
            Issue.record("\(transfer)")
            return
        }
        let suffix = words.map { "; the server asks to wait \($0)" } ?? ""
        #expect(error.message == "127.0.0.1:\(server.port): returned 429 Too Many Requests\(suffix)")
        await stage.queue.shutDown()
    }

    /// Nor is one that is longer than the resource timeout.
    @Test(arguments: ["8553600", "99999999999999999999", "Fri, 31 Dec 9999 23:59:59 GMT"])
    func aWaitBeyondTheResourceTimeoutFails(_ pause: String) async throws {
        let server = try Self.busy(pause)
        let result = try await stage.end(
            of: stage.download(server.url()) { spec, _ in spec.options.resourceTimeout = 7 * 86_400 })
        #expect(result.state == .failed && server.requests.count == 1)
        let words = pause == "8553600" ? "99d0h" : "more than 99 days"
        #expect(result.error?.message.hasSuffix("; the server asks to wait \(words)") == true)
    }

    private static func busy(_ pause: String) throws -> ScriptedServer {
        try ScriptedServer { connection, _ in
            while connection.readHead() != nil { connection.answer("429 Too Many Requests", ["Retry-After: \(pause)"]) }
        }
    }

    /// A part in place of the whole; the next attempt would request the same.
    @Test(arguments: [(0, 1), (1, 2), (5, 2)]) func aPartThatWasNotRequestedIsRetriedOnce(
        retries: Int, requests: Int
    ) async throws {
        let server = try ScriptedServer { connection, _ in
            while connection.readHead() != nil {
                connection.answer("206 Partial Content", ["Content-Range: bytes 0-2/9"], body: [1, 2, 3])
            }
        }
        let result = try await stage.end(of: stage.download(server.url()) { spec, _ in spec.options.retries = retries })
        #expect(result.state == .failed && result.error?.code == .rangeRefused, "\(result.error as Any)")
        #expect(server.requests.count == requests)
    }
}
