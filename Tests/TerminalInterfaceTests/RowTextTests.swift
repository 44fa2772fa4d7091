// SPDX-License-Identifier: MIT

import Foundation
import Testing
import TransferControl
import TransferModel
import TransferTesting

@testable import TerminalInterface

struct RowTextTests {
    private func texts(_ transfer: Transfer, lastMoved: Double? = nil) -> [String]? {
        var around = RowText.Surroundings(now: 1000, clock: .utc, words: Samples.words)
        if let lastMoved { around.lastMoved[transfer.id] = lastMoved }
        return RowText(transfer, around)?.texts
    }

    @Test func aMovingTransferHasNone() {
        let transfer = Samples.transfer(1, .running, bytes: 5, total: 10)
        #expect(texts(transfer) == nil && texts(transfer, lastMoved: 991) == nil)
        #expect(texts(transfer, lastMoved: 986)?.first == "no data 0:14")
    }

    @Test func anUploadAwaitsTheServer() {
        let sent = Samples.transfer(1, .running, kind: .upload, bytes: 10, total: 10)
        #expect(texts(sent, lastMoved: 988)?.first == "awaits server 0:12")
        #expect(texts(sent, lastMoved: 999)?.first == "awaits server 0:01" && texts(sent, lastMoved: 999.5) == nil)
        #expect(texts(Samples.transfer(1, .running, kind: .upload, bytes: 9, total: 10), lastMoved: 999) == nil)
    }

