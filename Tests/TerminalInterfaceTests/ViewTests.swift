// SPDX-License-Identifier: MIT

import Foundation
import Testing
import TransferControl
import TransferModel
import TransferTesting

@testable import TerminalInterface

struct ViewTests {
    @Test(arguments: [
        (Key.character("1"), QueueView.all, 51), (.character("2"), .active, 6), (.character("3"), .problems, 6),
        (.character("4"), .done, 35),
    ])
    func showsTheirTransfersAndCounts(_ key: Key, _ view: QueueView, _ count: Int) {
        var state = Samples.kinds
        state.keys(key)
        #expect(state.view == view && state.visible.count == count && view.count(state.tally) == count)
        #expect(state.visible.allSatisfy { state.transfers[$0].map(view.listing.contains) == true })
    }

    @Test(arguments: [(80, "35 done", "35/51"), (120, "34 done, 1 cancelled", "34/51")])
    func totalsAndTabsHaveTheSameSum(_ columns: Int, _ counts: String, _ share: String) {
        var state = Samples.kinds
        state.resize(columns: columns, rows: 24)
        let grid = render(state, columns: columns, rows: 24, capabilities: .unicode)
        #expect(grid.text(row: 1).contains("4 Done 35"))
        #expect(grid.text(row: 22).contains(", \(counts) ") && grid.text(row: 22).contains(" \(share) "))
    }

    @Test func tabsGoAround() {
        var state = Samples.kinds
        let views = (0..<6).map { _ in
            state.keys(.tab)
            return state.view
        }
        #expect(views == [.active, .problems, .done, .history, .log, .all])
        state.keys(.backTab)
        #expect(state.view == .log)
    }

    @Test(arguments: [62, 70, 80, 100]) func namesOfTabsStayLongest(_ columns: Int) {
        var state = Samples.kinds
        state.isReadOnly = true
        state.resize(columns: columns, rows: 24)
        state.keys(.character("z"))
        let row = render(state, columns: columns, rows: 24, capabilities: .unicode).text(row: 1)
        #expect(row.contains("2 Active") && row.contains("3 Problems") && row.contains("5 History"), "\(row)")
        #expect(row.contains("/51") && (columns < 80 || row.contains("watching  ●2")), "\(row)")
    }

    @Test func narrowTabsHaveTheBeginningsOfNames() {
        var state = Samples.kinds
        state.resize(columns: 60, rows: 24)
        func row(_ columns: Int) -> String {
            render(state, columns: columns, rows: 24, capabilities: .unicode).text(row: 1)
        }
        #expect(row(60).hasPrefix("[1 All]  2 Acti  3 Prob  4 Done  5 Hist  6 Log "))
        #expect(row(40).hasPrefix("[1 All]  2  3  4  5  6 "))
    }

    @Test func ownViewsHaveKeysCountsAndTabs() throws {
        var state = Samples.kinds
        let snapshot = state.snapshot
        state.keys(.character("7"))
        #expect(state.view == .all && state.notice?.text.hasPrefix("No such view") == true)
        state.ownViews = try [("large", "size>1G"), ("日本語の大きなファイル", "state:running host:*.jp")].map {
            try OwnView(name: $0, filter: $1, now: 0)
        }
        state.receive(.snapshot(snapshot))
        let large = state.transfers.values.count { $0.total ?? 0 > 1 << 30 }
        state.keys(.character("7"))
        #expect(state.view == .firstOwn && state.visible.count == large && large > 0)
        var grid = render(state, columns: 120, rows: 24, capabilities: .unicode)
        #expect(grid.text(row: 1).contains("6 Log  [7 large \(large)]  8 日本語の大… 1"))
        grid = render(state, columns: 120, rows: 24, capabilities: .ascii)
        #expect(grid.text(row: 1).contains("[7 large \(large)]"))
        state.keys(.tab)
        #expect(state.view == .secondOwn && state.visible.count == 1)
        let id = try #require(state.visible.first)
        var moved = try #require(state.transfers[id])
        moved.status = .completed(.init())
        state.receive(.events([TransferEvent(time: 0, name: .completed, transfer: moved)]))
        #expect(state.visible.isEmpty && state.ownCounts == [large, 0])
        state.receive(.removed(snapshot.transfers.map(\.id)))
        #expect(state.ownCounts == [0, 0])
        state.keys(.tab)
        #expect(state.view == .all)
    }

