// SPDX-License-Identifier: MIT

import Testing
import TransferControl
import TransferModel
import TransferTesting

@testable import TerminalInterface
@testable import fileq

struct InterfaceStateConsentTests {
    @Test(arguments: [
        (Key.character("o"), QueueCommand?.some(.trust(.once))), (.character("a"), .trust(.always)),
        (.character("n"), .decline()),
        (.enter, nil), (.escape, nil), (.control("c"), nil), (.character("y"), nil), (.character("O"), nil),
    ])
    func trustAppliesToOneKey(_ key: Key, _ command: QueueCommand?) {
        var state = Samples.asking
        let question = state.list.transfers[ids(1)[0]]?.question
        #expect(state.keys(.character("T")).isEmpty)
        #expect(state.mode.prompt?.purpose == .trust(ids(1)[0]))
        #expect(state.keys(key) == (command.map { [.perform(question.map($0.answering) ?? $0, ids(1))] } ?? []))
        #expect(state.mode.prompt == nil)
    }

    @Test(arguments: [
        (Key.character("y"), ConsentPersistence?.some(.always)), (.character("n"), .once), (.enter, .once),
        (.escape, nil),
        (.control("c"), nil),
    ])
    func loginPromptsForUserPasswordAndSaving(_ key: Key, _ persistence: ConsentPersistence?) {
        var state = Samples.asking
        let question = state.list.transfers[ids(2)[0]]?.question
        state.keys(.down, .character("u"))
        state.type(" alice ")
        #expect(state.keys(.enter).isEmpty)
        state.type(" se cret ")
        #expect(state.keys(.enter).isEmpty)
        let login = Credential(user: "alice", password: " se cret ")
        #expect(state.keys(key) == (persistence.map { [.perform(.login(login, $0, to: question), ids(2))] } ?? []))
        #expect(state.mode.prompt == nil)
        let undecided = "Not logged in: it stays paused; u asks again"
        #expect(persistence != nil || state.notice?.text == undecided)
    }

    @Test(arguments: [("paused", []), ("ask", [1, 2]), ("asks", [1, 2]), ("state:paused", [1, 2])])
    func theFilterFindsWhatIsShown(_ text: String, _ expected: [Int]) {
        var state = Samples.asking
        state.keys(.character("/"))
        state.type(text)
        #expect(state.list.visible.map(\.rawValue) == expected)
    }

    @Test func noPromptWithoutAQuestion() {
        var state = Samples.asking
        state.keys(.character("u"))
        #expect(state.mode.prompt == nil)
        #expect(state.notice?.text == "No question about a login here; n goes to the next problem")
        state.keys(.down, .character("T"))
        #expect(state.mode.prompt == nil)
        #expect(state.notice?.text == "No question about a certificate here; n goes to the next problem")
        state = Samples.queued(1)
        state.keys(.character("T"))
        #expect(state.mode.prompt == nil && state.notice?.text == "Nothing to trust: no certificate needs a decision")
        state.keys(.character("u"))
        #expect(state.mode.prompt == nil && state.notice?.text == "Nothing to log in to: no server requires a login")
    }

    @Test func resumingWhatAsksSaysThatItAsksAgain() {
        var state = Samples.asking
        #expect(state.keys(.character("p")) == [.perform(.resume, ids(1))])
        #expect(state.notice?.text == "Resumed; if it asks again, T replies")
        #expect(state.keys(.down, .character("p")) == [.perform(.resume, ids(2))])
        #expect(state.notice?.text == "Resumed; if it asks again, u replies")
    }

    @Test(arguments: [Key.character("y"), .enter])
    func anotherKeyDecidesNothingAndSaysSo(_ key: Key) {
        var state = Samples.asking
        state.keys(.character("T"))
        #expect(state.keys(key).isEmpty)
        #expect(state.mode.prompt == nil && state.notice?.text == "Not decided: it stays paused; T asks again")
        state.keys(.character("T"))
        #expect(state.keys(.escape).isEmpty)
        #expect(state.mode.prompt == nil && state.notice == nil)
    }

    /// One reply is for all that ask the same.
    @Test func saysHowManyAskTheSame() {
        var state = Samples.asking
        state.keys(.character("T"))
        #expect(state.mode.prompt?.labels.first == "Trust it? o once, a always, n no ")
        var others = state.snapshot.transfers
        others += others.map { asking in
            var other = Samples.transfer(asking.id.rawValue + 2, .paused)
            other.edit { $0.question = asking.question }
            return other
        }
        state = Samples.state(others)
        state.keys(.character("T"))
        #expect(state.mode.prompt?.labels.first == "2 transfers ask this. Trust it? o once, a always, n no ")
        state.keys(.escape, .down, .character("u"))
        #expect(state.notice?.text.hasSuffix("; 2 transfers ask this") == true)
    }

    @Test func cancelsALogin() {
        var state = Samples.asking
        state.keys(.down, .character("u"))
        #expect(state.keys(.enter).isEmpty)
        #expect(state.mode.prompt == nil, "a login needs a name")
        state.keys(.character("u"))
        state.type("alice")
        state.keys(.enter)
        state.type("x")
        #expect(state.keys(.escape).isEmpty)
        #expect(state.mode.prompt == nil)
    }

    @Test func aPasswordIsNowhereOnTheScreen() {
        var state = Samples.asking
        state.keys(.down, .character("u"))
        state.type("alice")
        state.keys(.enter)
        state.type("geheim")
        for columns in [20, 80] {
            let grid = render(state, columns: columns, rows: 10, capabilities: .unicode)
            #expect(!(0..<grid.rows).contains { grid.text(row: $0).contains("geh") })
        }
        #expect(!"\(Credential(user: "alice", password: "geheim"))".contains("geheim"))
    }
}
