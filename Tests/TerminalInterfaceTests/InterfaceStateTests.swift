// SPDX-License-Identifier: MIT

import Testing
import TransferControl
import TransferModel
import TransferTesting

@testable import TerminalInterface
@testable import fileq

struct InterfaceStateKeyTests {
    @Test(arguments: [
        ([Key.character("j")], 2), ([.down, .down], 3), ([.character("j"), .character("k")], 1), ([.up], 1),
        ([.character("G")], 50),
        ([.end, .down], 50), ([.end, .home], 1), ([.pageDown], 18), ([.pageDown, .pageUp], 1),
        ([.control("f"), .control("f")], 35),
    ])
    func moving(_ keys: [Key], _ selected: Int) {
        var state = Samples.queued(50)
        let effects = keys.flatMap { state.press($0) }
        #expect(effects.isEmpty)
        #expect(state.list.selection?.rawValue == selected)
    }

    @Test(arguments: [
        (Key.character("p"), TransferState.running, QueueCommand?.some(.pause)), (.character("p"), .queued, .pause),
        (.character("p"), .waiting, .pause), (.character("p"), .retrying, .pause), (.character("p"), .paused, .resume),
        (.character("p"), .completed, nil), (.character("p"), .verifying, nil),
        (.character("x"), .running, .cancel(deletingPartial: false)),
        (.character("x"), .paused, .cancel(deletingPartial: false)),
        (.character("x"), .failed, nil), (.delete, .queued, .cancel(deletingPartial: false)),
        (.character("r"), .failed, .retry), (.character("r"), .cancelled, .retry), (.character("r"), .running, nil),
        (.character("r"), .completed, nil), (.character("r"), .retrying, .retry),
        (.character("d"), .completed, .dismiss), (.character("d"), .running, nil),
        (.character("J"), .queued, nil), (.character("t"), .queued, nil),
    ])
    func commands(_ key: Key, _ state: TransferState, _ command: QueueCommand?) {
        var interface = Samples.state([Samples.transfer(7, state)])
        let effects = interface.keys(key)
        #expect(effects == (command.map { [.perform($0, ids(7))] } ?? []))
        // A key that can do nothing says so; one that did much says how to take it back.
        let refusal = interface.notice.flatMap { $0.text.contains("U undoes") ? nil : $0 }
        #expect((refusal != nil) == (command == nil))
    }

    @Test func liftsOnlyLiftableRestrictions() {
        var state = Samples.waiting
        #expect(HintLineView.hints(for: state, width: 80).contains { $0.name == .proceedAnyway })
        #expect(state.keys(.character("A")) == [.perform(.liftRestrictions, ids(1))])
        #expect(state.keys(.control("a"), .character("A")) == [.perform(.liftRestrictions, ids(1))])
        state.keys(.escape)
        for number in 2...4 {
            #expect(state.keys(.down, .character("A")).isEmpty)
            let isWaiting = state.list.transfers[ids(number)[0]]?.state == .waiting
            let reason = "it does not wait " + (isWaiting ? "because of what a network costs" : "for a network")
            #expect(state.notice?.text == "Cannot continue anyway: \(reason)")
            #expect(!HintLineView.hints(for: state, width: 80).contains { $0.name == .proceedAnyway })
        }
        // In the details it is the one that is shown.
        #expect(state.keys(.home, .enter, .character("A")) == [.perform(.liftRestrictions, ids(1))])
    }

    @Test(arguments: [
        (
            0, "waiting 4:30 · only an expensive network (wwan0) is up",
            "press A to continue anyway, or connect to another network: it then resumes automatically"
        ),
        (1, "waiting 0:42 · no route to example.org: wlan0 is down", "turn wlan0 on: it then resumes automatically"),
        (2, "waiting 0:00 · the name server does not respond", "nothing to do: it resumes automatically"),
        (
            3, "retrying in 0:12 (attempt 3): example.org: connection refused",
            "nothing to do: it retries automatically, also when the network changes; r retries now"
        ),
    ])
    func waitsShowReasonTimeAndAdvice(_ index: Int, _ sentence: String, _ advice: String) {
        let transfer = Samples.waiting.snapshot.transfers[index]
        #expect(StateText.sentence(transfer, Samples.words, now: 1000) == sentence)
        #expect(StateText.advice(transfer, Samples.words) == advice)
    }

