// SPDX-License-Identifier: MIT

import Testing
import TransferControl
import TransferModel

@testable import TerminalInterface
@testable import fileq

struct KeyNameTests {
    @Test(arguments: [
        ("p", Key.character("p")), ("P", .character("P")), ("7", .character("7")), ("[", .character("[")),
        ("é", .character("é")), ("日", .character("日")), (" ", .character(" ")), ("Space", .character(" ")),
        ("Enter", .enter), ("return", .enter), ("TAB", .tab), ("Shift-Tab", .backTab), ("Esc", .escape),
        ("Up", .up), ("down", .down), ("Left", .left), ("Right", .right), ("Home", .home), ("End", .end),
        ("PageUp", .pageUp), ("PgDn", .pageDown), ("Delete", .delete), ("Backspace", .backspace),
        ("Ctrl-x", .control("x")), ("ctrl-X", .control("x")), ("Ctrl+a", .control("a")), ("F1", .function(1)),
        ("f12", .function(12)),
    ])
    func reads(_ text: String, _ key: Key) throws { #expect(try Key(named: text) == key) }

    @Test(arguments: [
        "", "pp", "  ", "\t", "\u{1b}", "\u{301}", "e\u{301}", "\u{200b}", "\u{ad}", "Ctrl-", "Ctrl-1", "Ctrl-é",
        "Ctrl-xy", "F0",
        "F13", "F+1", "F01", "Insert", "paste", "mouse", "?!", "Alt-x",
    ])
    func refuses(_ text: String) {
        let error = #expect(throws: KeyNameError.self) { try Key(named: text) }
        #expect(error?.text.contains("is no key; a key is a character, Ctrl-x, F1 to F12") == true)
    }

    @Test(arguments: [
        ("Ctrl-I", "write Tab"), ("Ctrl-M", "write Enter"), ("Ctrl-j", "write Enter"), ("Ctrl-H", "write Backspace"),
        ("Ctrl-S", "use another key"), ("ctrl-q", "use another key"),
    ])
    func refusesWhatTerminalsKeep(_ text: String, _ ending: String) {
        let error = #expect(throws: KeyNameError.self) { try Key(named: text) }
        #expect(error?.text.hasSuffix(ending) == true)
    }

    /// What `fileq keys` prints can be written into the configuration.
    @Test func readsEveryLabel() throws {
        let others: [Key] = [.left, .right, .backspace] + (1...12).map { .function($0) }
        for key in ActionTable.all.flatMap(\.keys) + others { #expect(try Key(named: key.label) == key) }
    }
}

struct KeyMapTests {
    private func mistakes(_ changes: [String: [String]]) -> [String] {
        let (map, mistakes) = KeyMap.changed(changes)
        for mistake in mistakes {
            let entry = map.help.first { $0.action == mistake.action }
            #expect(entry?.isChanged != true, "an action with a mistake keeps its default keys")
        }
        return mistakes.map { "\($0.action): \($0.text)" }
    }

    @Test func noChangeIsTheTable() {
        let (map, mistakes) = KeyMap.changed([:])
        #expect(mistakes.isEmpty && map.help == KeyMap.standard.help)
        #expect(KeyMap.standard.help.allSatisfy { !$0.isChanged && !$0.help.contains("{") })
        #expect(Set(KeyMap.actionNames).count == Action.Name.allCases.count)
        #expect(KeyMap.actionNames.contains("page-down") && KeyMap.actionNames.contains("cancel-deleting"))
    }

    @Test func everyActionTakesAnotherKey() {
        for action in ActionTable.all {
            let keys = action.name == .interrupt ? ["Ctrl-C", "F12"] : ["F12"]
            let (map, mistakes) = KeyMap.changed([action.name.configured: keys])
            #expect(mistakes.isEmpty)
            #expect(map.action(for: .function(12))?.name == action.name)
            #expect(map.help.filter(\.isChanged).map(\.action) == [action.name.configured])
            for key in action.keys where key != .control("c") { #expect(map.action(for: key) == nil) }
        }
    }

    @Test(arguments: [
        (["pause": ["x"]], ["pause: x is the key of 'cancel'; set other keys for that action, too, or \"none\""]),
        (
            ["pause": ["Down"]],
            ["pause: Down is the key of 'down'; set other keys for that action, too, or \"none\""]
        ),
        (["pause": ["F5"], "cancel": ["F5"]], ["cancel: F5 is set for 'pause', too; a key has one action"]),
        (["pause": ["z", "z"]], ["pause: 'pause' has z twice"]),
        (["pause": ["Space", " "], "mark": []], ["pause: 'pause' has Space twice"]),
        (["quit": []], ["quit: 'quit' needs a key"]),
        (["pause": ["q"]], ["pause: q is the key of 'quit'; set other keys for that action, too, or \"none\""]),
        (["interrupt": []], ["interrupt: 'interrupt' keeps Ctrl-C: list it with its other keys"]),
        (["interrupt": ["Q"]], ["interrupt: 'interrupt' keeps Ctrl-C: list it with its other keys"]),
        (["pause": ["Ctrl-C"]], ["pause: Ctrl-C always quits; use another key"]),
        (["stop": ["z"]], ["stop: 'stop' is no action"]),
        (["pause": ["none", "z"]], ["pause: 'none' stands alone: 'pause' has keys, too"]),
        (
            ["pause": ["Ctrl-S"], "up": ["Ctrl-I"]],
            [
                "up: Ctrl-I is Tab on a terminal; write Tab",
                "pause: terminals stop and continue output with Ctrl-S; use another key",
            ]
        ),
    ])
    func refuses(_ changes: [String: [String]], _ expected: [String]) { #expect(mistakes(changes) == expected) }

    @Test(arguments: [
        ["pause": ["x"], "cancel": ["p", "Delete"]], ["pause": []], ["quit": ["Q"]],
        ["down": ["n"], "next-problem": []],
        ["interrupt": ["Ctrl-C", "F10"]], ["pause": ["p", "F5"]], ["pause": ["none"]],
        ["pause": ["-"], "priority-down": ["none"]],
    ])
    func accepts(_ changes: [String: [String]]) { #expect(mistakes(changes) == []) }

    @Test func aMistakeLeavesTheOtherChanges() {
        let (map, mistakes) = KeyMap.changed([
            "pause": ["F5"], "cancel": ["Ctrl-Enter"], "redraw": ["none"], "help": ["q"], "rocket": ["z"],
        ])
        #expect(mistakes.map(\.action) == ["rocket", "cancel", "help"])
        let keys = Dictionary(uniqueKeysWithValues: map.help.map { ($0.action, $0.keys) })
        #expect(keys["pause"] == ["F5"] && keys["redraw"] == [] && keys["cancel"] == ["x", "Del"])
        #expect(keys["help"] == ["?", "F1"] && map.action(for: .character("q"))?.name == .quit)
    }

    /// `pause` keeps `p`, which `retry` was to have: that one keeps `r`, and so on.
    @Test func aDefaultKeyThatIsKeptIsTakenFromOthers() {
        let (map, mistakes) = KeyMap.changed(["pause": ["q"], "retry": ["p"], "forget": ["r"], "detail": ["F3"]])
        #expect(mistakes.map(\.action) == ["pause", "retry", "forget"])
        #expect(map.help.filter(\.isChanged).map(\.action) == ["detail"])
        #expect(map.action(for: .character("p"))?.name == .pause)
    }

    @Test func noKeyIsCalledNone() {
        let (map, _) = KeyMap.changed(["redraw": ["none"], "priority-down": ["-"]])
        let labels = Dictionary(uniqueKeysWithValues: map.help.map { ($0.action, $0.label) })
        #expect(labels["redraw"] == "none" && labels["priority-down"] == "-")
    }
}

/// Keys in, state and texts out, with other keys.
struct ChangedKeysTests {
    private func state(_ transfers: [Transfer], _ changes: [String: [String]]) -> InterfaceState {
        var state = Samples.state(transfers)
        let (map, mistakes) = KeyMap.changed(changes)
        #expect(mistakes.isEmpty)
        state.setup.keyMap = map
        return state
    }

    private func lines(_ state: InterfaceState, columns: Int = 80, rows: Int = 24) -> [String] {
        let grid = render(state, columns: columns, rows: rows, capabilities: .unicode)
        return (0..<rows).map { grid.text(row: $0) }
    }

    @Test func aChangedKeyActsAndTheOldOneIsUnknown() {
        var state = state([Samples.transfer(7, .running)], ["pause": ["F5"], "help": ["H", "F1"]])
        #expect(state.keys(.character("p")).isEmpty)
        #expect(state.notice?.text == "Unknown key; H shows all keys")
        #expect(state.keys(.function(5)) == [.perform(.pause, ids(7))])
        state.keys(.character("H"))
        #expect(state.mode.helpMenu != nil)
    }

    @Test func exchangedKeysExchangeTheirActions() {
        var state = state([Samples.transfer(7, .running)], ["pause": ["x"], "cancel": ["p"]])
        #expect(state.keys(.character("x")) == [.perform(.pause, ids(7))])
        #expect(state.keys(.character("p")) == [.perform(.cancel(deletingPartial: false), ids(7))])
        #expect(state.keys(.delete).isEmpty)
    }

    @Test func quitCanMove() {
        var state = state([], ["quit": ["Z"]])
        #expect(state.keys(.character("q")).isEmpty)
        #expect(state.keys(.character("Z")) == [.quit(isConfirmed: false)])
        #expect(state.keys(.control("c")) == [.quit(isConfirmed: false)])
    }

    @Test func hintsAndHelpShowChangedKeys() {
        var state = state([Samples.transfer(7, .running)], ["pause": ["F5"], "cancel": []])
        let hints = HintLineView.hints(for: state, width: 80)
        #expect(hints.contains { $0.name == .pause } && !hints.contains { $0.name == .cancel })
        #expect(lines(state).last?.contains("F5 pause") == true)
        #expect(lines(state).last?.contains("p pause") == false)
        state.keys(.character("?"))
        #expect(lines(state).contains { $0.contains("  F5 P ") && $0.contains(" pause, pause all") })
        #expect(lines(state).contains { $0.contains("  X  ") && $0.contains(" cancel, delete ") })
        state.keys(.function(5))
        #expect(lines(state).last?.hasPrefix("Pause; resume if paused. ") == true)
    }

    @Test func aClickOnAHintActs() throws {
        var state = state([Samples.transfer(7, .running)], ["pause": ["F5"]])
        let bottom = try #require(state.layout.bottom)
        let column = try #require(lines(state)[bottom].firstRange(of: "F5 pause")?.lowerBound)
        let place = lines(state)[bottom].distance(from: lines(state)[bottom].startIndex, to: column)
        let effects = state.press(.mouse(Mouse(button: .left, row: bottom, column: place)))
        #expect(effects == [.perform(.pause, ids(7))])
    }

    @Test func sentencesNameChangedKeys() {
        var state = state(
            [Samples.transfer(7, .paused), Samples.transfer(8, .running)],
            [
                "pause": ["F5"], "cancel": ["C"], "retry": ["F6"], "undo": ["Ctrl-Y"], "add": ["F2"], "help": ["F3"],
                "view-all": ["F7"], "view-log": [],
            ])
        state.keys(.character("d"))
        #expect(state.notice?.text == "Cannot remove: it is paused (C cancels it)")
        state.keys(.function(6))
        #expect(state.notice?.text == "Cannot retry: it is paused (F5 resumes it)")
        state.keys(.character("C"))
        #expect(state.notice?.text == "Cancelled. Ctrl-Y undoes.")
        #expect(
            state.setup.keyMap.help.first { $0.action == "cancel" }?.help
                == "cancel; the partial file stays, and F6 resumes it")
        #expect(lines(state)[1].hasPrefix("1 Now 2  [F7 All 2]  3 Problems 0  4 Held 1  5 Done 0  6 History  Log"))
        var empty = self.state([], ["add": ["F2"], "help": []])
        #expect(lines(empty).contains { $0.contains("Press F2 to add a transfer, [help] for help.") })
        empty.keys(.character("p"))
        #expect(empty.notice?.text == "The list is empty; F2 adds a transfer")
    }

    @Test func rowsAndAdviceNameChangedKeys() throws {
        var asking = Samples.asking
        let (map, _) = KeyMap.changed(["trust": ["F8"], "proceed-anyway": ["F9"]])
        asking.setup.keyMap = map
        #expect(lines(asking).contains { $0.contains("press F8 to decide") })
        #expect(!lines(asking).contains { $0.contains("press T to decide") })
        var waiting = Samples.waiting
        waiting.setup.keyMap = map
        #expect(lines(waiting).contains { $0.contains("F9 uses this network now.") })
        let advice = StateText.advice(try #require(waiting.list.selected), Samples.words, map)
        #expect(advice?.hasPrefix("press F9 to continue anyway") == true)
    }

    /// Keys of prompts stay, whatever the keys of actions are.
    @Test func promptsKeepTheirKeys() {
        var state = state(
            [Samples.transfer(1, .queued, "b"), Samples.transfer(2, .queued, "a")],
            ["sort": ["S"], "close": ["F4"], "quit": ["y"], "copy": ["none"], "down": ["Enter"], "detail": ["f"]])
        state.keys(.character("S"), .character("n"))
        #expect(state.list.visible.map(\.rawValue) == [2, 1])
        state.keys(.character("S"), .character("s"))
        #expect(state.list.visible.map(\.rawValue) == [1, 2])
        state.keys(.character("t"))
        #expect(state.notice?.text.hasPrefix("Sorted by name: S q returns") == true)
        state.keys(.character("a"))
        state.type("yf")
        #expect(state.mode.addForm?[.addresses].text == "yf")
        state.keys(.escape)
        #expect(state.mode.addForm == nil)
        state.keys(.character("X"))
        #expect(state.keys(.character("y")) == [.perform(.cancel(deletingPartial: true), ids(1))])
    }

    /// At every size, with long names of keys.
    @Test func longKeysFitEverySize() {
        var state = Samples.mixed
        let names = ["Shift-Tab", "PageDown", "Backspace", "Ctrl-X", "日", "F12"]
        let actions = ["view-all", "view-now", "view-problems", "pause", "cancel", "retry"]
        var changes = Dictionary(uniqueKeysWithValues: zip(actions, names.map { [$0] }))
        (changes["previous-view"], changes["page-down"], changes["view-log"]) = ([], [], [])
        let (map, mistakes) = KeyMap.changed(changes)
        #expect(mistakes.isEmpty)
        state.setup.keyMap = map
        for key: Key? in [nil, .character("?")] {
            if let key { state.keys(key) }
            for columns in 1...130 {
                let grid = render(state, columns: columns, rows: 24, capabilities: .unicode)
                for row in 0..<24 { #expect(CellWidth.of(grid.text(row: row)) == columns) }
            }
        }
    }
}
