// SPDX-License-Identifier: MIT

@testable import CurlTransport
import HTTPTypes
import SessionCore
import Testing
import TransferModel
import TransferTesting

/// What is demanded of a server's certificate, against a real server whose folder shows what reached it.
@Suite(.timeLimit(.minutes(10))) struct ServerTrustTests {
    let transport = try! CurlTransport()

    @Test func asksAboutACertificateBeforeSending() async throws {
        try await SecureFileServer.with { server in
            let answer = await transport.run(try server.exchange("a", trust: .ask(approved: [])))
            let trust = try #require(answer.undecided)
            #expect(trust.host == "127.0.0.1")
            #expect(trust.port == server.port)
            #expect(trust.failure == nil)
            #expect(trust.chain.map(\.sha256) == [server.certificate.sha256])
            #expect(trust.chain.first?.publicKeySHA256 == server.certificate.publicKeySHA256)
            #expect(trust.chain.first?.subject == "CN=server")
            #expect(answer.heads.isEmpty)
            #expect(answer.outcome.bodyHandedOver == 0)
            let approved = await transport.run(
                try server.exchange("b", trust: .ask(approved: [server.certificate.sha256])))
            #expect(approved.status == 201)
            #expect(server.stored == ["b"])
        }
    }

    /// The second exchange has no handshake of its own.
    @Test func checksReusedConnectionsAgainstCurrentApprovals() async throws {
        try await SecureFileServer.with { server in
            let approved = Set([server.certificate.sha256])
            for name in ["a", "b"] {
                let answer = await transport.run(try server.exchange(name, trust: .ask(approved: approved)))
                #expect(answer.status == 201)
                #expect(answer.outcome.metrics.isReusedConnection == (name == "b"))
            }
            let other = await transport.run(try server.exchange("c", trust: .ask(approved: [])))
            #expect(other.undecided?.chain.map(\.sha256) == [server.certificate.sha256])
            #expect(server.stored == ["a", "b"])
        }
    }

    @Test func uncheckedConnectionsAreNotReusedWithChecks() async throws {
        try await SecureFileServer.with { server in
            #expect(await transport.run(try server.exchange("a")).status == 201)
            #expect(await transport.run(try server.exchange("b")).outcome.metrics.isReusedConnection)
            let asked = await transport.run(
                try server.exchange("c", trust: .ask(approved: [server.certificate.sha256])))
            #expect(asked.status == 201)
            #expect(!asked.outcome.metrics.isReusedConnection)
        }
    }

    @Test func capturesRejectedCertificates() async throws {
        try await SecureFileServer.with { server in
            let refused = await transport.run(try server.exchange("a", trust: .ask(approved: []), trusted: false))
            #expect(refused.curlCode == 60)
            let captured = await transport.run(try server.exchange("a", trust: .capture, trusted: false))
            #expect(captured.undecided?.chain.map(\.sha256) == [server.certificate.sha256])
            #expect(server.stored.isEmpty)
        }
    }

    @Test func exceptionsApplyToTheirKeyOnly() async throws {
        try await SecureFileServer.with { server in
            let exception = TrustDemand.exception(publicKeySHA256: server.certificate.publicKeySHA256)
            #expect(await transport.run(try server.exchange("a", trust: exception, trusted: false)).status == 201)
            #expect(await transport.run(try server.exchange("b", trust: .system, trusted: false)).curlCode == 60)
            #expect(
                await transport.run(try server.exchange("b", trust: .ask(approved: []), trusted: false)).curlCode == 60)
            let wrong = TrustDemand.exception(publicKeySHA256: [UInt8](repeating: 1, count: 32))
            #expect(await transport.run(try server.exchange("b", trust: wrong, trusted: false)).curlCode == 90)
            let again = await transport.run(try server.exchange("c", trust: exception, trusted: false))
            #expect(again.status == 201)
            #expect(again.outcome.metrics.isReusedConnection)
            let verified = await transport.run(try server.exchange("d"))
            #expect(verified.status == 201)
            #expect(!verified.outcome.metrics.isReusedConnection)
            #expect(server.stored == ["a", "c", "d"])
        }
    }

    /// On a shared connection, each exchange is checked by its own demands.
    @Test(.enabled(if: NginxServer.path != nil)) func checksEachExchangeOfASharedConnection() async throws {
        let folder = try TemporaryFolder()
        let certificate = try await TestCertificate.make(in: folder)
        let server = try await NginxServer(certificate, in: folder)
        @Sendable func answer(_ approved: Set<[UInt8]>) async throws -> RecordedExchange {
            var exchange = Exchange(
                url: try TransferURL("https://127.0.0.1:\(server.port)/"), method: .get, connectTimeout: 10)
            exchange.certificateAuthorities = certificate.path
            exchange.httpVersion = .http2
            exchange.trust = .ask(approved: approved)
            return await transport.run(exchange)
        }
        for _ in 0..<3 {
            let answers = try await withThrowingTaskGroup(of: (Bool, RecordedExchange).self) { group in
                for number in 0..<12 {
                    group.addTask { (number % 3 == 0, try await answer(number % 3 == 0 ? [certificate.sha256] : [])) }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            for (isApproved, answer) in answers {
                #expect(answer.status == (isApproved ? 200 : nil), "\(String(describing: answer.failure))")
                #expect((answer.undecided == nil) == isApproved)
            }
        }
        let last = try await answer([certificate.sha256])
        #expect(last.outcome.metrics.protocolName == "h2")
    }

    @Test func certificatePinsApplyToNewAndReusedConnections() async throws {
        try await SecureFileServer.with { server in
            let own = server.certificate.sha256
            let other = [UInt8](repeating: 7, count: 32)
            for (name, pins, isReused) in [("a", [other, own], false), ("b", [own], true)] {
                var exchange = try server.exchange(name)
                exchange.certificatePins = pins
                let answer = await transport.run(exchange)
                #expect(answer.status == 201)
                #expect(answer.outcome.metrics.isReusedConnection == isReused)
            }
            for trust in [TrustDemand.system, .ask(approved: [own]), .ask(approved: [])] {
                var exchange = try server.exchange("c", trust: trust)
                exchange.certificatePins = [other]
                #expect(await transport.run(exchange).failure?.cause == .certificatePinMismatch)
            }
            #expect(server.stored == ["a", "b"])
        }
    }

    @Test func publicKeyPinsApplyToEachRequest() async throws {
        try await SecureFileServer.with { server in
            let wrong = "sha256//" + String(repeating: "A", count: 43) + "="
            let exception = TrustDemand.exception(publicKeySHA256: server.certificate.publicKeySHA256)
            for (name, trust) in [
                ("a", TrustDemand.system), ("b", .ask(approved: [server.certificate.sha256])), ("c", exception),
            ] {
                var exchange = try server.exchange(name, trust: trust)
                exchange.pins = [wrong]
                let answer = await transport.run(exchange)
                #expect(answer.curlCode == 90 || answer.misconfiguration == .pinMismatch)
                exchange.pins = [wrong, server.certificate.pin]
                #expect(await transport.run(exchange).status == 201)
            }
        }
    }

    @Test(
        arguments: [
            (TrustDemand.system, [[1]], "sent"), (.system, [[2]], "pin"), (.ask(approved: [[1]]), [], "sent"),
            (.ask(approved: [[2]]), [], "ask"),
            (.ask(approved: []), [[2]], "pin"), (.capture, [[2]], "ask"),
            (.exception(publicKeySHA256: [9]), [], "sent"),
            (.exception(publicKeySHA256: [8]), [], "key"), (.exception(publicKeySHA256: [9]), [[2]], "pin"),
        ] as [(TrustDemand, [[UInt8]], String)])
    func verdicts(_ demand: TrustDemand, _ pins: [[UInt8]], _ expected: String) throws {
        var exchange = Exchange(url: try TransferURL("https://h/"), method: .get)
        exchange.trust = demand
        exchange.certificatePins = pins
        let objection = TrustVerdict.objection(exchange, [CertificateSummary(sha256: [1], publicKeySHA256: [9])])
        let name =
            switch objection?.cause {
            case nil: "sent"
            case .trustUndecided: "ask"
            case .certificatePinMismatch: "pin"
            case .transport(.pinMismatch, _, _): "key"
            default: "other"
            }
        #expect(name == expected)
        #expect(TrustVerdict.objection(exchange, []) != nil)
        #expect(TrustVerdict.objection(exchange, nil) != nil)
    }

    @Test func evictsTheLeastRecentlyUsed() {
        let verified = VerifiedConnections()
        func key(_ number: Int32) -> ConnectionKey {
            .init(remote: "r", remotePort: 443, local: "l", localPort: Int(number))
        }
        for number in 0..<2048 as Range<Int32> {
            verified.note([CertificateSummary(sha256: [UInt8(number & 255)])], of: key(number))
        }
        #expect(verified.chain(of: key(0)) != nil)
        verified.note([], of: key(3000))
        #expect(verified.chain(of: key(0))?.first?.sha256 == [0])
        #expect(verified.chain(of: key(1)) == nil)
        #expect(verified.chain(of: key(4000)) == nil)
    }
}