    /// In a large window the details take the place of the line below the list.
    @Test(arguments: [
        (
            TransferError(.httpStatus, .init(phrase: "Not Found"), host: "example.org", status: 404),
            "e edits the address, d removes it"
        ),
        (TransferError(.tlsHandshake, "example.org: TLS failed"), "r retries, d removes it"),
        (
            TransferError(.destinationExists, "/home/user/a: exists already"),
            "B saves it under another name, r replaces the file"
        ),
    ])
    func failuresHaveAdvice(_ error: TransferError, _ advice: String) {
        var transfer = Samples.transfer(1, .failed)
        transfer.edit { $0.error = error }
        #expect(StateText.advice(transfer, Samples.words) == advice)
    }

    /// Options of the command that added it are of no use here.
    @Test func detailsOfATakenNameNameTheKey() {
        var transfer = Samples.transfer(1, .failed)
        transfer.edit {
            $0.error = TransferError(
                .cannotWrite, file: .init(.nameInUse, holder: 7), path: "/home/user/a", variant: .nameInUse)
        }
        var state = Samples.state([transfer])
        state.resize(columns: 80, rows: 24)
        let details = DetailView.lines(of: state).map { $0.spans.map(\.text).joined() }
        #expect(details.contains { $0.contains("e saves it under another name, d removes it") })
        #expect(details.contains { $0.hasPrefix("State") && $0.contains("transfer 7 is writing this file") })
        #expect(!details.contains { $0.contains("-o") })
    }

    @Test func dropsTheLeastImportantPartFirst() throws {
        let transfer = Samples.waiting.snapshot.transfers[1]
        let around = RowText.Surroundings(now: 1000, clock: .utc, words: Samples.words)
        let text = try #require(RowText(transfer, around))
        #expect(text.texts == ["waits 0:42 · wlan0 is down", "waits 0:42 · no route", "wlan0 is down", "no route"])
        #expect(text.fitting(21) == "waits 0:42 · no route" && text.fitting(12) == "no route")
    }

