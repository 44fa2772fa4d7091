// SPDX-License-Identifier: MIT

import Testing
import TransferControl
import TransferModel
import TransferTesting

@testable import TerminalInterface

/// The view on which the screen opens.
struct NowViewTests {
    private func changed(_ transfers: Transfer...) -> QueueUpdate {
        .events(transfers.map { TransferEvent(time: 0, name: .changed, transfer: $0) })
    }

    private func state(_ transfers: [Transfer]) -> InterfaceState {
        var state = Samples.state(transfers)
        state.resize(columns: 80, rows: 24)
        state.keys(.character("1"), .character("g"))
        return state
    }

    private func rows(_ state: InterfaceState) -> [ListRow] { (0..<state.list.rowCount).map(state.list.row) }

    private func screen(_ state: InterfaceState) -> [String] {
        let grid = render(state, columns: state.columns, rows: state.rows, capabilities: .unicode)
        return (0..<grid.rows).map { grid.text(row: $0) }
    }

    private func later(_ state: inout InterfaceState, by seconds: Double) {
        state.now += seconds
        _ = state.dueEffects()
    }

    @Test func whatMovesComesFirstAndWhatHasFinishedIsOneLine() {
        var state = Samples.kinds
        state.resize(columns: 80, rows: 24)
        state.keys(.character("1"))
        let numbers = rows(state).map { row in
            if case .transfer(let id) = row { id.rawValue } else { 0 }
        }
        #expect(numbers == [1, 2, 3, 4, 5, 6, 12, 13, 14, 15, 10, 11, 7, 8, 9, 16, 0])
        #expect(screen(state)[19].hasPrefix("  ▸ 34 done, 1 cancelled ") && screen(state)[19].contains("Right unfolds"))
        #expect(screen(state)[1].hasPrefix("[1 Now 16]  2 All 51  3 Problems 6  4 Held 4  5 Done 35  6 History  7 Log"))
        state.keys(.right)
        #expect(state.list.rowCount == 52 && state.list.selection?.rawValue == 14)
        state.keys(.left)
        #expect(state.list.rowCount == 17 && state.list.selection?.rawValue == 14)
        state.keys(.character("G"), .enter)
        #expect(state.list.selectedGroup == ListingSpec.finished && state.list.rowCount == 52)
        state.keys(.down, .left)
        #expect(state.list.selectedGroup == ListingSpec.finished && state.list.rowCount == 17)
    }

    /// What one command has added is one row, before all others until it is completed.
    @Test func whatWasAddedTogetherIsOneRow() {
        func transfer(_ number: Int, _ state: TransferState, bytes: Int64 = 0) -> Transfer {
            var transfer = Samples.transfer(number, state, "\(number).jpg", bytes: bytes, total: 2000)
            if number < 4 { transfer.batch = TransferBatch(id: "1", name: "photos of 夏") }
            return transfer
        }
        let members = [1, 2, 3].map { ListRow.transfer(TransferID(rawValue: $0)) }
        let (batch, other) = (ListRow.group("\u{10fffe}1 photos of 夏"), ListRow.transfer(TransferID(rawValue: 4)))
        var state = state([transfer(1, .queued), transfer(2, .queued), transfer(3, .completed), transfer(4, .running)])
        #expect(rows(state) == [batch, other] && state.list.selectedRow == batch)
        #expect(screen(state).contains { $0.contains("▸ photos of 夏") && $0.contains("1/3") })
        #expect(screen(state).contains { $0.contains("; keys act on all of them, Right unfolds") })
        state.keys(.enter)
        #expect(screen(state).contains { $0.contains("; keys act on all of them  ") })
        #expect(rows(state) == [batch] + members + [other])
        state.keys(.left, .character("/"))
        state.type("jpg")
        state.keys(.enter)
        #expect(rows(state).count == 4, "a search has no batches")
        state.keys(.escape)
        #expect(rows(state) == [batch, other])
        state.receive(changed(transfer(1, .completed, bytes: 2000), transfer(2, .completed, bytes: 2000)))
        #expect(rows(state) == [other, batch])
    }

