// SPDX-License-Identifier: MIT

import CCurl
@testable import CurlTransport
import HTTPTypes
import SessionCore
import Testing
import TransferModel
import TransferTesting

@Suite struct HTTPVersionPolicyTests {
    @Test(
        arguments: [
            (0x075801, TransferOptions.HTTPVersion.automatic, CURL_HTTP_VERSION_1_1),
            (0x080300, .automatic, CURL_HTTP_VERSION_1_1),
            (0x080400, .automatic, CURL_HTTP_VERSION_2TLS),
            (0x081000, .automatic, CURL_HTTP_VERSION_1_1),
            (0x081001, .automatic, CURL_HTTP_VERSION_2TLS),
            (0x075801, .http2, CURL_HTTP_VERSION_2TLS),
            (0x080400, .http1, CURL_HTTP_VERSION_1_1),
        ] as [(UInt32, TransferOptions.HTTPVersion, Int)])
    func offersHTTP2IfSafeOrRequested(_ library: UInt32, _ requested: TransferOptions.HTTPVersion, _ option: Int) {
        #expect(HTTPVersionPolicy(libraryVersion: library).option(for: requested) == option)
    }
}

extension HTTPVersionPolicyTests {
    @Test(
        arguments: [
            (true, TransferOptions.HTTPVersion.http3, true, false, CURL_HTTP_VERSION_3),
            (true, .http3, false, false, CURL_HTTP_VERSION_2TLS),
            (false, .http3, true, false, CURL_HTTP_VERSION_2TLS),
            (true, .automatic, true, true, CURL_HTTP_VERSION_3),
            (true, .automatic, false, true, CURL_HTTP_VERSION_2TLS),
            (true, .automatic, true, false, CURL_HTTP_VERSION_2TLS),
            (false, .automatic, true, true, CURL_HTTP_VERSION_2TLS),
            (true, .http1, true, true, CURL_HTTP_VERSION_1_1),
            (true, .http2, true, true, CURL_HTTP_VERSION_2TLS),
        ] as [(Bool, TransferOptions.HTTPVersion, Bool, Bool, Int)])
    func attemptsHTTP3IfSupportedOverTLS(
        _ hasHTTP3: Bool, _ requested: TransferOptions.HTTPVersion, _ isSecure: Bool,
        _ isAssumed: Bool, _ option: Int
    ) {
        let policy = HTTPVersionPolicy(libraryVersion: 0x080e01, hasHTTP3: hasHTTP3)
        #expect(policy.option(for: requested, isSecure: isSecure, assumesHTTP3: isAssumed) == option)
    }

    @Test(arguments: [(0.0, 1), (1, 256), (0.5, 129), (-3, 1), (7, 256), (.nan, 16)]) func prioritiesAreWeights(
        _ priority: Double, _ weight: Int
    ) {
        #expect(HTTPVersionPolicy.streamWeight(priority) == weight)
    }

    @Test func doesNotWaitForUnsharableConnections() {
        #expect(HTTPVersionPolicy.multiplexes(CURL_HTTP_VERSION_2TLS, isSecure: true))
        #expect(HTTPVersionPolicy.multiplexes(CURL_HTTP_VERSION_3, isSecure: true))
        #expect(!HTTPVersionPolicy.multiplexes(CURL_HTTP_VERSION_2TLS, isSecure: false))
        #expect(!HTTPVersionPolicy.multiplexes(CURL_HTTP_VERSION_1_1, isSecure: true))
    }
}

@Suite(.timeLimit(.minutes(10))) struct ConnectionTests {
    @Test(.enabled(if: NginxServer.path != nil)) func aRequestForHTTP2UsesNoConnectionForHTTP1() async throws {
        let folder = try TemporaryFolder()
        let certificate = try await TestCertificate.make(in: folder)
        let (server, transport) = (try await NginxServer(certificate, in: folder), try CurlTransport())
        var protocols: [String?] = []
        for version in [TransferOptions.HTTPVersion.http1, .http2, .http1, .http2] {
            var exchange = Exchange(url: try TransferURL("https://127.0.0.1:\(server.port)/"), method: .get)
            exchange.certificateAuthorities = certificate.path
            exchange.httpVersion = version
            let record = await transport.run(exchange)
            protocols.append(record.outcome.metrics.protocolName)
            #expect(record.outcome.metrics.isReusedConnection == (protocols.count > 2))
        }
        #expect(protocols == ["http/1.1", "h2", "http/1.1", "h2"])
    }

    @Test func reusesConnectionsExceptForPOST() async throws {
        let connections = Counter()
        let server = try ScriptedServer { connection, _ in
            connections.add()
            while connection.readHead() != nil { connection.answer("200 OK", body: [1]) }
        }
        let session = TransferSession(transport: try CurlTransport())
        let get = try TransferRequest(url: TransferURL(server.url()))
        let first = try await session.data(for: get)
        let second = try await session.data(for: get)
        #expect(!first.metrics.isReusedConnection)
        #expect(second.metrics.isReusedConnection)
        #expect(second.metrics.connect == nil)
        let post = try TransferRequest(url: TransferURL(server.url()), method: .post)
        let third = try await session.data(for: post, body: [])
        #expect(!third.metrics.isReusedConnection)
        #expect(connections.count == 2)
    }

    /// The server has closed its end, and the kernel takes what is sent until it finds out. The next request is
    /// libcurl's where it reads the failure, else the session's.
    @Test func anUploadOnADeadConnectionGetsANewOne() async throws {
        let bytes = [UInt8](repeating: 7, count: 3_000_000)
        let server = try ScriptedServer { connection, number in
            guard connection.readHead() != nil, connection.readBody(bytes.count).count == bytes.count else { return }
            connection.answer("201 Created")
            guard number == 1, connection.readHead() != nil else { return connection.waitForClose() }
            _ = connection.readBody(10_000)
            connection.reset()
        }
        let session = TransferSession(transport: try CurlTransport())
        for _ in 1...2 {
            let request = TransferRequest(url: try TransferURL(server.url()), method: .put)
            let result = try await session.upload(for: request, body: .bytes(bytes))
            #expect(result.response.status.code == 201)
        }
        #expect(server.requests.map { $0.prefix(3) } == ["PUT", "PUT", "PUT"])
    }
}