    @Test func commandsApplyToMarks() {
        var state = Samples.queued(5)
        #expect(
            state.keys(.character(" "), .down, .character(" "), .character("p")) == [
                .perform(.pause, ids(1, 3))
            ])
        #expect(state.list.selection?.rawValue == 4)
        // The last of them moves first, so that none jumps over another.
        #expect(state.keys(.character("J")) == [.perform(.move(.down), ids(3, 1))])
        #expect(state.keys(.character("K")) == [.perform(.move(.up), ids(1, 3))])
        #expect(state.keys(.character("t")) == [.perform(.move(.top), ids(3, 1))])
        // In the detail view it is what is seen that counts.
        #expect(state.keys(.enter, .character("x")) == [.perform(.cancel(deletingPartial: false), ids(4))])
        state.keys(.escape, .escape)
        #expect(state.list.marks.isEmpty)
        state.keys(.control("a"))
        #expect(state.list.marks.count == 5)
        state.keys(.control("a"))
        #expect(state.list.marks.isEmpty)
    }

    @Test func pausesWhatItCanAndElseResumes() {
        var state = Samples.state([
            Samples.transfer(1, .running), Samples.transfer(2, .paused), Samples.transfer(3, .verifying),
        ])
        state.resize(columns: 80, rows: 24)
        func hints() -> String { render(state, columns: 80, rows: 24, capabilities: .unicode).text(row: 23) }
        state.keys(.control("a"))
        #expect(hints().contains("  p pause  "))
        #expect(state.keys(.character("p")) == [.perform(.pause, ids(1))])
        #expect(state.notice?.text == "Paused 1; 1 was paused already. U undoes.")
        state.receive(.events([TransferEvent(time: 0, name: .paused, transfer: Samples.transfer(1, .paused))]))
        state.notice = nil
        #expect(hints().contains("  p resume  "))
        #expect(state.keys(.character("p")) == [.perform(.resume, ids(1, 2))])
        #expect(state.notice?.text == "Resumed 2 transfers. U undoes.")
    }

    @Test func pausesAndResumesAll() {
        func paused(_ id: Int, _ origin: PauseOrigin) -> Transfer {
            var transfer = Samples.transfer(id, .paused)
            transfer.edit { $0.pausedBy = origin }
            return transfer
        }
        var state = Samples.state([
            Samples.transfer(1, .running), Samples.transfer(2, .completed), paused(3, .transfer),
        ])
        #expect(state.keys(.character("P")) == [.hold(true)])
        #expect(state.notice?.text == "Queue held, 1 transfer paused. U undoes.")
        state.receive(.limits(QueueLimits(isHeld: true)))
        state.receive(.events([TransferEvent(time: 0, name: .paused, transfer: paused(1, .queue))]))
        #expect(state.log.entries.contains { $0.text == "The queue is held, also what is added" })
        #expect(state.keys(.character("P")) == [.hold(false)])
        #expect(state.notice?.text == "Queue released. U undoes.")
        // Held by an older program.
        state.receive(.limits(QueueLimits()))
        #expect(state.keys(.character("P")) == [.perform(.resume, ids(1))])
    }

    /// By another client.
    @Test func aNoticeAboutAHoldGoesWithIt() {
        var state = Samples.state([Samples.transfer(1, .running)])
        #expect(state.keys(.character("P")) == [.hold(true)])
        state.receive(.limits(QueueLimits(isHeld: true)))
        #expect(state.notice?.text == "Queue held, 1 transfer paused. U undoes.")
        state.receive(.limits(QueueLimits(concurrent: 3, isHeld: true)))
        #expect(state.notice?.text == "Queue held, 1 transfer paused. U undoes.", "another limit changes nothing")
        state.receive(.limits(QueueLimits()))
        #expect(state.notice?.text == "The queue is released")
        state.receive(.limits(QueueLimits(isHeld: true)))
        #expect(state.notice?.text == "The queue is held, also what is added")
        // Other notices stay.
        state.keys(.character("s"), .character("n"), .character("h"))
        let text = state.notice?.text
        state.receive(.limits(QueueLimits()))
        #expect(text != nil && state.notice?.text == text)
    }

    @Test func holdsAQueueInWhichNothingRuns() {
        var state = Samples.state([])
        #expect(state.keys(.character("P")) == [.hold(true)])
        #expect(state.notice?.text == "Queue held, what is added waits. U undoes.")
        var full = Samples.transfer(1, .paused)
        full.status = .paused(.noSpace(TransferError(.diskFull, "full")))
        state = Samples.state([full])
        #expect(state.keys(.character("P")) == [.perform(.resume, ids(1))])
        state.receive(.limits(QueueLimits(isHeld: true)))
        #expect(state.keys(.character("P")) == [.hold(false), .perform(.resume, ids(1))])
    }

    @Test func retriesAllFailedTransfers() {
        var state = Samples.state([
            Samples.transfer(1, .failed), Samples.transfer(2, .cancelled), Samples.transfer(3, .failed),
        ])
        #expect(state.keys(.character("R")) == [.perform(.retry, ids(1, 3))])
        state = Samples.state([Samples.transfer(2, .cancelled)])
        #expect(state.keys(.character("R")).isEmpty)
        #expect(state.notice?.text == "Nothing to retry: no transfer has failed")
    }

    @Test(arguments: [
        (Key.character("x"), "Cancelled 5000 transfers. U undoes.", QueueCommand.cancel(deletingPartial: false)),
        (.character("p"), "Paused 5000 transfers. U undoes.", .pause),
    ])
    func whatCanBeUndoneIsNotAsked(_ key: Key, _ text: String, _ command: QueueCommand) {
        var state = Samples.queued(5000)
        #expect(!HintLineView.hints(for: state, width: 200).contains { $0.name == .undo })
        #expect(state.keys(.control("a"), key) == [.perform(command, (1...5000).map(TransferID.init(rawValue:)))])
        #expect(state.notice?.text == text)
        #expect(HintLineView.hints(for: state, width: 200).contains { $0.name == .undo })
        #expect(state.keys(.character("U")) == [.undo])
        state.receive(UndoneCommand(command: "cancel", performedAt: 0, ids: ids(1, 2), skipped: 1))
        #expect(state.notice?.text == "Undone: cancelling 2 transfers; 1 transfer has changed since and stays")
        state.receive(UndoneCommand(command: "cancel", performedAt: 0, skipped: 2))
        #expect(state.notice?.text == "Nothing was undone: cancelling 2 transfers, which have all changed since")
    }

    @Test(
        arguments: [
            (KeyedCommand.perform(.cancel(deletingPartial: false), []), true),
            (.perform(.cancel(deletingPartial: true), []), false), (.perform(.priority(1), []), true),
            (.perform(.retry, []), false), (.perform(.remove, []), false), (.hold(true), true), (.undo, false),
        ] as [(KeyedCommand, Bool)])
    func knowsWhatCanBeUndone(_ command: KeyedCommand, _ expected: Bool) { #expect(command.isReverted == expected) }

    /// Not only that transfers are paused.
    @Test func undoingAReleaseSaysThatTheQueueIsHeld() {
        var state = Samples.queued(3)
        state.receive(UndoneCommand(command: "resume", performedAt: 0, ids: ids(1, 2, 3), isHeld: true))
        #expect(state.notice?.text == "Undone: releasing the queue, 3 transfers; it is held again")
        state.receive(UndoneCommand(command: "resume", performedAt: 0, isHeld: true))
        #expect(state.notice?.text == "Undone: releasing the queue; it is held again")
        state.receive(UndoneCommand(command: "hold", performedAt: 0, ids: ids(1, 2), isHeld: false))
        #expect(state.notice?.text == "Undone: holding the queue, 2 transfers")
        state.receive(UndoneCommand(command: "resume", performedAt: 0, ids: ids(1, 2)))
        #expect(state.notice?.text == "Undone: resuming 2 transfers")
    }

    @Test func hintsAtUndoingAsLongAsThereIsSomething() {
        var state = Samples.queued(3)
        state.now = 1000
        var isHinted: Bool { HintLineView.hints(for: state, width: 200).contains { $0.name == .undo } }
        #expect(!isHinted)
        state.keys(.character("p"))
        state.now = 1100
        state.keys(.character("x"))
        state.receive(UndoneCommand(command: "cancel", performedAt: 1100.2, ids: ids(1)))
        #expect(isHinted, "the pause is left")
        // Of another client.
        let limits = QueueLimits(concurrent: 3, download: 4 << 20)
        state.receive(UndoneCommand(command: "limits.set", performedAt: 1050, limits: limits))
        #expect(state.notice?.text == "Undone: the limits of the queue; now down 4M/s, up none, 3 slots")
        #expect(isHinted)
        state.receive(UndoneCommand(command: "pause", performedAt: 1000.1, ids: ids(1)))
        #expect(!isHinted)
        state.keys(.character("p"))
        #expect(isHinted)
        state.receive(nothingToUndo: "nothing to undo")
        #expect(!isHinted)
        #expect(state.notice == Notice(text: "Nothing to undo", isError: true))
        state.keys(.character("p"))
        state.now += 600
        #expect(!isHinted, "the service has forgotten it")
        // What is not reverted leads to no hint.
        var failed = Samples.state([Samples.transfer(1, .failed)])
        failed.keys(.character("r"))
        #expect(!failed.canUndo)
    }

    /// A key for what was done last does not revert what was done long before, unasked.
    @Test func whatIsNotRevertedIsNotPassedOverInSilence() {
        var state = Samples.state([Samples.transfer(1, .failed), Samples.transfer(2, .running)])
        state.keys(.down, .character("p"), .up)
        #expect(state.keys(.character("r")) == [.perform(.retry, ids(1))])
        #expect(state.keys(.character("U")).isEmpty)
        #expect(state.notice?.text == "Retrying cannot be undone; U again undoes the command before it")
        #expect(state.keys(.character("U")) == [.undo])
        #expect(state.keys(.character("U")) == [.undo], "said once")
        state.keys(.character("r"), .down, .character("p"))
        #expect(state.keys(.character("U")) == [.undo])
    }

    @Test func asksBeforeBytesAreLost() {
        for (answer, isYes) in [
            (Key.character("y"), true), (.character("Y"), true), (.character("n"), false), (.escape, false),
            (.enter, false), (.paste("y"), false),
        ] {
            var state = Samples.state((1...3).map { Samples.transfer($0, .paused, bytes: 1024, total: 4096) })
            #expect(state.keys(.control("a"), .character("X")).isEmpty)
            #expect(state.mode.prompt?.labels.first == "Cancel 3 transfers and delete 3.00K? y/N ")
            // One that goes meanwhile is no longer meant.
            state.receive(.removed(ids(2)))
            #expect(state.keys(answer) == (isYes ? [.perform(.cancel(deletingPartial: true), ids(1, 3))] : []))
            #expect(state.mode.prompt == nil)
        }
    }

    /// No undo brings them back.
    @Test func asksBeforeAServerWouldSendAllAgain() {
        var lost = Samples.transfer(2, .running, "live.ts", bytes: 2048)
        lost.status = .running(nil, .notResumable)
        var state = Samples.state([Samples.transfer(1, .running, bytes: 1024, total: 4096), lost])
        let cancel = QueueCommand.cancel(deletingPartial: false)
        #expect(state.keys(.character("x")) == [.perform(cancel, ids(1))])
        #expect(state.keys(.down, .character("x")).isEmpty)
        let question = "Cancel live.ts and lose 2.00K, which the server does not resume? y/N "
        #expect(state.mode.prompt?.labels.first == question)
        #expect(state.keys(.escape).isEmpty)
        #expect(state.mode.prompt == nil)
        #expect(state.keys(.control("a"), .character("x")).isEmpty)
        let label = "Cancel 2 transfers and lose 2.00K of 1, which the server does not resume? y/N "
        #expect(state.mode.prompt?.labels.first == label)
        #expect(state.keys(.character("y")) == [.perform(cancel, ids(1, 2))])
        // Of which nothing has arrived, nothing is lost.
        lost.bytes = 0
        state = Samples.state([lost])
        #expect(state.keys(.character("x")) == [.perform(cancel, ids(2))])
    }

    @Test func prioritiesGoUpAndDown() {
        var state = Samples.queued(2)
        #expect(state.keys(.character("+")) == [.perform(.priority(0.75), ids(1))])
        #expect(state.keys(.character("-")) == [.perform(.priority(0.25), ids(1))])
        var high = Samples.transfer(1, .queued)
        high.priority = 0.75
        state = Samples.state([high])
        #expect(state.keys(.character("+")).isEmpty)
        #expect(state.notice?.text == "The priority is high already")
    }

    @Test func aWatchingScreenChangesNothing() {
        var state = Samples.mixed
        state.setup.isReadOnly = true
        for action in ActionTable.all where action.traits.contains(.changesQueue) {
            for key in action.keys {
                #expect(state.keys(key).isEmpty)
                #expect(state.notice?.text.contains("only watches") == true && state.mode.prompt == nil)
            }
        }
        #expect(state.keys(.paste("https://a.example/")).isEmpty && state.mode.addForm == nil)
        #expect(state.keys(.down, .character("q")) == [.quit(isConfirmed: false)])
    }

    @Test func explainsDisabledKeys() {
        func notice(_ key: Key, _ states: TransferState...) -> String? {
            var state = Samples.state(states.enumerated().map { Samples.transfer($0.offset + 1, $0.element) })
            if states.count > 1 { state.keys(.control("a")) }
            #expect(state.keys(key).isEmpty)
            return state.notice?.text
        }
        #expect(notice(.character("d"), .running) == "Cannot remove: it is still running (x cancels it)")
        #expect(notice(.character("d"), .queued) == "Cannot remove: it is still queued (x cancels it)")
        #expect(notice(.character("d"), .queued, .running) == "Cannot remove: none of the 2 marked has finished")
        #expect(notice(.character("x"), .failed) == "Cannot cancel: it has finished (d removes it from the list)")
        #expect(notice(.character("r"), .paused) == "Cannot retry: it is paused (p resumes it)")
        #expect(notice(.character("p"), .failed) == "Cannot pause: it has failed (r retries it)")
        #expect(notice(.character("p"), .cancelled) == "Cannot pause: it is cancelled (r resumes it)")
        #expect(notice(.character("l"), .completed) == "Cannot limit: it is completed")
        #expect(notice(.character("p")) == "The list is empty; a adds a transfer")
        for key in [Key.character("E"), .character("Z"), .character("h"), .backspace] {
            #expect(notice(key, .running) == "Unknown key; ? shows all keys")
        }
    }

    @Test func quitting() {
        var state = Samples.queued(2)
        #expect(state.keys(.character("q")) == [.quit(isConfirmed: false)])
        #expect(state.keys(.control("c")) == [.quit(isConfirmed: false)])
        for (answer, effects) in [
            (Key.character("n"), []), (.escape, []), (.character("y"), [Effect.quit(isConfirmed: true)]),
            (.control("c"), [.quit(isConfirmed: true)]), (.enter, []),
        ] {
            state.ask(.quit, text: "sure? ")
            #expect(state.keys(answer) == effects)
            #expect(state.mode.prompt == nil)
        }
        // From what lies over the list, q leads back to the list; Ctrl-C does not.
        #expect(state.keys(.character("?"), .character("q")) == [] && state.mode.isList)
        #expect(state.keys(.enter, .control("c")) == [.quit(isConfirmed: false)])
    }

    @Test func screenKeys() {
        var state = Samples.queued(2)
        #expect(state.keys(.control("l")) == [.redraw])
        #expect(state.keys(.control("z")) == [.suspend])
        state.keys(.character("a"))
        #expect(state.keys(.control("l")) == [.redraw])
        #expect(state.keys(.control("z")) == [.suspend])
        #expect(state.mode.addForm != nil)
    }

    @Test func overlaysOpenCloseAndScroll() {
        var state = Samples.queued(3)
        state.resize(columns: 80, rows: 10)
        state.receive(CommandOutcome(lines: (1...100).map(String.init)), of: "list")
        state.keys(.pageDown)
        #expect(state.isCovered && state.overlayTop > 0)
        state.keys(.character("G"))
        let last = state.overlayTop
        state.keys(.down)
        #expect(state.overlayTop == last)
        state.keys(.character("q"))
        #expect(state.overlay == nil && state.overlayTop == 0)
        state.keys(.enter)
        #expect(state.overlay == .detail)
        state.keys(.down)
        #expect(state.list.selection?.rawValue == 2 && state.overlay == .detail)
        state.keys(.enter)
        #expect(state.overlay == nil)
    }
}

