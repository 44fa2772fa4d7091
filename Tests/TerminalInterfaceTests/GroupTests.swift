// SPDX-License-Identifier: MIT

import Testing
import TransferControl
import TransferModel
import TransferTesting

@testable import TerminalInterface

struct GroupingTests {
    private func key(_ grouping: Grouping, _ url: String, _ file: String) -> String {
        let transfer = Transfer(id: TransferID(rawValue: 1), kind: .download, url: url, file: file, state: .queued)
        return grouping.key(of: transfer, home: "/home/user")
    }

    @Test(
        arguments: [
            (Grouping.server, "https://a.example:8443/x/y.iso", "/tmp/y.iso", "a.example:8443"),
            (.server, "https://a.example:443/x/y.iso", "/tmp/y.iso", "a.example"),
            (.server, "nonsense", "/tmp/y", "?"),
            (.folder, "https://a.example/x", "/home/user/Downloads/x", "~/Downloads/"),
            (.folder, "https://a.example/x", "/x", "/"), (.folder, "https://a.example/x", "/srv/in/", "/srv/in/"),
            (.folder, "https://a.example/x", "-", "(a stream)"), (.folder, "https://a.example/x", "x", "./"),
            (.place, "https://a.example/pub/%E5%A4%8F/x.iso?y=/z", "/tmp/x", "a.example/pub/夏/"),
            (.place, "https://a.example:81", "/tmp/x", "a.example:81/"),
            (.place, "https://a.example/x", "/tmp/x", "a.example/"),
        ] as [(Grouping, String, String, String)])
    func keys(_ grouping: Grouping, _ url: String, _ file: String, _ expected: String) {
        #expect(key(grouping, url, file) == expected)
    }

    @Test func goesRound() {
        var seen: [Grouping?] = []
        var grouping: Grouping?
        repeat {
            grouping = Grouping.next(after: grouping)
            seen.append(grouping)
        } while grouping != nil
        #expect(seen == [.server, .folder, .place, .batch, nil])
    }
}

/// Keys and updates while the list is in groups.
struct GroupKeyTests {
    /// 1 and 3 from a.example, 2 and 4 from b.example; 4 has failed.
    private var state: InterfaceState {
        let transfers = (1...4).map { number in
            Transfer(
                id: TransferID(rawValue: number), kind: .download,
                url: "https://\(number % 2 == 1 ? "a" : "b").example/\(number)", file: "/home/user/d/\(number)",
                state: number == 4 ? .failed : .running)
        }
        var state = Samples.state(transfers)
        state.resize(columns: 80, rows: 24)
        return state
    }

    private func id(_ number: Int) -> TransferID { TransferID(rawValue: number) }

    private func changed(_ transfer: Transfer) -> QueueUpdate {
        .events([TransferEvent(time: 0, name: .changed, transfer: transfer)])
    }

    @Test func groupsAndUngroupsAroundTheSelection() {
        var state = state
        state.keys(.down)
        for (title, row) in [("server", 4), ("folder", 2), ("place", 4), ("batch", 1), (nil, 1)] as [(String?, Int)] {
            state.keys(.character("z"))
            #expect(state.list.grouping?.rawValue == title)
            #expect(state.list.selection == id(2) && state.list.selectedIndex == row)
        }
        #expect(state.notice?.text == "Not grouped" && state.list.rowCount == 4)
        // From a heading, its first transfer stays.
        state.keys(.character("z"), .character("g"))
        #expect(state.list.selectedGroup == "a.example" && state.list.selection == nil && state.list.selected == nil)
        state.keys(.character("z"))
        #expect(state.list.selection == id(1) && state.list.selectedGroup == nil)
    }

    @Test func folds() {
        var state = state
        state.keys(.character("z"), .left)
        #expect(state.list.selectedGroup == "a.example" && state.list.rowCount == 4)
        #expect(state.keys(.left).isEmpty && state.notice?.text == "The group is folded already")
        state.keys(.down)
        #expect(state.list.selectedGroup == "b.example")
        state.keys(.up, .right)
        #expect(state.list.rowCount == 6 && state.list.selectedGroup == "a.example")
        state.keys(.enter)
        #expect(state.list.rowCount == 4 && state.overlay == nil)
        state.keys(.enter, .down)
        #expect(state.list.selection == id(1) && state.list.rowCount == 6)
        for _ in 0..<4 { state.keys(.character("z")) }
        state.keys(.left)
        #expect(state.notice?.text == "No groups; z groups the list")
        state.keys(.character("z"))
        #expect(state.list.rowCount == 6, "nothing is folded at first")
    }

