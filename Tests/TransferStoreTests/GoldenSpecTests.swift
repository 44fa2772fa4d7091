// SPDX-License-Identifier: MIT

import Foundation
import Testing
import TransferModel
import TransferTesting

@testable import TransferStore

/// What was asked for, as versions stored it: the columns `subject` and `options`, and the set of secrets.
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

    /// The present form. Where it differs from a released one, its version rises, and ``Version1`` shows what else
    /// there is to do; before a release, `FILEQ_RECORD_GOLDENS=1` records it again.
    @Test(arguments: 0..<4) func isStoredInThePresentForm(_ index: Int) throws {
        var encoder = SpecEncoder()
        let encoded = try encoder.encode(SampleTransfers.all()[index])
        let secrets = encoded.secrets.map { encoder.secrets[$0] } ?? SecretValues()
        let columns = [
            ("subject", encoded.subject), ("options", encoded.options), ("secrets", try StoreJSON.text(secrets) ?? ""),
        ]
        for (column, text) in columns {
            let name = "stored/\(Self.names[index]).\(column).json"
            if ProcessInfo.processInfo.environment["FILEQ_RECORD_GOLDENS"] == "1" {
                let path = Golden.path(name, version: SpecColumns.currentVersion)
                try Data(try Self.sorted(text).utf8).write(to: URL(fileURLWithPath: path))
            }
            #expect(try Self.sorted(text) == Golden.text(name, version: SpecColumns.currentVersion), "\(column)")
        }
    }

    /// Members of an object have no order.
    private static func sorted(_ text: String) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes, .prettyPrinted]
        let tree = try JSONDecoder().decode(JSONTree.self, from: Data(text.utf8))
        return String(decoding: try encoder.encode(tree), as: UTF8.self) + "\n"
    }
}
