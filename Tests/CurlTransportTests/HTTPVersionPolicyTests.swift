// SPDX-License-Identifier: MIT

import CCurl
@testable import CurlTransport
import HTTPTypes
import SessionCore
import Testing
import TransferModel
import TransferTesting

@Suite struct HTTPVersionPolicyTests {
    @Test(arguments: [
        (0x075801, TransferOptions.HTTPVersion.automatic, CURL_HTTP_VERSION_1_1),
        (0x080300, .automatic, CURL_HTTP_VERSION_1_1),
        (0x080400, .automatic, CURL_HTTP_VERSION_2TLS),
        (0x081000, .automatic, CURL_HTTP_VERSION_1_1),
        (0x081001, .automatic, CURL_HTTP_VERSION_2TLS),
        (0x075801, .http2, CURL_HTTP_VERSION_2TLS),
        (0x080400, .http1, CURL_HTTP_VERSION_1_1),
    ] as [(UInt32, TransferOptions.HTTPVersion, Int)])
    func http2IsOfferedWhereItIsSoundOrAskedFor(_ library: UInt32, _ wish: TransferOptions.HTTPVersion, _ option: Int) {
        #expect(HTTPVersionPolicy(libraryVersion: library).option(for: wish) == option)
    }
}

@Suite(.timeLimit(.minutes(1))) struct ConnectionTests {
    @Test func aConnectionIsUsedAgainButNotForAPost() async throws {
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
}
