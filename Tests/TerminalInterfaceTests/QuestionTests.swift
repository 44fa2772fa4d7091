// SPDX-License-Identifier: MIT

import Testing
import TransferControl
import TransferModel

@testable import TerminalInterface

struct QuestionTests {
    /// In small windows, too: without the host, no fingerprint can be compared.
    @Test(arguments: [(40, 4), (40, 6), (40, 10), (60, 12), (80, 24)])
    func aCertificateShowsItsHostFirst(_ columns: Int, _ rows: Int) throws {
        let all = Samples.kinds.list.transfers.values
        let asking = try #require(all.first { if case .trust? = $0.question { true } else { false } })
        var state = Samples.state([asking])
        state.resize(columns: columns, rows: rows)
        #expect(state.keys(.character("T")).isEmpty)
        let grid = render(state, columns: columns, rows: rows, capabilities: .unicode)
        let lines = (0..<rows).map { grid.text(row: $0) }
        let host = try #require(lines.lastIndex { $0.hasPrefix("src.example:8443 ") })
        #expect(lines[rows - 1].contains("Trust it? o once, a always, n no"))
        guard rows >= 10 else { return }
        let certificate = try #require(lines.lastIndex { $0.contains("00:01:02:03") })
        #expect(certificate > host)
    }

    /// Where there is room, and a rule separates them from the list.
    @Test func valuesStandBelowEachOther() throws {
        let all = Samples.kinds.list.transfers.values
        let asking = try #require(all.first { if case .trust? = $0.question { true } else { false } })
        var state = Samples.state([asking])
        state.resize(columns: 100, rows: 24)
        #expect(state.keys(.character("T")).isEmpty)
        let grid = render(state, columns: 100, rows: 24, capabilities: .unicode)
        let lines = (0..<24).map { grid.text(row: $0) }
        let rule = try #require(lines.lastIndex { $0.hasPrefix("──") })
        #expect(lines[rule + 1].hasPrefix("src.example:8443 "))
        for (label, value) in [("subject:", "CN="), ("certificate:", "SHA-256"), ("public key:", "sha256//")] {
            let line = try #require(lines.first { $0.hasPrefix(label) })
            #expect(line.hasPrefix(CellText.fit(label, width: 13) + value), "\(line)")
        }
    }

    /// The fewer lines, the fewer details; the fingerprint of the certificate is the last that goes.
    @Test func smallWindowsLeaveDetailsOutByTheirRole() throws {
        let all = Samples.kinds.list.transfers.values
        let asking = try #require(all.first { if case .trust? = $0.question { true } else { false } })
        let labels = ["subject:", "issuer:", "valid:", "public key:", "certificate:"]
        var counts: Set<Int> = []
        for rows in 4...24 {
            var state = Samples.state([asking])
            state.resize(columns: 60, rows: rows)
            #expect(state.keys(.character("T")).isEmpty)
            let grid = render(state, columns: 60, rows: rows, capabilities: .unicode)
            let lines = (0..<rows).map { grid.text(row: $0) }
            let shown = labels.filter { label in lines.contains { $0.hasPrefix(label) } }
            #expect(shown == labels.suffix(shown.count), "\(rows): \(shown)")
            counts.insert(shown.count)
        }
        #expect(counts.contains(labels.count) && counts.contains(1), "\(counts)")
    }
}