    /// On the line keys act on all that it stands for, and Ctrl-A marks what is on the screen.
    @Test func keysActOnTheLine() {
        let transfers = [1, 2, 3].map { Samples.transfer($0, $0 == 1 ? .queued : .completed) }
        var state = state(transfers)
        state.keys(.control("a"))
        #expect(state.list.marks == Set(ids(1)))
        state.keys(.escape, .character("G"))
        #expect(state.keys(.character("d")) == [.perform(.dismiss, ids(2, 3))])
    }

    @Test func anOrderOfTheUserStays() {
        var state = state([Samples.transfer(1, .queued, "b"), Samples.transfer(2, .failed, "a")])
        #expect(state.list.visible == ids(2, 1))
        state.keys(.character("s"), .character("n"), .character("s"), .character("s"))
        #expect(state.list.visible == ids(1, 2))
        state.keys(.character("s"), .character("q"))
        #expect(state.list.visible == ids(2, 1) && state.notice?.text == "What moves first")
    }

    @Test func rowsFollowTheirStatesOnceASecond() {
        var state = state([Samples.transfer(1, .running), Samples.transfer(2, .queued)])
        state.receive(changed(Samples.transfer(1, .paused), Samples.transfer(2, .running)))
        state.now += 1
        state.receive(changed(Samples.transfer(2, .running, bytes: 5, total: 9)))
        #expect(state.list.visible == ids(2, 1) && state.list.selection == ids(1)[0])
    }

    /// For three seconds it is where it was, in bold; then its neighbour is selected.
    @Test func whatHasJustFinishedStaysForAMoment() {
        var state = state([1, 2, 3].map { Samples.transfer($0, .running, "file\($0)") })
        state.keys(.down)
        state.receive(changed(Samples.transfer(2, .completed, "file2")))
        state.now += 1
        state.receive(changed(Samples.transfer(3, .running, "file3", bytes: 5, total: 9)))
        #expect(rows(state) == ids(1, 2, 3).map(ListRow.transfer) && state.isCounting)
        func isBold() -> Bool {
            let grid = render(state, columns: 80, rows: 24, capabilities: .unicode)
            return grid[4, 2].glyph == "✓" && grid[4, 2].style.isBold
        }
        #expect(isBold())
        later(&state, by: 2.1)
        #expect(rows(state) == ids(1, 3).map(ListRow.transfer) + [.group(ListingSpec.finished)])
        #expect(state.list.selection == ids(3)[0] && state.list.fresh.isEmpty)
        // Of many at once most go to the line.
        var many = self.state((1...30).map { Samples.transfer($0, .running) })
        for id in 1...30 { many.receive(changed(Samples.transfer(id, .completed))) }
        #expect(many.list.rowCount == 9)
    }

    /// A failure is bold wherever it is, and so is the answer to a question.
    @Test func newStatesAreBoldForThreeSeconds() {
        var state = Samples.asking
        state.resize(columns: 80, rows: 24)
        state.receive(changed(Samples.transfer(1, .queued, "file1")))
        state.receive(changed(Samples.transfer(2, .failed, "file2")))
        func bold() -> [Bool] {
            let grid = render(state, columns: 80, rows: 24, capabilities: .unicode)
            return [grid[3, 2].style.isBold, grid[3, 46].style.isBold]
        }
        #expect(bold() == [true, true])
        later(&state, by: 3)
        #expect(bold() == [false, false])
    }

    // MARK: Rows that leave

    @Test func aNoticeNamesTheViewOfARowThatLeft() {
        var state = state([Samples.transfer(1, .failed, "disk.iso"), Samples.transfer(2, .failed)])
        state.keys(.character("3"))
        #expect(state.keys(.character("r")) == [.perform(.retry, ids(1))])
        state.receive(changed(Samples.transfer(1, .queued, "disk.iso")))
        #expect(state.notice?.text == "disk.iso moved to Held (4).")
    }

