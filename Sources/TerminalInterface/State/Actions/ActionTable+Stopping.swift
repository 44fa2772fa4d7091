// SPDX-License-Identifier: MIT

import TransferControl
import TransferModel

/// Actions that stop, resume and remove transfers.
extension ActionTable {
    /// Pauses what can be paused; only if nothing can, resumes.
    static func pause(_ state: inout InterfaceState, _ transfers: [Transfer]) -> [Effect] {
        let (going, paused) = (transfers.filter(\.state.isPausable), transfers.filter { $0.state == .paused })
        guard !going.isEmpty else {
            let effects = state.carryOut(.resume, "Resumed", paused)
            if paused.count == 1, let question = paused[0].question {
                let reply = if case .trust = question { Action.Name.trust } else { Action.Name.login }
                state.notice = .init(text: "Resumed; if it asks again, \(state.setup.keyMap.label(reply)) replies")
            }
            return effects
        }
        let effects = state.carryOut(.pause, "Paused", going)
        // The row of one that asks does not say that it is paused.
        let still = paused.count { $0.question == nil }
        if still > 0 {
            let others = "\(still) \(still == 1 ? "was" : "were") paused already"
            state.notice = .init(text: "Paused \(going.count); \(others). \(state.undoes)")
        }
        return effects
    }

    /// Asks if bytes would be lost, default no: of a download that the server does not resume.
    static func cancel(_ state: inout InterfaceState, _ transfers: [Transfer]) -> [Effect] {
        let losing = transfers.filter { $0.state != .verifying && $0.losesBytes }
        let command = QueueCommand.cancel(deletingPartial: false)
        guard !losing.isEmpty else { return state.carryOut(command, "Cancelled", transfers) }
        let size = ByteCount.short(Double(losing.reduce(0) { $0 + $1.bytes }))
        let which = transfers.count == losing.count ? "" : " of \(losing.count)"
        let text = "Cancel \(name(transfers)) and lose \(size)\(which), which the server does not resume? y/N "
        state.ask(.confirm(command, transfers.map(\.id)), text: text)
        return []
    }

    /// Bytes would be lost: asks, default no.
    static func askToDelete(_ state: inout InterfaceState, _ transfers: [Transfer]) -> [Effect] {
        let bytes = transfers.reduce(0) { $0 + max(0, $1.bytes) }
        let what = bytes > 0 ? ByteCount.short(Double(bytes)) : "partial files"
        state.ask(
            .confirm(.cancel(deletingPartial: true), transfers.map(\.id)),
            text: "Cancel \(name(transfers)) and delete \(what)? y/N ")
        return []
    }

    /// The transfers as a question names them; short, since a question is shown in full.
    private static func name(_ transfers: [Transfer]) -> String {
        guard transfers.count == 1 else { return "\(transfers.count) transfers" }
        let name = TextSanitizer.clean(DisplayName.of(transfers[0]))
        return CellText.fit(name, width: min(40, CellWidth.of(name)))
    }

    /// Records cannot be brought back: asks for several.
    static func erase(_ state: inout InterfaceState, _ transfers: [Transfer]) -> [Effect] {
        guard transfers.count > 1 else { return state.carryOut(.remove, "Removed from list and history", transfers) }
        state.ask(
            .confirm(.remove, transfers.map(\.id)),
            text: "Remove \(transfers.count) transfers from list and history? y/N ")
        return []
    }
}

extension InterfaceState {
    /// The end of a notice about what a command did.
    var undoes: String { "\(setup.keyMap.label(.undo)) undoes." }

    /// Executes a command at once; the notice says how to take it back.
    mutating func carryOut(_ command: QueueCommand, _ verb: String, _ transfers: [Transfer]) -> [Effect] {
        let ids = transfers.map(\.id)
        guard !ids.isEmpty else { return [] }
        let isLarge = ids.count > 1 || [.cancel(deletingPartial: false), .dismiss, .remove].contains(command)
        if isLarge {
            let count = ids.count > 1 ? " \(ids.count) transfers" : ""
            notice = Notice(text: "\(verb)\(count)." + (command.undoWord == nil ? "" : " \(undoes)"))
        }
        return [.perform(command, ids)]
    }
}