    /// It is cut before all others are.
    @Test(arguments: [
        (["large uploads"], 74, "6 Log  7 large … "), (["large uploads", "long names"], 79, "6 Log  7 larg  8 long "),
        (["日本語の大きなファイル"], 74, "6 Log  7 日本語… "),
        (["large uploads", "日本語の大きなファイル"], 79, "6 Log  7 larg  8 日本 "), (["iso"], 74, "6 Log  7 iso "),
    ])
    func aLongNameOfAnOwnViewShrinksAlone(_ names: [String], _ columns: Int, _ tabs: String) throws {
        var state = Samples.kinds
        state.ownViews = try names.map { try OwnView(name: $0, filter: "size>1G", now: 0) }
        state.receive(.snapshot(state.snapshot))
        let row = render(state, columns: columns, rows: 24, capabilities: .unicode).text(row: 1)
        #expect(row.contains("2 Active  3 Problems  4 Done  5 History  " + tabs), "\(row)")
    }

    /// Rather than those of all views.
    @Test(arguments: [
        (80, "1 All  2 Acti  3 Prob  4 Done  5 Hist  [6 Log]  7 larg  8 work  9 日本"),
        (70, "1 All  2 Active  3 Problems  4 Done  5 History  [6 Log]  7  8  9"),
        (60, "1 All  2 Acti  3 Prob  4 Done  5 Hist  [6 Log]  7  8  9"), (50, "1  2  3  4  5  [6 Log]  7  8  9"),
    ])
    func ownViewsLeaveTheirNamesToTheOthers(_ columns: Int, _ tabs: String) throws {
        var state = Samples.kinds
        state.ownViews = try ["large", "work, failed", "日本語の大きな"].map {
            try OwnView(name: $0, filter: "size>1G", now: 0)
        }
        state.receive(.snapshot(state.snapshot))
        for number in 1...200 { state.log.add(.note, "\(number)", at: 1000) }
        state.resize(columns: columns, rows: 24)
        state.keys(.character("6"))
        func row() -> String { render(state, columns: columns, rows: 24, capabilities: .unicode).text(row: 1) }
        #expect(row().hasPrefix(tabs + " "), "\(row())")
        state.keys(.pageUp)
        #expect(row().hasSuffix("/\(state.logEntries.count)"), "where it stands in what does not follow")
    }

    @Test func ownViewsOfTheConfigurationCountTheFirstPage() throws {
        var options = TerminalProgram.Options()
        options.ownViews = [try OwnView(name: "large", filter: "size>1G", now: 0)]
        var state = InterfaceState(options)
        state.resize(columns: 80, rows: 24)
        let transfers = Samples.kinds.snapshot.transfers
        let large = transfers.count { $0.total ?? 0 > 1 << 30 }
        state.receive(firstPage: transfers)
        #expect(large > 0 && state.ownCounts == [large])
        state.receive(.snapshot(QueueSnapshot(transfers: transfers)))
        #expect(state.ownCounts == [large])
    }

    @Test func theSelectionFollowsItsTransferThroughViewsAndOrders() {
        var state = Samples.kinds
        for keys: [Key] in [[.character("3")], [.character("s"), .character("z")], [.character("1")]] {
            for key in keys { state.keys(key) }
            #expect(state.selection?.rawValue == 14)
        }
        #expect(state.listOrder == ListOrder(key: .size))
    }

    @Test func agesCountFromNow() throws {
        var state = InterfaceState()
        state.resize(columns: 80, rows: 24)
        state.now = 10_000
        state.ownViews = [try OwnView(name: "new", filter: "added<1h", now: 10_000)]
        var transfers = (1...3).map { Samples.transfer($0, .paused) }
        for index in transfers.indices { transfers[index].addedAt = 6500 + Double(index) * 300 }
        state.receive(.snapshot(QueueSnapshot(transfers: transfers)))
        _ = state.dueEffects()
        #expect(state.ownCounts == [3] && state.hasAges)
        state.keys(.character("7"), .down)
        state.now = 10_300
        _ = state.dueEffects()
        #expect(state.ownCounts == [2] && state.visible == ids(2, 3) && state.selection == ids(2)[0])
        // Not with each key.
        state.now = 10_301
        transfers[0].addedAt = 10_301
        state.receive(.events([TransferEvent(time: 0, name: .changed, transfer: transfers[0])]))
        _ = state.dueEffects()
        #expect(state.ownCounts == [3] && state.agesCountFrom == 10_300)
        state.keys(.character("1"), .character("/"))
        for letter in "added>1h".unicodeScalars { state.keys(.character(letter)) }
        state.keys(.enter)
        #expect(state.visible.isEmpty)
        state.now = 12_000
        _ = state.dueEffects()
        #expect(state.visible == ids(2, 3))
    }

