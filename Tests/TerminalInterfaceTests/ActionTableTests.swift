// SPDX-License-Identifier: MIT

import Testing
import TransferControl
import TransferModel
import TransferTesting

@testable import TerminalInterface
@testable import fileq

struct ActionTableTests {
    @Test func noKeyMeansTwoThings() {
        let keys = ActionTable.all.flatMap(\.keys)
        #expect(Set(keys).count == keys.count)
    }

    @Test func everyActionIsInTheTableOnceAndExplained() {
        #expect(ActionTable.all.map(\.name.rawValue).sorted() == Action.Name.allCases.map(\.rawValue).sorted())
        for action in ActionTable.all {
            #expect(action.keys.isEmpty == (action.name == .viewThirdOwn))
            #expect(!action.word.isEmpty && action.help.count > 3)
            #expect(!action.help.hasSuffix(".") && CellWidth.of(action.word) <= 12)
        }
        #expect(KeyMap.standard.help.count == ActionTable.all.count)
    }

    @Test func terminalsKeepTheirFlowControl() {
        #expect(!ActionTable.all.flatMap(\.keys).contains { $0 == .control("s") || $0 == .control("q") })
    }

    @Test func movingIsHintedForWhatWaits() {
        func names(_ state: TransferState) -> [Action.Name] {
            HintLineView.hints(for: Samples.state([Samples.transfer(1, state)]), width: 200).map(\.name)
        }
        #expect(names(.queued).contains(.moveDown) && !names(.completed).contains(.moveDown))
        #expect(!names(.failed).contains(.moveTop))
    }

    /// In 80 columns, too: the line above says that it can be removed.
    @Test func removingAFailureIsHinted() {
        var state = Samples.failed
        state.setup.canEdit = true
        #expect(HintLineView.hints(for: state, width: 80).contains { $0.name == .forget })
    }

    @Test func hintsShowEnabledActionsThatFit() {
        let empty = HintLineView.hints(for: Samples.state([]), width: 80).map(\.name)
        #expect(empty == [.add, .pauseAll, .limitAll, .help, .quit])
        for width in 0...200 {
            let hints = HintLineView.hints(for: Samples.mixed, width: width)
            let columns = hints.map { CellWidth.of($0.keys[0].label) + 1 + CellWidth.of($0.word) }
            #expect(columns.reduce(0, +) + max(0, 2 * (columns.count - 1)) <= width)
        }
        #expect(HintLineView.hints(for: Samples.mixed, width: 20).map(\.name) == [.help, .quit])
    }
}
