// SPDX-License-Identifier: MIT

import Foundation
import Testing
import TransferModel
import TransferTesting

@testable import TransferStore

/// What was asked for, as version 1 stored it: the columns `subject` and `options`, and the set of secrets.
@Suite struct GoldenSpecTests {
    static let names = ["download", "plain-download", "upload", "plain-upload"]

    @Test(arguments: 0..<4) func isRead(_ index: Int) throws {
        let name = Self.names[index]
        let secrets: SecretValues = try #require(try StoreJSON.value(try Golden.text("stored/\(name).secrets.json")))
        var decoder = SpecDecoder()
        let spec = try decoder.decode(
            subject: Golden.text("stored/\(name).subject.json"), options: Golden.text("stored/\(name).options.json"),
            secrets: secrets)
        #expect(try spec == SampleTransfers.all(.one)[index])
    }
}