    @Test func theFirstPageIsShownUntilAllIsHere() {
        let all = (1...400).map { Samples.transfer($0, .queued, "file\($0)") }
        var state = InterfaceState()
        state.resize(columns: 80, rows: 24)
        state.receive(firstPage: Array(all.prefix(256)))
        #expect(state.visible.count == 256 && state.selection == ids(1)[0] && !state.isLoaded)
        let grid = render(state, columns: 80, rows: 24, capabilities: .unicode)
        #expect((0..<24).contains { grid.text(row: $0).hasPrefix("Loading the whole list") })
        state.keys(.character("j"))
        state.receive(.snapshot(QueueSnapshot(transfers: all)))
        #expect(state.visible.count == 400 && state.selection == ids(2)[0] && state.isLoaded)
        #expect(state.log.entries(matching: "").isEmpty && state.tally.count == 400)
        // One that comes late changes nothing.
        state.receive(firstPage: Array(all.prefix(2)))
        #expect(state.visible.count == 400)
    }

    @Test func transfersJoinAndLeaveAView() {
        var state = Samples.kinds
        state.keys(.character("2"))
        state.receive(.events([TransferEvent(time: 0, name: .paused, transfer: Samples.transfer(1, .paused))]))
        #expect(state.visible.count == 5)
        state.receive(.events([TransferEvent(time: 0, name: .started, transfer: Samples.transfer(7, .running))]))
        #expect(state.visible.count == 6)
    }

    @Test(
        arguments: [
            ("n", [3, 1, 2]), ("z", [2, 3, 1]), ("d", [1, 3, 2]), ("r", [3, 1, 2]), ("t", [3, 1, 2]), ("q", [1, 2, 3]),
        ] as [(Unicode.Scalar, [Int])])
    func sorts(_ letter: Unicode.Scalar, _ expected: [Int]) {
        var first = Samples.transfer(1, .running, "b", bytes: 9, total: 10)
        first.edit { ($0.rate, $0.eta) = (1, 20) }
        let second = Samples.transfer(2, .queued, "C", total: 30)
        var third = Samples.transfer(3, .running, "a", bytes: 10, total: 20)
        third.edit { ($0.rate, $0.eta) = (5, 2) }
        var state = Samples.state([first, second, third])
        state.keys(.character("s"), .character(letter))
        #expect(state.visible.map(\.rawValue) == expected)
        guard letter != "q" else { return }
        state.keys(.character("s"), .character("s"))
        #expect(state.visible.map(\.rawValue) == expected.reversed())
    }

    @Test(
        arguments: [
            ("n", "NAME▴", "NAME▾"), ("z", "SIZE▾", "SIZE▴"), ("d", "PROGRESS▾", "PROGRESS▴"),
            ("r", "RATE▾", "RATE▴"), ("t", "LEFT▴", "LEFT▾"),
        ] as [(Unicode.Scalar, String, String)])
    func arrowsPointUpIfTheLeastComesFirst(_ letter: Unicode.Scalar, _ title: String, _ reversed: String) {
        var state = Samples.queued(2)
        state.resize(columns: 80, rows: 24)
        func headings() -> String { render(state, columns: 80, rows: 24, capabilities: .unicode).text(row: 2) }
        state.keys(.character("s"), .character(letter))
        #expect(headings().contains(title))
        state.keys(.character("s"), .character("s"))
        #expect(headings().contains(reversed))
    }

    @Test func aSortedListReordersOnceASecond() {
        func running(_ id: Int, _ rate: Double) -> Transfer {
            Samples.transfer(id, .running, total: 100).edited { $0.rate = rate }
        }
        var state = Samples.state([running(1, 5), running(2, 3)])
        state.keys(.character("s"), .character("r"))
        state.now += 0.5
        state.receive(.events([TransferEvent(time: 0, name: .progress, transfer: running(2, 9))]))
        #expect(state.visible == ids(1, 2))
        state.now += 0.5
        state.receive(.events([TransferEvent(time: 0, name: .progress, transfer: running(2, 9))]))
        #expect(state.visible == ids(2, 1))
    }

