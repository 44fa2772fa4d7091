// SPDX-License-Identifier: MIT

import Foundation
import Testing
import TransferModel

@Suite struct ParameterProblemTests {
    @Test func readsKindsOfLaterVersions() throws {
        let json = Data(#"{"code":2,"message":"n: is odd","parameter":{"name":"n","kind":"odd"}}"#.utf8)
        let error = try JSONDecoder().decode(TransferError.self, from: json)
        #expect(error.fields.parameter?.kind == .unknown && error.fields.parameter?.message == nil)
        #expect(error.message == "n: is odd")
    }

    @Test func anotherSentenceDropsTheValue() {
        var error = TransferError(ParameterProblem("n", .time))
        error.message = "something else"
        #expect(error.fields.parameter == nil)
    }
}
