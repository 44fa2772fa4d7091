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

    /// What the server has of its path, too.
    @Test(arguments: [
        (.upload, "/w/al/A/c d.jpg", "http://h/dst/al/A/c%20d.jpg?x=1", "al/A/c d.jpg"),
        (.upload, "/w/al/A/c.jpg", "http://h/dst/c.jpg", nil), (.upload, "/w/al/c.jpg", "http://h/files/", nil),
        (.upload, "-", "http://h/-", nil), (.download, "/w/al/c.jpg", "http://h/al/c.jpg", nil),
    ] as [(TransferKind, String, String, String?)])
    func filesOfAFolderHaveTheirPath(_ kind: TransferKind, _ file: String, _ url: String, _ path: String?) {
        let transfer = Transfer(
            id: TransferID(rawValue: 1), kind: kind, url: url, file: file, status: failed("late"))
        #expect(transfer.pathWithinUpload == path)
    }

    @Test func transfersAreSmall() {
        #expect(MemoryLayout<Transfer>.stride <= 240)
    }
}