    @Test func onlyTheOrderOfTheQueueIsChangedByHand() {
        var state = Samples.queued(3)
        state.keys(.character("s"), .character("n"))
        for key in ["J", "K", "t", "b"] as [Unicode.Scalar] {
            #expect(state.keys(.character(key)).isEmpty)
            #expect(state.notice?.text.hasPrefix("Sorted by name: s q") == true)
        }
        state.keys(.character("s"), .character("q"))
        #expect(state.keys(.character("J")) == [.perform(.move(.down), ids(1))])
    }

    @Test func problemsAreOneKeyAway() {
        var state = Samples.kinds
        var seen: [Int] = []
        for _ in 0..<6 {
            state.keys(.character("n"))
            seen.append(state.selection?.rawValue ?? 0)
        }
        #expect(seen == [15, 10, 11, 12, 13, 14])
        state.keys(.character("N"))
        #expect(state.selection?.rawValue == 13)
        state = Samples.queued(2)
        state.keys(.character("n"))
        #expect(state.notice?.text == "No problems here")
    }

    @Test func anEmptyViewSaysSo() {
        var state = Samples.queued(2)
        state.keys(.character("3"))
        let grid = render(state, columns: 80, rows: 24, capabilities: .unicode)
        let text = (0..<24).map { grid.text(row: $0) }.joined(separator: "\n")
        #expect(text.contains("No problems") && text.contains("Press 1 to see all 2."))
        #expect(state.keys(.character("p")).isEmpty && state.notice?.text == "Nothing is in this view: 1 shows all")
    }
}

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
            (44, "retry 8 in 0:22: connection refused"), (24, "retry 8 in 0:22: refused"), (20, "retry 0:22: refused"),
            (18, "retry 8 in 0:22"), (12, "retry 0:22"),
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
        return state.order.dropFirst().map { id in
            state.transfers[id].flatMap { RowText($0, around) }?.texts.first
        }
    }

    @Test func queuedTransfersSayWhatTheyWaitFor() {
        let scheduled = "at 03:18, in 3h02", idle = "queued: when nothing else runs"
        #expect(rows(QueueLimits(concurrent: 4)) == ["queued: next", "queued", scheduled, idle])
        #expect(rows(QueueLimits(concurrent: 1)) == ["queued: next", "queued: for a slot", scheduled, idle])
        let host = "queued: slot of example.org"
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
        #expect(row(upload).contains("▕▒▒▒▒  ▏  60%"))
        upload.bytes = 100
        #expect(row(upload).contains("▕▒▒▒▒▒▒▏  99% awaits server 0:00"))
        (upload.uploadProtocol, upload.confirmed) = ("tus-1.0.0", 50)
        #expect(row(upload).contains("▕███▒▒▒▏  50% awaits server 0:00"))
        // The screen was opened later.
        upload.edit { ($0.rate, $0.silentSince) = (0, 988) }
        #expect(row(upload).contains("▕███▒▒▒▏  50% awaits server 0:12"))
        upload.edit { $0.silentSince = 5000 }
        #expect(row(upload).contains("▕███▒▒▒▏  50% awaits server 0:00"), "another clock")
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
        #expect(texts(failed) == ["✗ connection refused", "✗ refused"])
    }
}

struct RatePollTests {
    @Test func asksWhileTransfersRunAndTwiceAfterwards() {
        var poll = RatePoll()
        func asks(_ time: Double, _ isActive: Bool) -> Bool { poll.asks(at: time, isActive: isActive) }
        #expect([asks(0, false), asks(5, false)] == [true, false])
        #expect(poll.nextRequest(at: 5, isActive: false) == nil)
        #expect([asks(10, true), asks(10.9, true)] == [true, false])
        #expect(abs((poll.nextRequest(at: 10.9, isActive: true) ?? 0) - 0.1) < 0.001)
        #expect([asks(11, true), asks(12, false), asks(13, false), asks(14, false)] == [true, true, true, false])
        #expect(poll.nextRequest(at: 14, isActive: false) == nil)
        poll.wanted()
        #expect([asks(15, false), asks(16, false)] == [true, false])
        // Another transfer: soon, but not with each repeated key.
        poll.wantedSoon(at: 16)
        #expect(asks(16, false))
        poll.wantedSoon(at: 16.03)
        #expect(!asks(16.03, false))
        #expect(asks(16.2, false))
        #expect(poll.nextRequest(at: 17, isActive: false) == nil)
    }