    @Test func aCancelledRowIsNamedWhenItFolds() {
        var state = state([Samples.transfer(1, .running, "a.iso"), Samples.transfer(2, .running)])
        state.keys(.character("x"))
        state.receive(changed(Samples.transfer(1, .cancelled, "a.iso")))
        #expect(state.notice?.text == "Cancelled. U undoes." && state.list.rowCount == 2)
        later(&state, by: 3)
        #expect(state.notice?.text == "a.iso moved to Done (5). U undoes.")
        // One that another client changed says nothing.
        state.receive(changed(Samples.transfer(2, .cancelled)))
        state.notice = nil
        later(&state, by: 3)
        #expect(state.notice == nil)
    }

    @Test func aRemovedRowIsInTheHistory() {
        var state = Samples.state([Samples.transfer(1, .completed), Samples.transfer(2, .completed)])
        state.keys(.character("d"))
        state.receive(.removed(ids(1)))
        #expect(state.notice?.text == "It moved to History (6). U undoes.")
    }

    /// A second press means the row that was there.
    @Test func aKeyDoesNotActOnTheRowThatSlidIntoThePlace() {
        var state = Samples.state((1...3).map { Samples.transfer($0, .completed) })
        state.keys(.character("d"))
        state.now += 2
        state.receive(.removed(ids(1)))
        state.now += 0.3
        #expect(state.keys(.character("d")).isEmpty && state.notice?.text.hasPrefix("Another row") == true)
        // It was said.
        #expect(state.keys(.character("d")) == [.perform(.dismiss, ids(2))])
        state.receive(.removed(ids(2)))
        state.now += 0.6
        #expect(state.keys(.character("d")) == [.perform(.dismiss, ids(3))])
        // A row that the user has selected is meant.
        var moved = Samples.state((1...3).map { Samples.transfer($0, .completed) })
        moved.receive(.removed(ids(1)))
        moved.keys(.down)
        #expect(moved.keys(.character("d")) == [.perform(.dismiss, ids(3))])
    }

    // MARK: Configuration

    @Test func opensOnNowOrAsConfigured() throws {
        var options = TerminalProgram.Options()
        #expect(InterfaceState(options).list.view == .now)
        (options.view, options.order) = (.held, ListOrder(key: .size))
        #expect(InterfaceState(options).list.view == .held && InterfaceState(options).list.listOrder?.key == .size)
        options.view = .firstOwn
        #expect(InterfaceState(options).list.view == .now, "there is none")
        options.ownViews = [try OwnView(name: "large", filter: "size>1G", now: 0)]
        #expect(InterfaceState(options).list.view == .firstOwn && InterfaceState(options).notice == nil)
        #expect(QueueView.named("pro", own: []) == .problems && QueueView.named("x", own: []) == nil)
        #expect(QueueView.named("Large", own: options.ownViews) == .firstOwn && QueueView.named("", own: []) == nil)
    }

    /// All three stay; the third has a name instead of a key.
    @Test func aThirdViewOfTheConfigurationHasACommand() throws {
        var options = TerminalProgram.Options()
        options.ownViews = try ["large", "iso", "work"].map { try OwnView(name: $0, filter: "size>1G", now: 0) }
        options.vocabulary = CommandVocabulary(commands: [
            .init(path: ["pause"], arguments: "", help: "", options: [], takesTransfers: true)
        ])
        options.run = { _ in CommandOutcome() }
        var state = InterfaceState(options)
        #expect(state.notice?.text == "8 shows large, 9 shows iso, : view work shows the other")
        state.resize(columns: 80, rows: 24)
        state.receive(.snapshot(QueueSnapshot(transfers: [])))
        state.keys(.character(":"))
        state.type("view wo")
        #expect(state.mode.palette?.proposals(on: state).map(\.text) == ["work"])
        state.keys(.enter)
        #expect(state.list.view == .thirdOwn && state.mode.isList)
        state.keys(.character(":"))
        state.type("view x")
        #expect(state.keys(.enter).isEmpty)
        #expect(
            state.mode.palette?.error
                == "there are Now, All, Problems, Held, Done, History, Log, large, iso, work")
    }
}
