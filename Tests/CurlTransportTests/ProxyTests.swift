// SPDX-License-Identifier: MIT

import CurlTransport
import Foundation
import HTTPTypes
import SessionCore
import Synchronization
import Testing
import TransferModel
import TransferTesting

@Suite(.timeLimit(.minutes(10))) struct ProxyTests {
    let transport = try! CurlTransport()
    private let ada = Credential(user: "ada", password: "love")
    private static let basic = "Proxy-Authorization: Basic " + Data("ada:love".utf8).base64EncodedString()
    private static let digest = "Proxy-Authenticate: Digest realm=\"p\", nonce=\"n\", qop=\"auth\""

    @Test func reportsARejectedTunnel() async throws {
        let proxy = try TunnelProxy { _, _ in
            "HTTP/1.1 407 Log In\r\nProxy-Authenticate: Basic realm=\"p\"\r\nProxy-Authenticate: "
                + "NTLM\r\nContent-Length: 2\r\n\r\nno"
        }
        var exchange = Exchange(url: try TransferURL("https://files.invalid/"), method: .get)
        exchange.proxy = ProxyServer(host: "127.0.0.1", port: proxy.port)
        let answer = await transport.run(exchange)
        guard case .proxyRefused(let head) = answer.failure?.cause else {
            Issue.record("\(answer)")
            return
        }
        #expect(head.status.code == 407)
        #expect(head.headerFields[values: .proxyAuthenticate] == ["Basic realm=\"p\"", "NTLM"])
        #expect(answer.heads.isEmpty)
        #expect(answer.informational.isEmpty)
        #expect(proxy.requests[0].hasPrefix("CONNECT files.invalid:443 HTTP/1.1\r\n"))
    }

    @Test func proxyHeadsAreNotTheServers() async throws {
        try await SecureFileServer.with { server in
            let proxy = try TunnelProxy { head, _ in
                head.contains("Proxy-Authorization: Digest")
                    ? "HTTP/1.1 200 Go On\r\nX-Proxy: yes\r\n\r\n"
                    : "HTTP/1.1 407 Log In\r\n\(Self.digest)\r\nContent-Length: 2\r\n\r\nno"
            }
            var exchange = try server.exchange("a")
            exchange.proxy = ProxyServer(host: "127.0.0.1", port: proxy.port)
            exchange.proxyAuthentication = .digest(ada)
            exchange.authentication = .bearer(Secret("for-the-server"))
            exchange.fields[.userAgent] = "test"
            let answer = await transport.run(exchange)
            #expect(answer.heads.map(\.status.code) == [201], "\(String(describing: answer.failure))")
            #expect(answer.informational.isEmpty)
            #expect(server.stored == ["a"])
            #expect(proxy.requests.count == 2)
            #expect(!proxy.requests.joined().contains("for-the-server"))
            // The tunnel stays, and again no head but the server's is seen.
            let second = await transport.run(exchange)
            #expect(second.heads.map(\.status.code) == [201] || second.heads.map(\.status.code) == [204], "\(second)")
            #expect(second.outcome.metrics.isReusedConnection)
            #expect(proxy.openedTunnels == 1)
        }
    }

    @Test func checksCertificatesThroughATunnel() async throws {
        try await SecureFileServer.with { server in
            let proxy = try TunnelProxy { _, _ in "HTTP/1.1 200 Go On\r\n\r\n" }
            var exchange = try server.exchange("a", trust: .ask(approved: []))
            exchange.proxy = ProxyServer(host: "127.0.0.1", port: proxy.port)
            let trust = await transport.run(exchange).undecided
            #expect(trust?.port == server.port)
            #expect(trust?.chain.first?.sha256 == server.certificate.sha256)
            #expect(server.stored.isEmpty)
        }
    }

    @Test func evaluatesEachTunnelSeparately() async throws {
        try await SecureFileServer.with { server in
            let proxy = try TunnelProxy { _, number in
                number == 1 ? "HTTP/1.1 503 Later\r\nContent-Length: 0\r\n\r\n" : "HTTP/1.1 200 Go On\r\n\r\n"
            }
            var exchange = try server.exchange("a")
            exchange.proxy = ProxyServer(host: "127.0.0.1", port: proxy.port)
            guard case .proxyRefused(let head) = await transport.run(exchange).failure?.cause else {
                Issue.record("not refused")
                return
            }
            #expect(head.status.code == 503)
            #expect(await transport.run(exchange).heads.map(\.status.code) == [201])
        }
    }

    /// The connection is closed between the two steps of the server's login: libcurl opens another tunnel in the
    /// middle.
    @Test func reopenedTunnelsAreNotResponses() async throws {
        let folder = try TemporaryFolder()
        let certificate = try await TestCertificate.make(in: folder)
        try folder.write(
            Array(
                "HTTP/1.1 401 No\r\nWWW-Authenticate: Digest realm=\"r\", nonce=\"n\"\r\nConnection: close\r\n\r\n".utf8
            ), to: "answer")
        // Sends the file as it is and closes.
        let server = try await OpenSSLServer(certificate, in: folder, ["-HTTP"])
        let proxy = try TunnelProxy { _, _ in "HTTP/1.1 200 Go On\r\nX-Proxy: yes\r\n\r\n" }
        var exchange = Exchange(url: try TransferURL("https://127.0.0.1:\(server.port)/answer"), method: .get)
        exchange.certificateAuthorities = certificate.path
        exchange.proxy = ProxyServer(host: "127.0.0.1", port: proxy.port)
        exchange.authentication = .digest(ada)
        let answer = await transport.run(exchange)
        #expect(answer.heads.map(\.status.code) == [401], "\(String(describing: answer.failure))")
        #expect(proxy.openedTunnels == 2)
    }

    @Test func usesTheAbsoluteFormWithoutATunnel() async throws {
        let proxy = try ScriptedServer { connection, _ in
            while let head = connection.readHead() {
                head.contains(Self.basic)
                    ? connection.answer("200 OK", body: [33])
                    : connection.answer("407 Log In", ["Proxy-Authenticate: Basic realm=\"p\""])
            }
        }
        var exchange = Exchange(url: try TransferURL("http://files.invalid/a"), method: .get)
        exchange.proxy = ProxyServer(host: "127.0.0.1", port: proxy.port)
        #expect(await transport.run(exchange).status == 407)
        exchange.proxyAuthentication = .basic(ada)
        #expect(await transport.run(exchange).status == 200)
        exchange.proxyAuthentication = .none
        exchange.proxy?.credential = ada
        #expect(await transport.run(exchange).status == 200)
        #expect(proxy.requests.allSatisfy { $0.hasPrefix("GET http://files.invalid/a HTTP/1.1\r\n") })
    }

    @Test func digestAtAProxyWithoutATunnel() async throws {
        let proxy = try ScriptedServer { connection, _ in
            while let head = connection.readHead() {
                head.contains("Proxy-Authorization: Digest")
                    ? connection.answer("200 OK", body: [33])
                    : connection.answer("407 Log In", [Self.digest], body: [63])
            }
        }
        var exchange = Exchange(url: try TransferURL("http://files.invalid/a"), method: .get)
        exchange.proxy = ProxyServer(host: "127.0.0.1", port: proxy.port)
        exchange.proxyAuthentication = .digest(ada)
        let answer = await transport.run(exchange)
        #expect(answer.heads.map(\.status.code) == [200])
        #expect(answer.text == "!")
    }

    @Test func socksResolvesAndAuthenticates() async throws {
        let seen = Mutex<[[UInt8]]>([])
        let proxy = try ScriptedServer { connection, _ in
            let greeting = connection.readBody(2)
            let methods = connection.readBody(Int(greeting.last ?? 0))
            guard methods.contains(2) else { return }
            connection.send([5, 2])
            let login = connection.readBody(10)
            connection.send([1, 0])
            let request = connection.readBody(5)
            let target = connection.readBody(Int(request.last ?? 0) + 2)
            seen.withLock { $0 = [login, Array(target.dropLast(2))] }
            connection.send([5, 0, 0, 1, 127, 0, 0, 1, 0, 80])
            if connection.readHead() != nil { connection.answer("200 OK") }
        }
        var exchange = Exchange(url: try TransferURL("http://files.invalid/a"), method: .get)
        exchange.proxy = ProxyServer(
            scheme: .socks5h, host: "127.0.0.1", port: proxy.port, credential: Credential(user: "ada", password: "love")
        )
        #expect(await transport.run(exchange).status == 200)
        #expect(
            seen.withLock { $0 } == [
                [1, 3] + Array("ada".utf8) + [4] + Array("love".utf8), Array("files.invalid".utf8),
            ])
        #expect(proxy.requests.first?.hasPrefix("GET /a HTTP/1.1") == true)
    }

    @Test func reportsUnsupportedProxyOptions() async throws {
        var exchange = Exchange(url: try TransferURL("http://files.invalid/a"), method: .get)
        exchange.proxy = ProxyServer(host: "127.0.0.1", port: 1)
        for authentication in [Exchange.Authentication.bearer(Secret("x"))] {
            exchange.proxyAuthentication = authentication
            #expect(await transport.run(exchange).misconfiguration == .usage)
        }
        exchange.proxy?.scheme = .socks5
        exchange.proxyAuthentication = .digest(ada)
        #expect(await transport.run(exchange).misconfiguration == .usage)
    }
}
