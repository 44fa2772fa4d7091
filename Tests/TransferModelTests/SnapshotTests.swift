// SPDX-License-Identifier: MIT

import FoundationEssentials
import Testing
@testable import TransferModel

@Suite struct SnapshotTests {
    private func snapshot() -> TransferSnapshot {
        TransferSnapshot(id: TransferID(rawValue: 1), kind: .download, url: "http://a.test/", file: "a", state: .failed)
    }

    @Test func boxedPropertiesAreValues() {
        var first = snapshot()
        first.error = TransferError(.timedOut, "late")
        let second = first
        first.error?.message = "later"
        #expect(second.error?.message == "late")
        #expect(first != second)
        first.error = second.error
        #expect(first == second)
        #expect(first.hashValue == second.hashValue)
    }

    @Test func whatIsNotThereIsLeftOutAndReadAsSuch() throws {
        let bare = snapshot()
        let text = String(decoding: try JSONEncoder().encode(bare), as: UTF8.self)
        #expect(!text.contains("metrics") && !text.contains("error"))
        #expect(try JSONDecoder().decode(TransferSnapshot.self, from: Data(text.utf8)) == bare)
        var full = bare
        full.error = TransferError(.httpStatus, "404")
        full.metrics = TransferMetrics()
        #expect(try JSONDecoder().decode(TransferSnapshot.self, from: JSONEncoder().encode(full)) == full)
    }

    @Test func aSnapshotIsSmallEnoughForVeryManyOfThem() {
        #expect(MemoryLayout<TransferSnapshot>.stride <= 320)
    }
}
