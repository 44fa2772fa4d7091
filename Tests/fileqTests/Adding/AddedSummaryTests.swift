// SPDX-License-Identifier: MIT

import Testing
import TransferControl
import TransferModel

@testable import fileq

@Suite struct AddedSummaryTests {
    private func lines(_ words: [String], glyphs: TerminalGlyphs = .unicode) throws -> [String] {
        let plan = try addPlan(words)
        let added = AddedSummary(glyphs: glyphs, home: "/home/user", local: .utc)
        return plan.descriptions.enumerated().map { index, description in
            added.line(
                for: description, id: TransferID(rawValue: 9 + index), begin: plan.terms.earliestBegin,
                isPaused: plan.terms.paused, now: 0)
        }
    }

    @Test func linesShowSourceAndDestination() throws {
        #expect(
            try lines(["http://h/disk.iso", "http://h/b"]) == ["queued 9  disk.iso → ~/disk.iso", "queued 10  b → ~/b"])
        #expect(try lines(["--at", "+2h30m", "http://h/a"]) == ["queued 9  a → ~/a (at 02:30)"])
        #expect(try lines(["--at", "+1d", "http://h/a"]) == ["queued 9  a → ~/a (at 1970-01-02 00:00)"])
        #expect(try lines(["--paused", "http://h/a"], glyphs: .ascii) == ["queued 9  a -> ~/a (paused)"])
        #expect(try lines(["http://h/b"], glyphs: .words(isUnicode: true)) == ["queued 9  b to ~/b"])
        let folder = try Folder()
        let file = try folder.write("x", to: "report.pdf")
        #expect(try lines(["put", file, "http://u:p@h/in/"]) == ["queued 9  report.pdf → http://h/in/report.pdf"])
        #expect(try lines(["-o", "\(folder.path)/x", "http://h/a"]) == ["queued 9  a → \(folder.path)/x"])
    }

    @Test func noTerminalControlIsWritten() throws {
        let line = try lines(["http://h/b%1b%5b31mc"])[0]
        #expect(line.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control })
    }
}
