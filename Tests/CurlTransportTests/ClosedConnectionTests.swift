// SPDX-License-Identifier: MIT

import CurlTransport
import HTTPTypes
import SessionCore
import Testing
import TransferModel
import TransferTesting

/// A connection that the server closes instead of sending the response to a second request.
@Suite(.timeLimit(.minutes(10))) struct ClosedConnectionTests {
    private static let size = 600_000

    @Test(arguments: [true, false]) func aBodyThatIsSentOnceIsNotSentAgain(_ isOnce: Bool) async throws {
        let server = try ScriptedServer { connection, number in
            while let head = connection.readHead() {
                _ = connection.readBody(Self.size)
                if number == 1, head.contains("/second") { return }
                connection.answer("201 Created")
            }
        }
        let transport = try CurlTransport()
        var records: [RecordedExchange] = []
        for path in ["/first", "/second"] {
            var exchange = Exchange(url: try TransferURL(server.url(path)), method: .patch)
            exchange.body = .bytes(patternedBytes(Self.size))
            exchange.sendsBodyOnce = isOnce
            records.append(await transport.run(exchange))
        }
        #expect(records[0].status == 201 && records[0].failure == nil)
        #expect(records[1].status == (isOnce ? nil : 201))
        #expect(records[1].failure?.cause == (isOnce ? .transport(.noResponse) : nil))
        #expect(server.requests.count { $0.contains("/second") } == (isOnce ? 1 : 2))
    }
}
