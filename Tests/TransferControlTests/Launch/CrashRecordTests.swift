// SPDX-License-Identifier: MIT

import Testing
import TransferModel

@testable import TransferControl

@Suite struct CrashRecordTests {
    @Test func readsItsOwnForm() {
        let entries = [
            CrashRecord.Entry(id: TransferID(rawValue: 7), isRunning: true, crashes: 0),
            CrashRecord.Entry(id: TransferID(rawValue: 123_456_789), isRunning: false, crashes: 1),
        ]
        let record = CrashRecord(signal: 11, crashes: 2, startedAt: 1_700_000_000, entries: entries)
        #expect(record.header.utf8.count == CrashRecord.headerBytes)
        #expect(entries.allSatisfy { $0.line.utf8.count == CrashRecord.entryBytes })
        #expect(CrashRecord.Entry.emptyLine.utf8.count == CrashRecord.entryBytes)
        let text = record.header + entries[0].line + CrashRecord.Entry.emptyLine + entries[1].line
        #expect(CrashRecord(parsing: text) == record)
    }

    @Test(arguments: ["", "\n\n", "signal\nrunning x y\nsuspect 1\n", "\u{0}\u{0}\u{0}"])
    func ignoresUnreadableFields(_ text: String) {
        #expect(CrashRecord(parsing: text) == CrashRecord(startedAt: 0))
    }

    @Test func onlyEarlyCrashesDelayStarts() {
        func pause(_ signal: Int32, _ crashes: Int, lived: Double, after: Double) -> Double? {
            CrashRecord(signal: signal, crashes: crashes, startedAt: 1000).pause(
                at: 1000 + lived + after, endedAt: 1000 + lived)
        }
        #expect(pause(4, 2, lived: 1, after: 10) == 50)
        #expect(pause(4, 2, lived: 1, after: 60) == nil)
        #expect(pause(4, 2, lived: 1, after: -3600) == nil)
        #expect(pause(4, 1, lived: 1, after: 10) == nil)
        #expect(pause(0, 9, lived: 1, after: 10) == nil)
        #expect(pause(4, 9, lived: 61, after: 10) == nil)
    }
}
