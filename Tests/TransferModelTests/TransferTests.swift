// SPDX-License-Identifier: MIT

import FoundationEssentials
import Testing
@testable import TransferModel

@Suite struct TransferTests {
    private func failed(_ message: String, metrics: TransferMetrics? = nil) -> TransferStatus {
        .failed(.init(metrics: metrics), TransferError(.timedOut, message))
    }

    private func snapshot() -> Transfer {
        Transfer(id: TransferID(rawValue: 1), kind: .download, url: "http://a.test/", file: "a", status: failed("late"))
    }

    @Test func boxedPropertiesAreValues() {
        var first = snapshot()
        let second = first
        first.status = failed("later")
        #expect(second.error?.message == "late")
        #expect(first != second)
        first.status = failed("late")
        #expect(first == second)
        #expect(first.hashValue == second.hashValue)
    }

    @Test func omitsAndReadsAbsentMembers() throws {
        let bare = snapshot()
        let text = String(decoding: try JSONEncoder().encode(bare), as: UTF8.self)
        #expect(!text.contains("metrics") && !text.contains("retryAt"))
        #expect(try JSONDecoder().decode(Transfer.self, from: Data(text.utf8)) == bare)
        var full = bare
        full.status = failed("late", metrics: TransferMetrics())
        #expect(try JSONDecoder().decode(Transfer.self, from: JSONEncoder().encode(full)) == full)
    }

    @Test(arguments: [
        (1_700_000_000.4, 1_700_000_000), (nil, nil), (0, nil), (-5, nil), (.nan, nil), (.infinity, nil), (1e12, nil),
    ] as [(Double?, Double?)])
    func silentTimesAreWholeSeconds(_ time: Double?, _ kept: Double?) {
        #expect(TransferStatus.Pace(rate: 0, silentSince: time).silentSince == kept)
    }

    @Test func transfersAreSmall() {
        #expect(MemoryLayout<Transfer>.stride <= 240)
    }
}