    @Test func keysActOnTheGroup() {
        var state = state
        state.keys(.character("z"), .character("g"))
        #expect(state.keys(.character("p")) == [.perform(.pause, ids(1, 3))])
        #expect(state.notice?.text == "Paused 2 transfers. U undoes.")
        state.keys(.character("G"), .left)
        #expect(state.keys(.character("r")) == [.perform(.retry, ids(4))])
        state.keys(.character(" "))
        #expect(state.list.marks == Set(ids(2, 4)))
        state.keys(.character("g"))
        #expect(state.targets.map(\.id) == ids(2, 4), "marks come first")
        state.keys(.character("G"), .character(" "))
        #expect(state.list.marks.isEmpty)
        #expect(state.keys(.character("]")).isEmpty)
        #expect(state.notice?.text == "A group has no tabs; its transfers have")
        state.keys(.character("g"), .character("x"))
        #expect(state.notice?.text == "Cancelled 2 transfers. U undoes.")
    }

    @Test func problemsAreFoundInFoldedGroups() {
        var state = state
        state.keys(.character("z"), .character("G"), .left, .character("g"), .character("n"))
        #expect(state.list.selection == id(4) && state.list.rowCount == 6)
        // From its heading, the problem in it is the next one.
        state.keys(.left, .character("n"))
        #expect(state.list.selection == id(4))
        state.keys(.left, .character("N"))
        #expect(state.list.selection == id(4))
    }

    @Test func theSelectionFollowsItsTransfer() {
        var state = state
        state.keys(.character("z"), .down, .down)
        #expect(state.list.selectedGroup == "b.example")
        state.keys(.up)
        #expect(state.list.selection == id(3))
        var moved = state.list.transfers[id(3)]!
        moved.url = "https://c.example/3"
        state.receive(changed(moved))
        #expect(state.list.selection == id(3) && state.list.listing.key(of: id(3)) == "c.example")
        #expect(state.list.selectedIndex == 6)
        // A folded group takes the selection of a transfer that comes into it.
        state.keys(.character("g"), .left, .character("G"))
        moved.url = "https://a.example/3"
        state.receive(changed(moved))
        #expect(state.list.selectedGroup == "a.example")
        state.receive(.removed(ids(1, 3)))
        #expect(state.list.selectedGroup == "b.example" && state.list.groups.groups.count == 1)
    }

    @Test func totalsFollowEvents() {
        var state = state
        state.keys(.character("z"))
        var done = state.list.transfers[id(1)]!
        done.status = .completed(.init(at: 5, metrics: TransferMetrics()))
        state.receive(changed(done))
        #expect(state.list.groups["a.example"]?.tally[.completed] == 1)
        state.keys(.character("5"))
        #expect(state.list.groups["a.example"]?.members == ids(1) && state.list.groups["b.example"] == nil)
        state.keys(.character("2"), .character("/"))
        state.type("b.ex")
        #expect(state.list.groups.groups.map(\.key) == ["b.example"])
    }

    @Test func detailsPassOverHeadings() {
        var state = state
        state.keys(.character("z"), .enter, .down, .down)
        #expect(state.overlay == .detail && state.list.selection == id(2))
        state.keys(.character("g"))
        #expect(state.list.selection == id(1))
        state.keys(.character("G"), .up, .up)
        #expect(state.list.selection == id(3))
    }

    @Test func historyAndLogHaveNoGroups() {
        var state = state
        state.keys(.character("z"), .character("g"), .character("7"))
        #expect(state.targets.isEmpty && !state.hasPane)
        state.keys(.character("6"))
        #expect(state.list.rowCount == 0 && !state.list.hasSelection)
        #expect(state.keys(.character("z")).isEmpty && state.notice?.text == "The history has no groups")
        state.keys(.character("2"))
        #expect(state.list.isGrouped && state.list.rowCount == 6 && state.list.hasSelection)
    }

    @Test func clicksOnHeadings() {
        func at(_ row: Int, _ column: Int) -> Key { .mouse(Mouse(button: .left, row: row, column: column)) }
        var state = state
        state.keys(.character("z"), at(6, 20))
        #expect(state.list.selectedGroup == "b.example" && state.list.rowCount == 6)
        state.keys(at(6, 20))
        #expect(state.list.rowCount == 4)
        state.keys(at(3, 1))
        #expect(state.list.marks == Set(ids(1, 3)) && state.list.selectedGroup == "a.example")
    }

    @Test func anySizeAndGlyphs() {
        var random = SeededGenerator(3)
        var state = Samples.kinds
        state.keys(.character("z"))
        let keys: [Key] = [
            .left, .right, .up, .down, .character("g"), .character("G"), .character("z"), .character("n"),
        ]
        for _ in 0..<150 {
            state.keys(keys.randomElement(using: &random)!)
            let (columns, rows) = (Int.random(in: 1...200, using: &random), Int.random(in: 1...60, using: &random))
            state.resize(columns: columns, rows: rows)
            let capabilities = Bool.random(using: &random) ? Capabilities.ascii : .unicode
            let grid = render(state, columns: columns, rows: rows, capabilities: capabilities)
            for row in 0..<rows {
                #expect(CellWidth.of(grid.text(row: row)) == columns)
                if capabilities == .ascii { #expect(grid.text(row: row).utf8.allSatisfy { $0 < 0x80 }) }
            }
        }
    }
}
