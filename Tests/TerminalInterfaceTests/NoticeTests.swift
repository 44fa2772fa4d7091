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
}
