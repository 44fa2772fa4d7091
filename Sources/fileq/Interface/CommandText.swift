// SPDX-License-Identifier: MIT

import TerminalInterface
import TransferControl
import TransferModel

/// The command line that does what a key did.
enum CommandText {
    /// Without `fileq`; `nil` for what no command line does.
    static func line(of command: KeyedCommand) -> String? {
        switch command {
        case .perform(let command, let ids): line(of: command, ids)
        case .setLimits(let limits):
            "set --download-limit \(rate(limits.download)) --upload-limit \(rate(limits.upload)) "
                + "--concurrent \(limits.concurrent) --per-host \(limits.perHost.map(String.init) ?? "none")"
        case .hold(let isHeld): isHeld ? "pause --all" : "resume --all"
        case .undo: "undo"
        case .add(let request): AddWords(request: request, home: ProcessEnvironment.value("HOME")).shownLine()
        case .edit(let request): EditWords(request: request, home: ProcessEnvironment.value("HOME")).shownLine()
        }
    }

    private static func line(of command: QueueCommand, _ ids: [TransferID]) -> String? {
        let which = selection(ids)
        return switch command {
        case .pause: "pause \(which)"
        case .hold: "pause --all"
        case .resume: "resume \(which)"
        case .cancel(let deletes): "cancel \(deletes ? "--delete " : "")\(which)"
        case .retry: "retry \(which)"
        case .move(let move): "move \(which) \(move.rawValue)"
        case .limit(let limit): "set \(which) --limit \(rate(limit))"
        case .liftRestrictions: "resume \(which) --now"
        case .schedule(let time): "set \(which) --at \(time.map(Timestamp.text) ?? "now")"
        case .after(let ids): "set \(which) --after \(ids.isEmpty ? "none" : selection(ids))"
        case .priority(let priority): "set \(which) --priority \(PriorityStep.word(priority))"
        case .remove: "clear \(which)"
        case .dismiss: "clear --keep-history \(which)"
        // Answers are not repeated: they may hold a password.
        case .trust, .login, .decline: nil
        }
    }

    private static func rate(_ rate: Int?) -> String { rate.map(RateText.editable) ?? "none" }

    /// `1,3-7`: as short as the command line takes it.
    static func selection(_ ids: [TransferID]) -> String { TransferID.list(ids, separator: ",") }
}