struct InterfaceStatePromptTests {
    @Test func aNewLimitTakesThePlaceOfTheOldOne() {
        var limited = Samples.transfer(1, .queued)
        limited.rateLimit = 102_400
        var state = Samples.state([limited])
        state.keys(.character("l"))
        #expect(state.mode.prompt?.editor.text == "100k")
        state.type("50k")
        #expect(state.keys(.enter) == [.perform(.limit(51_200), ids(1))])
        // Other keys edit it.
        state.keys(.character("l"), .backspace)
        #expect(state.mode.prompt?.editor.text == "100")
        state.type("M")
        #expect(state.mode.prompt?.editor.text == "100M")
        state.keys(.escape)
        // What is left out of the limits of the queue stays.
        let limits = QueueLimits(concurrent: 2, download: 1024, upload: 7)
        state.receive(.limits(limits))
        state.keys(.character("L"))
        state.type("6 slots")
        #expect(state.keys(.enter) == [.setLimits(QueueLimits(concurrent: 6, download: 1024, upload: 7))])
    }

    @Test func limiting() {
        var state = Samples.queued(2)
        state.keys(.character("l"))
        state.type("500k")
        #expect(state.keys(.enter) == [.perform(.limit(512_000), ids(1))])
        state.keys(.character("l"))
        state.type("quick")
        #expect(state.keys(.enter) == [] && state.notice?.isError == true && state.mode.prompt?.editor.text == "quick")
        for text in ["", "-", "none", "NONE", " none "] {
            state.keys(.character("l"), .control("u"))
            state.type(text)
            #expect(state.keys(.enter) == [.perform(.limit(nil), ids(1))], "\(text)")
        }
    }

