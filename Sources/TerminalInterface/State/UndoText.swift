// SPDX-License-Identifier: MIT

package import TransferControl
import TransferModel

/// What was reverted, as text.
package enum UndoText {
    /// Whether every transfer of the command stays as it is.
    package static func isNothing(_ undone: UndoneCommand) -> Bool {
        undone.ids.isEmpty && undone.isHeld == nil
            && !["hold", "limits.set", "timetable.set"].contains(undone.command)
    }

    /// `undone: cancelling 3 transfers; 1 transfer has changed since and stays`
    package static func words(for undone: UndoneCommand) -> String {
        guard !isNothing(undone) else {
            let what = what(undone, undone.skipped == 1 ? "1 transfer" : "\(undone.skipped) transfers")
            return switch undone.skipped {
            case 0: "nothing was undone"
            case 1: "nothing was undone: \(what), which has changed since"
            default: "nothing was undone: \(what), which have all changed since"
            }
        }
        let count = undone.ids.count == 1 ? "transfer \(undone.ids[0])" : "\(undone.ids.count) transfers"
        let note =
            switch undone.skipped {
            case 0: ""
            case 1: "; 1 transfer has changed since and stays"
            default: "; \(undone.skipped) transfers have changed since and stay"
            }
        return "undone: \(what(undone, count))\(note)"
    }

    /// - Parameter count: of its transfers, in words.
    private static func what(_ undone: UndoneCommand, _ count: String) -> String {
        let queue = undone.ids.isEmpty ? "the queue" : "the queue, \(count)"
        return switch undone.command {
        case "pause": "pausing \(count)"
        case "hold": "holding \(queue)"
        case "resume" where undone.isHeld != nil:
            "releasing \(queue)" + (undone.isHeld == true ? "; it is held again" : "")
        case "resume": "resuming \(count)"
        case "cancel": "cancelling \(count)"
        case "clear": "clearing \(count)"
        case "dismiss": "removing \(count) from the list"
        case "move": "moving \(count)"
        case "priority": "the priority of \(count)"
        case "limit": "the rate limit of \(count)"
        case "schedule", "after": "the start of \(count)"
        case "relocate": "the changes of \(count)"
        case "limits.set": "the limits of the queue" + (undone.limits.map { "; now \(RateText.list($0))" } ?? "")
        case "timetable.set": "the timetable"
        case let other: "\(other) of \(count)"
        }
    }
}
