// SPDX-License-Identifier: MIT

import Testing
import TransferControl
import TransferModel

@testable import TerminalInterface

@Suite struct RangeTests {
    private func marks(_ state: InterfaceState) -> [Int] { state.list.marks.map(\.rawValue).sorted() }

    private func state(_ text: String, of start: InterfaceState = Samples.queued(9)) -> InterfaceState {
        var state = start
        for character in text.unicodeScalars {
            switch character {
            case "<": state.keys(.escape)
            case "A": state.keys(.control("a"))
            default: state.keys(.character(character))
            }
        }
        return state
    }

    @Test(arguments: [
        ("jv", [2]), ("jvjj", [2, 3, 4]), ("jvjjk", [2, 3]), ("jjvkk", [1, 2, 3]), ("jvG", [2, 3, 4, 5, 6, 7, 8, 9]),
        // Ends, and keeps the marks.
        ("vjvj", [1, 2]), ("vj j", [1]), ("vjxjj", [1, 2]), ("vj?<jj", [1, 2]),
        // Marks from before stay.
        (" jjvj", [1, 4, 5]), (" jvjv<", []), ("v2", [1]),
        // Takes back what it marked.
        (" jjvj<", [1]), ("vjj<", []), ("vjA", [1, 2, 3, 4, 5, 6, 7, 8, 9]),
    ])
    func marksFromHereToThere(_ text: String, _ expected: [Int]) {
        #expect(marks(state(text)) == expected)
    }

    @Test func itFollowsTheOrderOfTheScreen() {
        #expect(marks(state("jjjjsnssvj")) == [4, 5])
    }

    @Test func aFoldedGroupBelongsToIt() {
        var grouped = Samples.kinds
        grouped.list.marks = []
        grouped.keys(.character("z"), .character("g"), .character("g"))
        let keys = grouped.list.groups.groups.map(\.key)
        let members = keys.map { grouped.list.groups[$0]?.members.count ?? 0 }
        // The heading of the second group: without its members, until it is folded.
        grouped.keys(.character("j"), .character("v"))
        for _ in 0..<members[0] { grouped.keys(.down) }
        #expect(grouped.list.selectedGroup == keys[1] && grouped.list.marks.count == members[0])
        grouped.keys(.left)
        #expect(grouped.list.range == nil && grouped.list.marks.count == members[0])
        grouped.keys(.escape, .up, .character("v"), .down)
        #expect(grouped.list.selectedGroup == keys[1] && grouped.list.marks.count == 1 + members[1])
    }

    @Test func itEndsWithItsFirstTransfer() {
        var state = state("vj")
        state.receive(.removed(ids(1)))
        state.keys(.down)
        #expect(state.list.range == nil && marks(state) == [2])
    }

    @Test func theScreenSaysSo() {
        let state = state("vj")
        #expect(state.notice == nil)
        #expect(self.state("v").notice?.text == "Moving marks from here on; v keeps the marks, Esc takes them back")
        let grid = render(state, columns: 100, rows: 24, capabilities: .unicode)
        #expect(grid.text(row: 1).contains("marking 2"))
    }
}