    @Test func followsTheGraphsUntilTheyAreEmpty() {
        var poll = RatePoll()
        _ = poll.asks(at: 0, isActive: true, step: 1)
        let asked = (1...120).filter { poll.asks(at: Double($0), isActive: false, step: $0 < 30 ? 1 : nil) }
        #expect(asked == Array(1..<30))
        #expect(poll.nextRequest(at: 120, isActive: false, step: nil) == nil)
    }

    /// A column of five seconds: not more often, and not longer than 60 of them, whatever the service reports.
    @Test func asksAsOftenAsAGraphHasANewColumn() {
        var poll = RatePoll()
        _ = poll.asks(at: 0, isActive: true, step: 1)
        let asked = (1...1000).filter { poll.asks(at: Double($0), isActive: false, step: 5) }
        #expect(asked.prefix(4) == [1, 2, 7, 12] && asked.last == 307)
        #expect(poll.nextRequest(at: 1000, isActive: false, step: 5) == nil)
    }

    @Test func graphsMoveOnWhileTheyAreNotEmpty() {
        var state = Samples.state([Samples.transfer(1, .paused, "a", bytes: 10, total: 100)])
        state.resize(columns: 80, rows: 24)
        #expect(state.graphStep == nil)
        state.rates.down = [0, 5, 0]
        #expect(state.graphStep == 1)
        state.resize(columns: 50, rows: 24)
        #expect(state.graphStep == nil, "no graph")
        state.resize(columns: 80, rows: 24)
        state.rates.down = [0, 0, 0]
        state.rates.downSeries = [.init(step: 1, rates: [0, 0]), .init(step: 5, rates: [9, 0])]
        state.keys(.enter)
        #expect(state.graphStep == nil, "a minute without a byte")
        state.keys(.character("w"))
        #expect(state.graphStep == 5)
        state.keys(.escape)
        #expect(state.graphStep == nil)
    }

    @Test func theDisplayedRateFollowsTheSamples() throws {
        let steady = RateFacts(RateReport(received: Array(repeating: 600, count: 20), sent: [], limits: .init()))
        #expect(abs((steady.downNow ?? 0) - 600) < 0.001 && steady.upNow == nil)
        let falling = RateFacts(
            RateReport(received: Array(repeating: 600, count: 20) + [0, 0], sent: [], limits: .init()))
        #expect((250...280).contains(try #require(falling.downNow)))
        let silent = RateFacts(
            RateReport(received: Array(repeating: 600, count: 20) + [0, 0, 0], sent: [], limits: .init()))
        #expect(silent.downNow == 0)
    }

    /// The samples of its first second are 0.
    @Test(arguments: [40, 80]) func theFirstLineDoesNotContradictTheList(_ columns: Int) {
        var running = Samples.transfer(1, .running, "a", bytes: 10, total: 100)
        running.edit { $0.rate = 2048 }
        var state = Samples.state([running])
        state.rates.downNow = 0
        state.resize(columns: columns, rows: 10)
        let line = render(state, columns: columns, rows: 10, capabilities: .unicode).text(row: 0)
        #expect(line.contains("↓2.00K/s"), "\(line)")
    }

    @Test func ofTheFirstLineOnlyFailuresAreRed() {
        var state = Samples.kinds
        state.resize(columns: 40, rows: 10)
        let grid = render(state, columns: 40, rows: 10, capabilities: .unicode)
        #expect(grid.text(row: 0).hasSuffix("2 FAILED  51"))
        #expect(grid[0, 28].style == .failure && grid[0, 38].style == .faint)
    }
}

