// SPDX-License-Identifier: MIT

import Testing
import TransferModel
@testable import fileq

@Suite struct TypedTransferTests {
    @Test func addressIsDownload() throws {
        let found = try TypedTransfer.parse("https://example.org/disk.iso")
        #expect(found.map(\.kind) == [.download])
    }

    @Test func limitHoldsForEachTransfer() throws {
        let found = try TypedTransfer.parse("get --limit 2M https://example.org/a https://example.org/b")
        #expect(found.map(\.options.rateLimit) == [2 << 20, 2 << 20])
    }

    @Test(arguments: [
        "get -o - https://example.org/a", "put - https://example.org/a", "get -i -", "put -i - https://example.org/",
    ])
    func rejectsStandardStreams(_ text: String) throws {
        let error = #expect(throws: TransferError.self) { try TypedTransfer.parse(text) }
        #expect(error?.code == .usage)
    }
}