    @Test(arguments: [
        ("", QueueLimits(concurrent: 2)), ("2M", QueueLimits(concurrent: 2, download: 2_097_152, upload: 7)),
        ("2M 500k", QueueLimits(concurrent: 2, download: 2_097_152, upload: 512_000)),
        ("- 1k", QueueLimits(concurrent: 2, upload: 1024)), ("None", QueueLimits(concurrent: 2)),
        ("none 1k", QueueLimits(concurrent: 2, upload: 1024)), ("- none", QueueLimits(concurrent: 2)),
        ("6 slots", QueueLimits(concurrent: 6, download: 5, upload: 7)),
        ("2M 500k 6 slots, 2 per-host", QueueLimits(concurrent: 6, perHost: 2, download: 2_097_152, upload: 512_000)),
        ("none 1 slot", QueueLimits(concurrent: 1)),
    ])
    func limitingAll(_ typed: String, _ limits: QueueLimits) {
        var state = Samples.queued(1)
        state.receive(.limits(QueueLimits(concurrent: 2, download: 5, upload: 7)))
        state.keys(.character("L"))
        #expect(state.mode.prompt?.editor.text == "5 7")
        state.keys(.control("u"))
        state.type(typed)
        #expect(state.keys(.enter) == [.setLimits(limits)])
    }

