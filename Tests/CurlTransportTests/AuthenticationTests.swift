// SPDX-License-Identifier: MIT

import CCurl
import CurlTransport
import Foundation
import Glibc
import HTTPTypes
import SessionCore
import Synchronization
import Testing
import TransferModel
import TransferTesting

/// Schemes of authentication, against a server whose answers are written by hand.
@Suite(.timeLimit(.minutes(10))) struct AuthenticationTests {
    let transport = try! CurlTransport()
    private let ada = Credential(user: "ada", password: "love")

    private func exchange(
        _ server: ScriptedServer, _ method: HTTPRequest.Method, _ authentication: Exchange.Authentication
    ) throws -> Exchange {
        var exchange = Exchange(url: try TransferURL(server.url()), method: method)
        exchange.authentication = authentication
        return exchange
    }

    /// The value of `name` in each request so far; `nil` where it has none.
    private func field(_ name: String, _ server: ScriptedServer) -> [String?] {
        server.requests.map { head in
            head.split(separator: "\r\n").first { $0.lowercased().hasPrefix(name.lowercased() + ":") }
                .map { $0.drop { $0 != ":" }.dropFirst().trimmingCharacters(in: .whitespaces) }
        }
    }

    // MARK: Bearer

    @Test func sendsABearerTokenOnce() async throws {
        let server = try ScriptedServer { connection, _ in
            while connection.readHead() != nil {
                connection.answer("401 No", ["WWW-Authenticate: Bearer error=\"invalid_token\""], body: [33])
            }
        }
        let answer = await transport.run(try exchange(server, .get, .bearer(Secret("abc.def-_~+/=="))))
        #expect(answer.status == 401)
        #expect(answer.text == "!")
        #expect(field("authorization", server) == ["Bearer abc.def-_~+/=="])
    }

    @Test(arguments: ["", "a\r\nX: y", "a b", "ü"]) func doesNotSendInvalidTokens(_ token: String) async throws {
        let server = try ScriptedServer { connection, _ in _ = connection.readHead() }
        #expect(await transport.run(try exchange(server, .get, .bearer(Secret(token)))).misconfiguration == .usage)
        #expect(server.requests.isEmpty)
    }

    // MARK: Digest

    private static let challenge = "WWW-Authenticate: Digest realm=\"r\", nonce=\"n1\", qop=\"auth\", algorithm=SHA-256"

    @Test(arguments: [false, true]) func digestSendsTheBodyOnce(_ isStream: Bool) async throws {
        let body = patternedBytes(300_000)
        let received = Mutex<[[UInt8]]>([])
        let server = try ScriptedServer { connection, _ in
            while let head = connection.readHead() {
                let length = head.split(separator: "\r\n").first { $0.lowercased().hasPrefix("content-length:") }
                    .flatMap { Int($0.split(separator: " ")[1]) }
                let bytes =
                    head.lowercased().contains("transfer-encoding: chunked")
                    ? connection.readChunked() : connection.readBody(length ?? 0)
                received.withLock { $0.append(bytes) }
                guard head.lowercased().contains("authorization: digest") else {
                    connection.answer("401 No", [Self.challenge], body: Array("log in".utf8))
                    continue
                }
                connection.answer("201 Created")
            }
        }
        var exchange = try exchange(server, .put, .digest(ada))
        exchange.digest = .sha256
        var ends: [Int32] = [0, 0]
        #expect(pipe(&ends) == 0)
        defer { close(ends[0]) }
        let writing = ends[1]
        if isStream {
            exchange.body = .stream(descriptor: ends[0])
            Thread.detachNewThread {
                var done = 0
                while done < body.count {
                    let count = body[done...].withUnsafeBytes { write(writing, $0.baseAddress, $0.count) }
                    guard count > 0 else { break }
                    done += count
                }
                close(writing)
            }
        } else {
            close(writing)
            exchange.body = .bytes(body)
        }
        let answer = await transport.run(exchange)
        #expect(answer.heads.map(\.status.code) == [201], "\(String(describing: answer.failure))")
        #expect(received.withLock { $0.map(\.count) } == [0, body.count])
        #expect(received.withLock { $0.last } == body)
        #expect(answer.outcome.progress.sent == 300_000)
        #expect(answer.outcome.digest?.count == 32)
    }

    @Test func retriesAStaleNonceOnly() async throws {
        let second = "WWW-Authenticate: Digest realm=\"r\", nonce=\"n2\", qop=\"auth\", stale=true"
        let third = "WWW-Authenticate: Digest realm=\"r\", nonce=\"n3\", qop=\"auth\""
        let server = try ScriptedServer { connection, _ in
            var count = 0
            while connection.readHead() != nil {
                count += 1
                switch count {
                case 1: connection.answer("401 No", [Self.challenge], body: Array("first".utf8))
                case 2: connection.answer("401 No", [second], body: Array("second".utf8))
                default: connection.answer("401 No", [third], body: Array("third".utf8))
                }
            }
        }
        let answer = await transport.run(try exchange(server, .get, .digest(ada)))
        #expect(answer.heads.map(\.status.code) == [401])
        #expect(answer.heads.first?.headerFields[.wwwAuthenticate]?.contains("n3") == true)
        #expect(answer.text == "third")
        #expect(server.requests.count == 3)
    }

    /// Without a body only the end shows that a response is the last.
    @Test(arguments: [BodyDisposition.deliver, .hold, .abort]) func reportsARefusalWithoutBody(
        _ disposition: BodyDisposition
    ) async throws {
        let server = try ScriptedServer { connection, _ in
            while connection.readHead() != nil { connection.answer("401 No", ["WWW-Authenticate: Basic realm=\"r\""]) }
        }
        let answer = await transport.run(try exchange(server, .get, .digest(ada)), disposition: disposition)
        #expect(answer.heads.map(\.status.code) == [401])
        #expect(answer.failure?.cause == (disposition == .abort ? .aborted : nil))
    }

    @Test func doesNotSendAnInvalidUserName() async throws {
        let server = try ScriptedServer { connection, _ in _ = connection.readHead() }
        let evil = Credential(user: "a\r\nX: y", password: "")
        #expect(await transport.run(try exchange(server, .get, .digest(evil))).misconfiguration == .usage)
        #expect(server.requests.isEmpty)
    }

    // MARK: NTLM

    /// A challenge of the least kind: no target, flags for Unicode and NTLM.
    private static let typeTwo: String = {
        let message =
            Array("NTLMSSP\0".utf8) + [2, 0, 0, 0] + [0, 0, 0, 0, 48, 0, 0, 0] + [1, 2, 0, 0] + [
                1, 2, 3, 4, 5, 6, 7, 8,
            ]
            + [UInt8](repeating: 0, count: 8) + [0, 0, 0, 0, 48, 0, 0, 0]
        return Data(message).base64EncodedString()
    }()

    /// The kind of message in `Authorization: NTLM …`; 0 where there is none.
    private static func messageType(_ head: String) -> UInt8 {
        guard
            let line = head.split(separator: "\r\n").first(where: { $0.lowercased().hasPrefix("authorization: ntlm ") }
            ),
            let data = Data(base64Encoded: String(line.split(separator: " ")[2])), data.count > 8
        else { return 0 }
        return data[8]
    }

    /// Logs a connection in and then serves it without asking, as servers do. Every answer carries the connection's
    /// number.
    private func ntlmServer(_ received: Sizes) throws -> ScriptedServer {
        try ScriptedServer { connection, number in
            var isKnown = false
            while let head = connection.readHead() {
                let length =
                    head.split(separator: "\r\n").first { $0.lowercased().hasPrefix("content-length:") }
                    .flatMap { Int($0.split(separator: " ")[1]) } ?? 0
                let count = connection.readBody(length).count
                received.list.withLock { $0.append(count) }
                let type = Self.messageType(head)
                if type == 3 { isKnown = true }
                if isKnown {
                    connection.answer("200 OK", ["X-Connection: \(number)"])
                } else if type == 1 {
                    connection.answer("401 No", ["WWW-Authenticate: NTLM \(Self.typeTwo)"], body: Array("more".utf8))
                } else {
                    connection.answer(
                        "401 No", ["WWW-Authenticate: NTLM", "X-Connection: \(number)"], body: Array("who".utf8))
                }
            }
        }
    }

    private func connectionNumber(_ answer: RecordedExchange) -> String? {
        answer.heads.first?.headerFields[HTTPField.Name("X-Connection")!]
    }

    @Test(.enabled(if: CurlTransport.has(.ntlm))) func ntlmUsesAnExclusiveConnection() async throws {
        let received = Sizes()
        let server = try ntlmServer(received)
        var first = try exchange(server, .put, .ntlm(ada))
        first.body = .bytes(patternedBytes(70_000))
        let answer = await transport.run(first)
        #expect(answer.heads.map(\.status.code) == [200], "\(String(describing: answer.failure))")
        #expect(connectionNumber(answer) == "1")
        #expect(received.list.withLock { $0 } == [0, 70_000])
        #expect(server.requests.map(Self.messageType) == [1, 3])
        for (number, credential) in [("2", ada), ("3", Credential(user: "bob", password: "x"))] {
            let other = await transport.run(try exchange(server, .get, .ntlm(credential)))
            #expect(other.status == 200)
            #expect(connectionNumber(other) == number)
        }
        let nobody = await transport.run(try exchange(server, .get, .none))
        #expect(nobody.status == 401)
        #expect(connectionNumber(nobody) == "4")
    }

    @Test(.enabled(if: CurlTransport.has(.ntlm))) func reportsARefusedNTLMLoginOnce() async throws {
        let server = try ScriptedServer { connection, _ in
            while let head = connection.readHead() {
                let fields =
                    Self.messageType(head) == 1
                    ? ["WWW-Authenticate: NTLM \(Self.typeTwo)"] : ["WWW-Authenticate: NTLM"]
                connection.answer("401 No", fields, body: Array("sorry".utf8))
            }
        }
        let answer = await transport.run(try exchange(server, .get, .ntlm(ada)))
        #expect(answer.heads.map(\.status.code) == [401])
        #expect(answer.text == "sorry")
    }

    // MARK: Negotiate

    @Test func negotiateWithoutATicketReturnsThe401() async throws {
        let server = try ScriptedServer { connection, _ in
            while connection.readHead() != nil {
                connection.answer("401 No", ["WWW-Authenticate: Negotiate"], body: Array("no".utf8))
            }
        }
        let answer = await transport.run(try exchange(server, .get, .negotiate))
        if CurlTransport.has(.negotiate) {
            #expect(answer.heads.map(\.status.code) == [401])
            #expect(answer.text == "no")
        } else {
            #expect(answer.misconfiguration == .other)
        }
    }
}

/// Of bodies, in the order of arrival.
private final class Sizes: Sendable {
    let list = Mutex<[Int]>([])
}

extension CurlTransport {
    enum Feature { case ntlm, negotiate }

    /// What the libcurl at hand was built with.
    static func has(_ feature: Feature) -> Bool {
        ccurl_version().pointee.features & (feature == .ntlm ? CURL_VERSION_NTLM : CURL_VERSION_SPNEGO) != 0
    }
}
