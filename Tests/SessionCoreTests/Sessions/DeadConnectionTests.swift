// SPDX-License-Identifier: MIT

import HTTPTypes
@testable import SessionCore
import Testing
import TransferModel
import TransferTesting

/// A connection that was used before breaks without a byte of a response.
@Suite struct DeadConnectionTests {
    private static let broken: FakeTransport.Answer = {
        var answer = FakeTransport.Answer(failure: ExchangeFailure(.transport(.sendFailed)))
        answer.isReusedConnection = true
        return answer
    }()

    @Test(
        arguments: [
            (.put, .bytes([1, 2]), 2), (.get, nil, 2), (.delete, nil, 2), (.post, .bytes([1, 2]), 1),
            (.patch, .bytes([1]), 1),
            // A stream that was read cannot be read again.
            (.put, .stream(descriptor: 0), 1),
        ] as [(HTTPRequest.Method, UploadBody?, Int)])
    func whatMayBeRepeatedGetsANewConnection(
        _ method: HTTPRequest.Method, _ body: UploadBody?, _ count: Int
    ) async throws {
        let stage = Stage { _, number in number == 1 ? Self.broken : .init(200) }
        let request = try request("http://a.test/file", method)
        let task: TransferTask
        if let body {
            task = stage.session.uploadTask(with: request, body: body)
        } else {
            task = stage.session.dataTask(with: request)
        }
        task.resume()
        #expect(await eventually { task.state == .completed })
        #expect(stage.transport.exchanges.count == count)
        #expect((task.error == nil) == (count == 2))
        if count == 2 { #expect(stage.transport.exchanges.map(\.needsFreshConnection) == [false, true]) }
    }

    /// One new connection: what breaks again is the server's or the network's.
    @Test func aSecondFailureStands() async throws {
        let stage = Stage { _, _ in Self.broken }
        let task = stage.session.dataTask(with: try request())
        task.resume()
        #expect(await eventually { task.state == .completed })
        #expect(task.error?.code == .sendFailed)
        #expect(stage.transport.exchanges.count == 2)
    }

    @Test func aNewConnectionThatBreaksIsAFailure() async throws {
        let stage = Stage { _, _ in .init(failure: ExchangeFailure(.transport(.sendFailed))) }
        let task = stage.session.dataTask(with: try request())
        task.resume()
        #expect(await eventually { task.state == .completed })
        #expect(task.error?.code == .sendFailed && stage.transport.exchanges.count == 1)
    }
}