    /// Where there is no room for both, the cause takes that of the attempt's number.
    @Test func aRetryKeepsItsCause() throws {
        var retrying = Samples.transfer(1, .retrying, bytes: 5, total: 10)
        let refused = TransferError(.cannotConnect, "example.org: connection refused", systemErrno: ECONNREFUSED)
        (retrying.attempt, retrying.status) = (8, .retrying(at: 1022, .failure(refused)))
        let row = try #require(
            RowText(retrying, RowText.Surroundings(now: 1000, clock: .utc, words: Samples.words)))
        for (columns, text) in [
            (44, "try 8 in 0:22 · connection refused"), (24, "try 8 in 0:22 · refused"), (18, "in 0:22 · refused"),
            (14, "try 8 in 0:22"), (12, "in 0:22"),
        ] {
            #expect(row.fitting(columns) == text, "\(columns)")
        }
    }

    private func queued(_ limits: QueueLimits) -> InterfaceState {
        var later = Samples.transfer(4, .queued)
        later.earliestBegin = 11_920
        var idle = Samples.transfer(5, .queued)
        idle.isDiscretionary = true
        let transfers = [Samples.transfer(1, .running), Samples.transfer(2, .queued), Samples.transfer(3, .queued)]
        var state = Samples.state(transfers + [later, idle])
        state.receive(.limits(limits))
        state.resize(columns: 80, rows: 24)
        return state
    }

    private func rows(_ limits: QueueLimits) -> [String?] {
        let state = queued(limits)
        let around = state.surroundings
        return state.list.order.dropFirst().map { id in
            state.list.transfers[id].flatMap { RowText($0, around) }?.texts.first
        }
    }

    @Test func queuedTransfersSayWhatTheyWaitFor() {
        let scheduled = "at 03:18, in 3h02", idle = "queued · when nothing else runs"
        #expect(rows(QueueLimits(concurrent: 4)) == ["queued · next", "queued", scheduled, idle])
        #expect(rows(QueueLimits(concurrent: 1)) == ["queued · next", "queued · for a slot", scheduled, idle])
        let host = "queued · slot of example.org"
        #expect(rows(QueueLimits(concurrent: 4, perHost: 1)) == [host, host, scheduled, host])
    }

    @Test func theLineBelowTheListAndTheDetailsSayTheSame() {
        var state = queued(QueueLimits(concurrent: 1))
        state.keys(.down, .down)
        let grid = render(state, columns: 80, rows: 24, capabilities: .unicode)
        let advice = "t moves it to the top, L changes the slots"
        #expect(grid.text(row: 21).hasPrefix("Waits for a slot: 1 of 1 is taken. \(advice)."))
        state.keys(.enter)
        func details() -> [String] { DetailView.lines(of: state).map { $0.spans.map(\.text).joined() } }
        for text in ["queued, waits for a slot: 1 of 1 is taken", advice, "Position      2 of 4 queued"] {
            #expect(details().contains { $0.hasSuffix(text) }, "\(text)")
        }
        state.keys(.down)
        for text in ["queued, starts at 03:18, in 3h02", "r starts it now"] {
            #expect(details().contains { $0.hasSuffix(text) }, "\(text)")
        }
    }

    @Test func cancelledBytesAreKept() {
        #expect(
            texts(Samples.transfer(1, .cancelled, bytes: 6 << 20, total: 12 << 20))
                == ["cancelled, 6.00M kept", "cancelled, 6.0M kept", "cancelled"])
        #expect(
            texts(Samples.transfer(1, .cancelled, bytes: 24_956_108, total: 40_000_000))
                == ["cancelled, 23.8M kept", "cancelled, 23M kept", "cancelled"])
        #expect(texts(Samples.transfer(1, .cancelled)) == ["cancelled"])
        #expect(texts(Samples.transfer(1, .cancelled, bytes: 5)) == ["cancelled"], "without a size nothing is promised")
        var lost = Samples.transfer(1, .cancelled, bytes: 6 << 20)
        for total: Int64? in [nil, 12 << 20] {
            lost.total = total
            lost.status = .cancelled(.init(note: .several([.encoded("br"), .leftBehind(file: "a", bytes: 6 << 20)])))
            #expect(
                texts(lost) == ["cancelled, 6.00M not resumable", "cancelled, not resumable", "cancelled"])
        }
        var upload = Samples.transfer(1, .cancelled, kind: .upload, bytes: 9, total: 9)
        #expect(texts(upload) == ["cancelled"], "it begins with the first byte again")
        (upload.uploadProtocol, upload.confirmed) = ("tus-1.0.0", 5)
        #expect(texts(upload)?.first == "cancelled, 5B kept")
    }

    @Test func sentBytesAreNotDrawnAsConfirmed() {
        func row(_ transfer: Transfer) -> String {
            render(Samples.state([transfer]), columns: 80, rows: 24, capabilities: .unicode).text(row: 3)
        }
        var upload = Samples.transfer(1, .running, kind: .upload, bytes: 60, total: 100)
        #expect(row(upload).contains(" 60% ╌╌╌╌╌╌╌╌──────"))
        upload.bytes = 100
        #expect(row(upload).contains(" 99% ╌╌╌╌╌╌╌╌╌╌╌") && !row(upload).contains("awaits"))
        (upload.uploadProtocol, upload.confirmed) = ("tus-1.0.0", 50)
        #expect(row(upload).contains(" 50% ━━━━━") && !row(upload).contains("awaits"))
        // The screen was opened later.
        upload.edit { ($0.rate, $0.silentSince) = (0, 988) }
        #expect(row(upload).contains(" 50% ━━━━━─╌╌╌╌╌ awaits server 0:12"))
        upload.edit { $0.silentSince = 5000 }
        #expect(row(upload).contains(" 50% ━━━━━") && !row(upload).contains("awaits"), "another clock")
        let cancelled = row(Samples.transfer(1, .cancelled, kind: .upload, bytes: 100, total: 100))
        #expect(cancelled.contains(" cancelled ") && !cancelled.contains("%") && !cancelled.contains("kept"))
    }

    @Test func detailsSayThatNothingArrives() {
        func details(_ transfer: Transfer) -> [String] {
            var state = Samples.state([transfer])
            state.now += 49
            state.resize(columns: 80, rows: 24)
            let why = render(state, columns: 80, rows: 24, capabilities: .unicode).text(row: 21)
            return DetailView.lines(of: state).map { $0.spans.map(\.text).joined() } + [why]
        }
        let silent = details(Samples.transfer(1, .running, bytes: 5, total: 10))
        #expect(silent.contains { $0.hasSuffix("  running, nothing has arrived for 0:49") })
        #expect(silent.last?.hasPrefix("Nothing has arrived for 0:49.") == true)
        let sent = details(Samples.transfer(1, .running, kind: .upload, bytes: 10, total: 10))
        #expect(sent.contains { $0.hasSuffix("  waiting for the server for 0:49: all bytes are sent") })
        #expect(sent.last?.hasPrefix("Waiting for the server for 0:49: all bytes are sent.") == true)
    }

    @Test func causesComeFirstAndPlacesAreLeftOut() {
        var failed = Samples.transfer(1, .failed)
        failed.edit {
            $0.error = TransferError(
                .cannotConnect, "example.org: connection refused; more", systemErrno: ECONNREFUSED)
        }
        #expect(texts(failed) == ["connection refused", "refused"])
    }
}