    @Test(arguments: ["0 slots", "slots", "many slots", "1 2 3", "2 per-hosts 0 slots", "quick"])
    func whatIsNoLimitIsRefused(_ typed: String) {
        var state = Samples.queued(1)
        state.keys(.character("L"))
        state.type(typed)
        #expect(state.keys(.enter).isEmpty && state.notice?.isError == true && state.mode.prompt?.editor.text == typed)
    }

    @Test func filtering() {
        var state = Samples.mixed
        state.keys(.character("/"))
        state.type("PDF")
        #expect(state.list.visible == ids(2) && state.list.selection?.rawValue == 2)
        state.keys(.enter)
        #expect(state.mode.prompt == nil && state.list.filter == "PDF")
        state.keys(.escape)
        #expect(state.list.visible.count == 11 && state.list.selection?.rawValue == 2)
        state.keys(.character("/"))
        state.type("failed")
        #expect(state.list.visible == ids(8))
        state.keys(.escape)
        #expect(state.list.filter.isEmpty && state.list.visible.count == 11)
        // Composed and decomposed spellings are the same name.
        state.keys(.character("/"))
        state.type("がぎ")
        #expect(state.list.visible == ids(4))
    }

    @Test(arguments: [
        ("fail", [8]), ("FAIL", [8]), ("404", [8]), ("gpj 404", [8]), ("done", [10]), ("upload", [2, 11]), ("zip", [1]),
        ("zip pdf", []),
        ("state:failed", [8]), ("state:failed,paused", [7, 8]), ("!state:failed exe", []), ("size>1G", [6]),
        ("kind:upload old", [11]),
        ("name:*.pdf", [2]), ("connection refused", [5]), ("state:", [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]), ("ru", []),
        ("run", [1, 2, 3]),
    ])
    func filterWords(_ text: String, _ expected: [Int]) {
        var state = Samples.mixed
        state.keys(.character("/"))
        state.type(text)
        #expect(state.list.visible.map(\.rawValue) == expected)
    }

