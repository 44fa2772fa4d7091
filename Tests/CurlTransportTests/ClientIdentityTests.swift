// SPDX-License-Identifier: MIT

import CurlTransport
import SessionCore
import Testing
import TransferModel
import TransferTesting

/// Certificates of the client and limits of TLS, against `openssl s_server`.
@Suite(.timeLimit(.minutes(10))) struct ClientIdentityTests {
    let transport = try! CurlTransport()
    private static let demanding = ["-Verify", "1", "-verify_return_error"]

    /// A server that demands a certificate of `authority`'s making, which here is the client's own.
    private func demandingServer(
        _ version: String, _ folder: TemporaryFolder
    ) async throws
        -> (server: OpenSSLServer, own: TestCertificate, client: TestCertificate)
    {
        let own = try await TestCertificate.make(in: folder)
        let client = try await TestCertificate.make(in: folder, "client", subject: "/CN=client")
        let server = try await OpenSSLServer(own, in: folder, Self.demanding + [version, "-CAfile", client.path])
        return (server, own, client)
    }

    @Test(arguments: ["-tls1_2", "-tls1_3"]) func detectsACertificateDemand(_ version: String) async throws {
        let folder = try TemporaryFolder()
        let (server, own, client) = try await demandingServer(version, folder)
        var exchange = try server.exchange(trusting: own)
        #expect(await transport.run(exchange).failure?.cause == .clientCertificateRequired)
        exchange.clientIdentity = ClientIdentity(certificate: client.path, key: client.key)
        let answer = await transport.run(exchange)
        #expect(answer.status == 200, "\(String(describing: answer.failure))")
        // One that it does not trust is not one that is missing.
        exchange.clientIdentity = ClientIdentity(certificate: own.path, key: own.key)
        let other = await transport.run(exchange)
        #expect(other.failure?.cause == .clientCertificateRefused, "\(String(describing: other.failure))")
    }

    /// However the server would end the connection: it has sent nothing but its handshake.
    @Test(arguments: ["-verify", "-Verify"]) func reportsARequestForACertificate(_ option: String) async throws {
        let folder = try TemporaryFolder()
        let own = try await TestCertificate.make(in: folder)
        let client = try await TestCertificate.make(in: folder, "client", subject: "/CN=client")
        let server = try await OpenSSLServer(own, in: folder, [option, "1", "-tls1_3", "-CAfile", client.path])
        var exchange = try server.exchange(trusting: own)
        exchange.reportsCertificateRequest = true
        #expect(await transport.run(exchange).failure?.cause == .clientCertificateRequested)
        exchange.clientIdentity = ClientIdentity(certificate: client.path, key: client.key)
        exchange.reportsCertificateRequest = false
        #expect(await transport.run(exchange).status == 200)
        exchange.clientIdentity = nil
        #expect(await transport.run(exchange).status == (option == "-verify" ? 200 : nil))
    }

    @Test func refusedHandshakesAreNoDemand() async throws {
        let folder = try TemporaryFolder()
        let own = try await TestCertificate.make(in: folder)
        // No cipher in common with a certificate of this kind.
        let server = try await OpenSSLServer(own, in: folder, ["-tls1_2", "-cipher", "AES128-SHA256"])
        #expect(await transport.run(try server.exchange(trusting: own)).curlCode == 35)
    }

    @Test func readsIdentitiesOfEachKind() async throws {
        let folder = try TemporaryFolder()
        let (server, own, client) = try await demandingServer("-tls1_3", folder)
        let (locked, bundle) = (folder.file("locked.key"), folder.file("me.p12"))
        try await openssl(["ec", "-in", client.key, "-aes128", "-passout", "pass:open", "-out", locked])
        try await openssl([
            "pkcs12", "-export", "-in", client.path, "-inkey", client.key, "-passout", "pass:open", "-out", bundle,
        ])
        let both = try folder.write(try folder.read("client.pem") + folder.read("client.key"), to: "both.pem")
        let secret = Secret("open")
        for identity in [
            ClientIdentity(certificate: both),
            ClientIdentity(certificate: client.path, key: locked, passphrase: secret),
            ClientIdentity(certificate: bundle, passphrase: secret),
        ] {
            var exchange = try server.exchange(trusting: own)
            exchange.clientIdentity = identity
            #expect(await transport.run(exchange).status == 200, "\(identity)")
        }
    }

    @Test func reportsUnusableIdentities() async throws {
        let folder = try TemporaryFolder()
        let (server, own, client) = try await demandingServer("-tls1_3", folder)
        let (locked, bundle) = (folder.file("locked.key"), folder.file("me.p12"))
        try await openssl(["ec", "-in", client.key, "-aes128", "-passout", "pass:open", "-out", locked])
        try await openssl([
            "pkcs12", "-export", "-in", client.path, "-inkey", client.key, "-passout", "pass:open", "-out", bundle,
        ])
        var exchange = try server.exchange(trusting: own)
        let (absent, noKey) = (folder.file("absent.pem"), folder.file("no.key"))
        for (identity, problem) in [
            (ClientIdentity(certificate: absent), TransferProblem(.clientCertificateUnreadable, absent, 2)),
            (ClientIdentity(certificate: client.path, key: noKey), TransferProblem(.clientKeyUnreadable, noKey, 2)),
        ] {
            exchange.clientIdentity = identity
            let answer = await transport.run(exchange)
            #expect(answer.misconfiguration == .clientCertificate)
            #expect(answer.failure?.problem == problem)
        }
        let wrong = Secret("wrong")
        for identity in [
            ClientIdentity(certificate: client.path, key: own.key),
            ClientIdentity(certificate: client.path, key: locked),
            ClientIdentity(certificate: client.path, key: locked, passphrase: wrong),
            ClientIdentity(certificate: bundle, passphrase: wrong), ClientIdentity(certificate: locked),
        ] {
            exchange.clientIdentity = identity
            let answer = await transport.run(exchange)
            #expect(answer.curlCode == 58, "\(identity) \(String(describing: answer.failure))")
            #expect(
                answer.failure?.detail.contains("wrong ") != true
                    || answer.failure?.detail.contains("wrong pass phrase") == true)
        }
    }

    /// An unverified server does not learn the client's identity.
    @Test func sendsNoIdentityWhileCapturingACertificate() async throws {
        let folder = try TemporaryFolder()
        let (server, _, client) = try await demandingServer("-tls1_3", folder)
        var exchange = try server.exchange(trusting: client)
        exchange.clientIdentity = ClientIdentity(certificate: folder.file("absent.pem"))
        exchange.trust = .capture
        #expect(await transport.run(exchange).undecided?.chain.count == 1)
    }

    @Test func limitsTLSVersions() async throws {
        let folder = try TemporaryFolder()
        let own = try await TestCertificate.make(in: folder)
        let server = try await OpenSSLServer(own, in: folder)
        for (lowest, highest, expected) in [
            (nil, .tls12, "TLSv1.2"), (.tls13, nil, "TLSv1.3"), (.tls12, .tls13, "TLSv1.3"),
        ]
            as [(TLSVersion?, TLSVersion?, String)]
        {
            var exchange = try server.exchange(trusting: own)
            (exchange.minimumTLS, exchange.maximumTLS) = (lowest, highest)
            let answer = await transport.run(exchange)
            #expect(answer.status == 200, "\(String(describing: answer.failure))")
            #expect(
                answer.text.contains("Protocol  : \(expected)") || answer.text.contains("New, \(expected)"),
                "\(answer.text)")
        }
        let old = try await OpenSSLServer(own, in: folder, ["-tls1_2"])
        var exchange = try old.exchange(trusting: own)
        exchange.minimumTLS = .tls13
        #expect(await transport.run(exchange).curlCode == 35)
        exchange.maximumTLS = .tls12
        #expect(await transport.run(exchange).misconfiguration == .usage)
    }
}