struct TimeTextTests {
    @Test(
        arguments: [
            (3.2, "4s"), (59, "59s"), (60, "1:00"), (270.5, "4:31"), (10_920, "3h02"), (187_200, "2d4h"), (-1, "?"),
            (.infinity, "?"), (.nan, "?"),
        ] as [(Double, String)])
    func left(_ seconds: Double, _ text: String) { #expect(TimeText.left(seconds) == text) }

    @Test(arguments: [
        (0.0, "1ms"), (0.0021, "2ms"), (0.099, "99ms"), (0.0996, "0.1s"), (1.24, "1.2s"), (9.94, "9.9s"), (34, "34s"),
        (9.96, "10s"), (38.1, "38s"), (38.6, "39s"), (59.7, "1:00"), (80.04, "1:20"), (.infinity, "?"),
    ])
    func taken(_ seconds: Double, _ text: String) { #expect(TimeText.taken(seconds) == text) }

    @Test(
        arguments: [
            (100, 530, "1–9m"), (125, 540, "2–9m"), (20, 70, "20–70s"), (7300, 20_000, "2–6h"), (600, 620, "10–11m"),
            (2400, 9000, "40m–3h"), (36, 150, "36s–3m"), (70_000, 180_000, "19h–3d"), (0.5, 2, "0–2s"),
            (39, 103, "39s–2m"), (65, 118, "1–2m"), (700, 6600, "11m–2h"), (86_400, 8_553_600, "1–99d"),
            (1, 8_553_601, "?"),
        ] as [(Double, Double, String)])
    func ranges(_ least: Double, _ most: Double, _ text: String) { #expect(TimeText.range(least, most) == text) }

    /// So wide is the column.
    @Test func rangesHaveSixColumnsAtMost() {
        for most in stride(from: 1.0, through: 200_000, by: 37) {
            for part in [0.0, 0.2, 0.5, 0.9, 1] {
                let text = TimeText.range(most * part, most)
                #expect(CellWidth.of(text) <= ListColumn.left.least, "\(text)")
            }
        }
    }

    @Test(
        arguments: [
            (1_795_379_280, "20:28"), (1_795_213_920, "Fri 22:32"), (1_790_985_600, "2026-10-03"), (0, "?"),
        ] as [(Double, String)])
    func clock(_ time: Double, _ text: String) {
        #expect(LocalClock.utc.text(time, now: 1_795_379_280) == text)
    }

    @Test func clocksAreLocal() {
        let tokyo = LocalClock { _ in 9 * 3600 }
        #expect(tokyo.text(1_795_379_280, now: 1_795_379_280) == "05:28")
        #expect(tokyo.seconds(1_795_379_280) == "05:28:00")
    }
}

struct ThemeTests {
    @Test(arguments: Theme.allCases) func everyRoleIsDistinct(_ theme: Theme) {
        for depth in [Theme.Depth.basic, .palette, .direct] where theme != .monochrome {
            let looks = Style.Role.allCases.map { theme.look(of: Style(role: $0), depth) }
            #expect(Set(looks).count == looks.count, "\(theme) \(depth)")
        }
        // Without colours, weight shows what needs attention.
        #expect(theme.look(of: .failure, .none) == Theme.Look(isBold: true))
        #expect(theme.look(of: .faint, .none) == Theme.Look(isDim: true))
        #expect(theme.look(of: .key, .none).isBold && !theme.look(of: .plain, .none).isBold)
    }

    @Test func followsTheBackground() {
        #expect(Theme.auto.resolved(luminance: 250) == .light && Theme.auto.resolved(luminance: 10) == .dark)
        #expect(Theme.auto.resolved(luminance: -1) == .dark && Theme.nord.resolved(luminance: 250) == .nord)
        let variables = [nil, "", "0;15", "0;default;7", "15;0", "12;8", "x"]
        #expect(variables.map { Theme.luminance($0) } == [-1, -1, 255, 255, 0, 0, -1])
    }

    /// Not black on black, whichever text the terminal has automatically.
    @Test(arguments: Theme.allCases.filter { $0 != .monochrome }) func selectedTextIsReadable(_ theme: Theme) {
        func luminance(_ colour: Int) -> Double {
            func linear(_ shift: Int) -> Double {
                let part = Double((colour >> shift) & 255) / 255
                return part <= 0.04045 ? part / 12.92 : pow((part + 0.055) / 1.055, 2.4)
            }
            return 0.2126 * linear(16) + 0.7152 * linear(8) + 0.0722 * linear(0)
        }
        let look = theme.look(of: Style(isSelected: true), .direct)
        let (text, ground) = (luminance(look.foreground) + 0.05, luminance(look.background) + 0.05)
        let contrast = max(text, ground) / min(text, ground)
        #expect(look.foreground >= 0 && contrast >= 7, "\(theme)")
        #expect(theme.look(of: .plain, .direct).foreground == -1)
    }

    @Test func sixteenColoursHaveNoBackground() {
        #expect(Theme.dark.look(of: Style(isSelected: true), .basic).background == -1)
        #expect(Theme.dark.look(of: Style(isSelected: true), .palette).background == 236)
        #expect(Theme.light.look(of: Style(isSelected: true), .direct).background == 0xe6eaf0)
        #expect(Theme.dark.look(of: .warning, .basic).foreground == 3)
    }

    @Test func stylesHaveTheirPlaceInTheTable() {
        #expect(Style.all.enumerated().allSatisfy { $0.offset == Int($0.element.index) })
        #expect(Style.all.count == Style.count && Style.count <= 32)
    }
}
