// SPDX-License-Identifier: MIT

import Foundation
import Testing
import TransferControl
import TransferModel
import TransferTesting

@testable import TerminalInterface

struct ViewTests {
    @Test(arguments: [
        (Key.character("1"), QueueView.now, 51), (.character("2"), .all, 51), (.character("3"), .problems, 6),
        (.character("4"), .held, 4), (.character("5"), .done, 35),
    ])
    func showsTheirTransfersAndCounts(_ key: Key, _ view: QueueView, _ count: Int) {
        var state = Samples.kinds
        state.keys(key)
        #expect(state.list.view == view && state.list.visible.count == count)
        #expect(view.count(state.list.tally) == count - state.list.hiddenCount)
        #expect(state.list.visible.allSatisfy { state.list.transfers[$0].map(view.listing.contains) == true })
    }

    @Test(arguments: [(80, "1 paused", "35/51"), (120, "35 done", "35/51"), (140, "34 done  1 cancelled", "34/51")])
    func totalsAndTabsHaveTheSameSum(_ columns: Int, _ counts: String, _ share: String) {
        var state = Samples.kinds
        state.resize(columns: columns, rows: 24)
        let grid = render(state, columns: columns, rows: 24, capabilities: .unicode)
        #expect(grid.text(row: 1).contains("5 Done 35"))
        #expect(grid.text(row: 22).contains("  \(counts) ") && (grid.text(row: 22) + " ").contains(" \(share) "))
    }

    @Test func tabsGoAround() {
        var state = Samples.kinds
        let views = (0..<7).map { _ in
            state.keys(.tab)
            return state.list.view
        }
        #expect(views == [.problems, .held, .done, .history, .log, .now, .all])
        state.keys(.backTab, .backTab)
        #expect(state.list.view == .log)
    }

    @Test(arguments: [70, 72, 80, 100]) func namesOfTabsStayLongest(_ columns: Int) {
        var state = Samples.kinds
        state.setup.isReadOnly = true
        state.resize(columns: columns, rows: 24)
        state.keys(.character("z"))
        let row = render(state, columns: columns, rows: 24, capabilities: .unicode).text(row: 1)
        #expect(row.contains("[2 All") && row.contains("3 Problems") && row.contains("6 History"), "\(row)")
        #expect(row.contains("/51") && (columns < 100 || row.contains("watching  ●2")), "\(row)")
    }

    @Test func narrowTabsHaveTheBeginningsOfNames() {
        var state = Samples.kinds
        state.resize(columns: 60, rows: 24)
        func row(_ columns: Int) -> String {
            render(state, columns: columns, rows: 24, capabilities: .unicode).text(row: 1)
        }
        #expect(row(60).hasPrefix("1 Now  [2 All]  3 Prob  4 Held  5 Done  6 Hist  7 Log "))
        #expect(row(40).hasPrefix("1  [2 All]  3  4  5  6  7 "))
    }

    @Test func ownViewsHaveKeysCountsAndTabs() throws {
        var state = Samples.kinds
        let snapshot = state.snapshot
        state.keys(.character("8"))
        #expect(state.list.view == .all && state.notice?.text.hasPrefix("No such view") == true)
        state.list.ownViews = try [("large", "size>1G"), ("日本語の大きなファイル", "state:running host:*.jp")].map {
            try OwnView(name: $0, filter: $1, now: 0)
        }
        state.receive(.snapshot(snapshot))
        let large = state.list.transfers.values.count { $0.total ?? 0 > 1 << 30 }
        state.keys(.character("8"))
        #expect(state.list.view == .firstOwn && state.list.visible.count == large && large > 0)
        var grid = render(state, columns: 120, rows: 24, capabilities: .unicode)
        #expect(grid.text(row: 1).contains("7 Log  [8 large \(large)]  9 日本語の大… 1"))
        grid = render(state, columns: 120, rows: 24, capabilities: .ascii)
        #expect(grid.text(row: 1).contains("[8 large \(large)]"))
        state.keys(.tab)
        #expect(state.list.view == .secondOwn && state.list.visible.count == 1)
        let id = try #require(state.list.visible.first)
        var moved = try #require(state.list.transfers[id])
        moved.status = .completed(.init())
        state.receive(.events([TransferEvent(time: 0, name: .completed, transfer: moved)]))
        #expect(state.list.visible.isEmpty && state.list.listing.counts == [large, 0])
        state.receive(.removed(snapshot.transfers.map(\.id)))
        #expect(state.list.listing.counts == [0, 0])
        state.keys(.tab)
        #expect(state.list.view == .now)
    }

