// SPDX-License-Identifier: MIT

import Testing
import TransferModel

@testable import TerminalInterface

@Suite struct NoticeTests {
    @Test(arguments: [
        ("no transfer has the id 7", "No transfer has the id 7"), ("example.org: 404", "example.org: 404"),
        ("xdg-open is not installed", "xdg-open is not installed"),
        ("x is the key of 'cancel'", "x is the key of 'cancel'"),
        ("fileq has no such file", "fileq has no such file"), ("'23:3' is no time", "'23:3' is no time"),
        ("refused", "refused"),
    ])
    func errorsBeginWithACapitalUnlessThatIsAName(_ raw: String, _ text: String) {
        #expect(Notice(text: raw, isError: true).text == text)
        #expect(Notice(text: raw).text == raw)
    }

    @Test func deletingNamesTheTransfer() {
        var state = Samples.state([Samples.transfer(1, .running, "a\u{1b}.iso", bytes: 2048, total: 4096)])
        state.keys(.character("X"))
        #expect(state.mode.prompt?.labels.first == "Cancel a\u{fffd}.iso and delete 2.00K? y/N ")
    }

    @Test func theLogHasTheSilenceOfTheService() {
        var state = Samples.queued(1)
        state.setSilence(2)
        state.setSilence(12)
        state.setSilence(nil)
        state.reconnected()
        #expect(
            state.log.entries.map(\.text) == [
                "The service does not reply", "The service replies again, after 12 s",
                "The service is back; the list is the present one",
            ])
    }

    /// In the line that a silent service has, and over dialogs; what is typed stays.
    @Test(arguments: [("a", "┌ Add"), (":", ":"), ("/", "Filter: ")] as [(Unicode.Scalar, String)])
    func aLostConnectionIsSaid(_ key: Unicode.Scalar, _ dialog: String) {
        var state = Samples.queued(1)
        state.setup.vocabulary = CommandVocabulary(commands: [
            .init(path: ["pause"], arguments: "", help: "", options: [], takesTransfers: true)
        ])
        state.setup.machine = "nas"
        state.keys(.character(key))
        state.type("http")
        func text(_ state: InterfaceState) -> String {
            let grid = render(state, columns: 80, rows: 24, capabilities: .unicode)
            return (0..<24).map { grid.text(row: $0) }.joined(separator: "\n")
        }
        state.setLost(true)
        #expect(text(state).contains("connection to nas lost, reconnecting "), "\(text(state))")
        #expect(text(state).contains("http") && text(state).contains(dialog), "\(text(state))")
        state.setSilence(3)
        #expect(text(state).contains("connection to nas lost, reconnecting (3 s)"))
        state.setLost(false)
        state.setSilence(nil)
        #expect(!text(state).contains("reconnecting") && text(state).contains("http"))
        #expect(
            state.log.entries.map(\.text) == [
                "The connection to nas is lost; reconnecting", "The service replies again, after 3 s",
            ])
    }
}
