// SPDX-License-Identifier: MIT

import Foundation
import HTTPTypes
import SessionCore
import Testing
import TransferModel
import TransferTesting

/// The head that had come, in the error of who has no task to ask for it.
@Suite struct FailureHeadTests {
    @Test func failuresContainTheHead() async throws {
        let stage = Stage { _, _ in
            var answer = FakeTransport.Answer(200, [.contentLength: "10", .eTag: "\"v\""], body: [1, 2, 3])
            answer.failure = ExchangeFailure(.transport(.receiveFailed))
            return answer
        }
        let error = await #expect(throws: TransferError.self) { try await stage.session.data(for: try request()) }
        #expect(error?.response?.status.code == 200)
        #expect(error?.response?.headerFields[.eTag] == "\"v\"")
        // It does not travel: heads hold cookies.
        let encoded = try JSONEncoder().encode(try #require(error))
        #expect(!String(decoding: encoded, as: UTF8.self).contains("response"))
        #expect(try JSONDecoder().decode(TransferError.self, from: encoded) == error)
    }

    @Test func failuresBeforeTheHeadHaveNone() async throws {
        let stage = Stage { _, _ in .init(failure: ExchangeFailure(.transport(.cannotConnect, errno: 111))) }
        let error = await #expect(throws: TransferError.self) { try await stage.session.data(for: try request()) }
        #expect(error?.code == .cannotConnect && error?.response == nil)
    }
}