    /// It is cut before all others are.
    @Test(arguments: [
        (["large uploads"], 80, "7 Log  8 large … "), (["large uploads", "long names"], 85, "7 Log  8 larg  9 long "),
        (["日本語の大きなファイル"], 80, "7 Log  8 日本語… "),
        (["large uploads", "日本語の大きなファイル"], 85, "7 Log  8 larg  9 日本 "), (["iso"], 80, "7 Log  8 iso "),
    ])
    func aLongNameOfAnOwnViewShrinksAlone(_ names: [String], _ columns: Int, _ tabs: String) throws {
        var state = Samples.kinds
        state.list.ownViews = try names.map { try OwnView(name: $0, filter: "size>1G", now: 0) }
        state.receive(.snapshot(state.snapshot))
        let row = render(state, columns: columns, rows: 24, capabilities: .unicode).text(row: 1)
        #expect(row.contains("[2 All]  3 Problems  4 Held  5 Done  6 History  " + tabs), "\(row)")
    }

    /// Rather than those of all views.
    @Test(arguments: [
        (90, "1 Now  2 All  3 Problems  4 Held  5 Done  6 History  [7 Log]  8 larg  9 work  日本"),
        (79, "1 Now  2 All  3 Prob  4 Held  5 Done  6 Hist  [7 Log]  8 larg  9 work  日本"),
        (50, "1  2  3  4  5  6  [7 Log]  8  9"),
    ])
    func ownViewsLeaveTheirNamesToTheOthers(_ columns: Int, _ tabs: String) throws {
        var state = Samples.kinds
        state.list.ownViews = try ["large", "work, failed", "日本語の大きな"].map {
            try OwnView(name: $0, filter: "size>1G", now: 0)
        }
        state.receive(.snapshot(state.snapshot))
        for number in 1...200 { state.log.add(.note, "\(number)", at: 1000) }
        state.resize(columns: columns, rows: 24)
        state.keys(.character("7"))
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
        #expect(large > 0 && state.list.listing.counts == [large])
        state.receive(.snapshot(QueueSnapshot(transfers: transfers)))
        #expect(state.list.listing.counts == [large])
    }

    @Test func theSelectionFollowsItsTransferThroughViewsAndOrders() {
        var state = Samples.kinds
        for keys: [Key] in [[.character("3")], [.character("s"), .character("z")], [.character("2")]] {
            for key in keys { state.keys(key) }
            #expect(state.list.selection?.rawValue == 14)
        }
        #expect(state.list.listOrder == ListOrder(key: .size))
    }

