// SPDX-License-Identifier: MIT

import Foundation
import Testing
import TransferModel
import TransferTesting

@testable import TransferStore

/// What was asked for, as version 1 stored it: the columns `subject` and `options`, and the set of secrets.
@Suite struct GoldenDescriptionTests {
    static let names = ["download", "plain-download", "upload", "plain-upload"]

    @Test(arguments: 0..<4) func isRead(_ index: Int) throws {
        let name = Self.names[index]
        let subject: StoredDescription.Subject = try #require(try StoreJSON.value(try Golden.text("stored/\(name).subject.json")))
        let options: StoredDescription.Options = try #require(try StoreJSON.value(try Golden.text("stored/\(name).options.json")))
        let secrets: SecretValues = try #require(try StoreJSON.value(try Golden.text("stored/\(name).secrets.json")))
        #expect(try StoredDescription(subject: subject, options: options).restored(with: secrets) == SampleTransfers.all()[index])
    }
}