    @Test func reportsAnInvalidFilter() {
        var state = Samples.mixed
        state.keys(.character("/"))
        state.type("state:done")
        #expect(state.keys(.enter).isEmpty && state.notice?.isError == true && state.mode.prompt?.purpose == .filter)
        state.keys(.control("u"))
        state.type("state:failed")
        state.keys(.enter)
        #expect(state.mode.prompt == nil && state.list.visible == ids(8))
    }

    @Test func theFilterFollowsChanges() {
        var state = Samples.state([Samples.transfer(1, .running, "a"), Samples.transfer(2, .running, "b")])
        state.keys(.character("/"))
        state.type("running")
        state.keys(.enter)
        state.receive(.events([TransferEvent(time: 0, name: .paused, transfer: Samples.transfer(1, .paused, "a"))]))
        #expect(state.list.visible == ids(2) && state.list.selection?.rawValue == 2)
    }
}

struct InterfaceStateUpdateTests {
    @Test func theSelectionFollowsItsTransfer() {
        var state = Samples.queued(4)
        state.keys(.down)
        state.receive(.order(ids(4, 3, 2, 1)))
        #expect(state.list.selection?.rawValue == 2 && state.list.selectedIndex == 2)
        state.receive(.removed(ids(2)))
        #expect(state.list.selection?.rawValue == 1)
        state.receive(.removed(ids(1)))
        #expect(state.list.selection?.rawValue == 3)
        state.receive(.removed(ids(3, 4)))
        #expect(state.list.selection == nil && state.list.visible.isEmpty)
        state.receive(.events([TransferEvent(time: 0, name: .queued, transfer: Samples.transfer(9, .queued))]))
        #expect(state.list.selection?.rawValue == 9)
    }