    @Test func agesCountFromNow() throws {
        var state = InterfaceState()
        state.resize(columns: 80, rows: 24)
        state.now = 10_000
        state.list.ownViews = [try OwnView(name: "new", filter: "added<1h", now: 10_000)]
        var transfers = (1...3).map { Samples.transfer($0, .paused) }
        for index in transfers.indices { transfers[index].addedAt = 6500 + Double(index) * 300 }
        state.receive(.snapshot(QueueSnapshot(transfers: transfers)))
        _ = state.dueEffects()
        #expect(state.list.listing.counts == [3] && state.list.hasAges)
        state.keys(.character("8"), .down)
        state.now = 10_300
        _ = state.dueEffects()
        #expect(state.list.listing.counts == [2] && state.list.visible == ids(2, 3))
        #expect(state.list.selection == ids(2)[0])
        // Not with each key.
        state.now = 10_301
        transfers[0].addedAt = 10_301
        state.receive(.events([TransferEvent(time: 0, name: .changed, transfer: transfers[0])]))
        _ = state.dueEffects()
        #expect(state.list.listing.counts == [3] && state.list.agesCountFrom == 10_300)
        state.keys(.character("2"), .character("/"))
        for letter in "added>1h".unicodeScalars { state.keys(.character(letter)) }
        state.keys(.enter)
        #expect(state.list.visible.isEmpty)
        state.now = 12_000
        _ = state.dueEffects()
        #expect(state.list.visible == ids(2, 3))
    }

    @Test func theFirstPageIsShownUntilAllIsHere() {
        let all = (1...400).map { Samples.transfer($0, .queued, "file\($0)") }
        var state = InterfaceState()
        state.resize(columns: 80, rows: 24)
        state.receive(firstPage: Array(all.prefix(256)))
        #expect(state.list.visible.count == 256 && state.list.selection == ids(1)[0] && !state.list.isLoaded)
        let grid = render(state, columns: 80, rows: 24, capabilities: .unicode)
        #expect((0..<24).contains { grid.text(row: $0).hasPrefix("Loading the whole list") })
        state.keys(.character("j"))
        state.receive(.snapshot(QueueSnapshot(transfers: all)))
        #expect(state.list.visible.count == 400 && state.list.selection == ids(2)[0] && state.list.isLoaded)
        #expect(state.log.entries(matching: "").isEmpty && state.list.tally.count == 400)
        // One that comes late changes nothing.
        state.receive(firstPage: Array(all.prefix(2)))
        #expect(state.list.visible.count == 400)
    }

    @Test func transfersJoinAndLeaveAView() {
        var state = Samples.kinds
        state.keys(.character("4"))
        state.receive(.events([TransferEvent(time: 0, name: .started, transfer: Samples.transfer(16, .running))]))
        #expect(state.list.visible.count == 3)
        state.receive(.events([TransferEvent(time: 0, name: .paused, transfer: Samples.transfer(1, .paused))]))
        #expect(state.list.visible.count == 4)
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
        #expect(state.list.visible.map(\.rawValue) == expected)
        guard letter != "q" else { return }
        state.keys(.character("s"), .character("s"))
        #expect(state.list.visible.map(\.rawValue) == expected.reversed())
    }

    @Test(
        arguments: [
            ("n", "NAME▴", "NAME▾"), ("z", "SIZE▾", "SIZE▴"), ("d", "STATE▾", "STATE▴"),
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
        #expect(state.list.visible == ids(1, 2))
        state.now += 0.5
        state.receive(.events([TransferEvent(time: 0, name: .progress, transfer: running(2, 9))]))
        #expect(state.list.visible == ids(2, 1))
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
            seen.append(state.list.selection?.rawValue ?? 0)
        }
        #expect(seen == [15, 10, 11, 12, 13, 14])
        state.keys(.character("N"))
        #expect(state.list.selection?.rawValue == 13)
        state = Samples.queued(2)
        state.keys(.character("n"))
        #expect(state.notice?.text == "No problems here")
    }

    @Test func anEmptyViewSaysSo() {
        var state = Samples.queued(2)
        state.keys(.character("3"))
        let grid = render(state, columns: 80, rows: 24, capabilities: .unicode)
        let text = (0..<24).map { grid.text(row: $0) }.joined(separator: "\n")
        #expect(text.contains("No problems") && text.contains("Press 2 to see all 2."))
        #expect(state.keys(.character("p")).isEmpty && state.notice?.text == "Nothing is in this view: 2 shows all")
    }
}
