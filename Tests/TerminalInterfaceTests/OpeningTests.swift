// SPDX-License-Identifier: MIT

import Dispatch
import Testing
import TransferControl
import TransferModel
import TransferTesting

@testable import TerminalInterface

/// `o`, `O` and `y`.
struct OpeningTests {
    private func state(_ transfers: Transfer...) -> InterfaceState {
        var state = Samples.state(transfers)
        state.setup.canOpen = true
        return state
    }

    private func transfer(_ id: Int, _ state: TransferState, _ kind: TransferKind = .download) -> Transfer {
        Transfer(
            id: TransferID(rawValue: id), kind: kind, url: "https://a.example/it's?a=1",
            file: "/home/user/夏\(id).iso", state: state)
    }

    @Test func opensCompleteFiles() {
        var interface = state(transfer(1, .completed))
        #expect(interface.keys(.character("o")) == [.open("/home/user/夏1.iso")])
        #expect(interface.notice?.text == "Opening 夏1.iso")
        interface = state(transfer(1, .running))
        #expect(interface.keys(.character("o")).isEmpty)
        #expect(interface.notice?.text == "Not complete yet; O opens its folder")
        #expect(interface.keys(.character("O")) == [.open("/home/user/")])
        #expect(interface.notice?.text == "Opening ~/")
        // The source of an upload is there.
        interface = state(transfer(1, .running, .upload))
        #expect(interface.keys(.character("o")) == [.open("/home/user/夏1.iso")])
        interface.setup.canOpen = false
        #expect(interface.keys(.character("o")).isEmpty)
        #expect(interface.notice?.text == "No program can be started from here")
    }

    @Test(
        arguments: [
            ("y", "https://a.example/it's?a=1", "the address"), ("p", "/home/user/夏1.iso", "the path"),
            ("i", "1", "the ID"),
            ("c", "curl -fL -o '/home/user/夏1.iso' 'https://a.example/it'\\''s?a=1'", "the curl line"),
        ] as [(Unicode.Scalar, String, String)])
    func copies(_ letter: Unicode.Scalar, _ text: String, _ noun: String) {
        var interface = state(transfer(1, .paused))
        interface.keys(.character("y"))
        #expect(interface.mode.prompt?.labels.first == "Copy: [y] address  [p] path  [i] ID  [c] curl line ")
        #expect(interface.keys(.character(letter)) == [.copy(text)] && interface.mode.prompt == nil)
        #expect(interface.notice?.text == "Copied \(noun), if the terminal allows it")
    }

    @Test func copiesMarked() {
        var interface = state(transfer(1, .paused), transfer(2, .paused, .upload))
        interface.keys(.control("a"), .character("y"))
        #expect(
            interface.keys(.character("p")) == [.copy("/home/user/夏1.iso\n/home/user/夏2.iso")]
                && interface.notice?.text == "Copied 2 paths, if the terminal allows it")
        interface.keys(.character("y"))
        #expect(interface.keys(.escape).isEmpty && interface.mode.prompt == nil)
    }

    /// Each program that shows a file holds a thread.
    @Test func tooManyOpenFilesAreReported() {
        let (gate, mailbox) = (DispatchSemaphore(value: 0), Mailbox())
        var options = TerminalProgram.Options()
        options.open = { _ in
            gate.wait()
            return nil
        }
        let pump = EffectPump(client: FakeQueue(), mailbox: mailbox, options: options)
        for _ in 0..<64 { pump.send(.open("/f")) }
        #expect(mailbox.isEmpty)
        pump.send(.open("/f"))
        guard case .refused(let text)? = mailbox.take().first else {
            Issue.record("nothing was reported")
            return
        }
        #expect(text == "not opened: 64 programs show files from here; close one of them")
        for _ in 0..<64 { gate.signal() }
        pump.finish()
    }

    @Test func aWatchingScreenOpensAndCopies() {
        var interface = state(transfer(1, .completed))
        interface.setup.isReadOnly = true
        #expect(interface.keys(.character("o")).count == 1)
        interface.keys(.character("y"))
        #expect(interface.keys(.character("i")) == [.copy("1")])
    }

    @Test func clipboardsHaveALimit() {
        var long = transfer(1, .paused)
        long.url = "https://a.example/" + String(repeating: "x", count: ClipboardReport.maximum)
        var interface = state(long)
        interface.keys(.character("y"))
        #expect(interface.keys(.character("y")).isEmpty && interface.notice?.isError == true)
        #expect(ClipboardReport.sequence("夏") == "\u{1b}]52;c;5aSP\u{7}")
    }
}