    @Test func detailsCloseWithoutATransfer() {
        var state = Samples.queued(1)
        state.keys(.enter)
        state.receive(.removed(ids(1)))
        #expect(state.overlay == nil)
    }

    @Test func onlyVisibleRowsCountDown() {
        var retrying = Samples.transfer(60, .retrying)
        retrying.edit { $0.retryAt = 1030 }
        var state = Samples.state((1...59).map { Samples.transfer($0, .queued) } + [retrying])
        #expect(!state.isCounting)
        state.keys(.character("G"))
        #expect(state.isCounting)
        state.now = 1031
        #expect(!state.isCounting)
        var waiting = Samples.transfer(60, .waiting)
        state.receive(.events([TransferEvent(time: 1031, name: .waiting, transfer: waiting)]))
        #expect(!state.isCounting)
        waiting.edit { $0.waitingSince = 1031 }
        state.receive(.events([TransferEvent(time: 1031, name: .waiting, transfer: waiting)]))
        #expect(state.isCounting)
    }

    @Test func totalsStayConsistent() {
        var random = SeededGenerator(3)
        var state = RenderPropertyTests.randomState(&random)
        for step in 0..<400 {
            let other = RenderPropertyTests.randomState(&random)
            let some = other.snapshot.transfers.prefix(Int.random(in: 0...5, using: &random))
            switch step % 5 {
            case 0: state.receive(.removed(some.map(\.id)))
            case 1: state.receive(.order(state.list.order.shuffled(using: &random)))
            case 2 where step % 50 == 2: state.receive(.snapshot(other.snapshot))
            default: state.receive(.events(some.map { TransferEvent(time: 0, name: .changed, transfer: $0) }))
            }
            if Bool.random(using: &random) { state.keys(.character(" ")) }
            var tally = TransferControl.Tally()
            state.snapshot.transfers.forEach { tally.add($0) }
            for one in TransferState.allCases { #expect(tally[one] == state.list.tally[one]) }
            #expect(
                tally.bytes == state.list.tally.bytes && tally.total == state.list.tally.total
                    && tally.rateUp == state.list.tally.rateUp)
            #expect(state.list.order.count == state.list.transfers.count)
            #expect(state.list.marks.isSubset(of: state.list.order))
            #expect(state.list.visible.isEmpty == (state.list.selection == nil))
        }
    }
}
