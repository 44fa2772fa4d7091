// SPDX-License-Identifier: MIT

package import TransferControl
package import TransferModel

/// What a key did to the queue. The program has a command line for it, which the log shows.
package enum KeyedCommand: Sendable, Hashable {
    case perform(QueueCommand, [TransferID])
    case setLimits(QueueLimits)
    /// The whole queue, or its release.
    case hold(Bool)
    case add(AddRequest)
    case edit(EditRequest)
    case undo

    /// Whether the service keeps its inverse.
    var isReverted: Bool {
        switch self {
        case .perform(let command, _): command.undoWord != nil
        case .setLimits, .hold, .edit: true
        case .add, .undo: false
        }
    }

    /// The beginning of a sentence about what is not reverted; `nil`: it is.
    var unreverted: String? {
        switch self {
        case .perform(let command, _):
            switch command {
            case .retry: "Retrying"
            case .cancel(let deletingPartial): deletingPartial ? "Deleting the partial file" : nil
            case .remove: "Removing from the history"
            case .liftRestrictions: "Using any network"
            case .trust, .login, .decline: "A reply to a question"
            case .pause, .hold, .resume, .move, .limit, .schedule, .after, .priority, .dismiss: nil
            }
        case .add: "Adding"
        case .setLimits, .hold, .edit, .undo: nil
        }
    }
}

extension Effect {
    /// `nil`: it changes nothing, or the log has it anyway.
    var keyedCommand: KeyedCommand? {
        switch self {
        case .perform(let command, let ids): .perform(command, ids)
        case .setLimits(let limits): .setLimits(limits)
        case .hold(let isHeld): .hold(isHeld)
        case .add(let request): .add(request)
        case .undo: .undo
        case .edit(let request): .edit(request)
        case .run, .on, .history, .log, .find, .inform, .lookAhead, .lookAheadOfEdit, .list, .open, .copy, .redraw,
            .suspend, .quit:
            nil
        }
    }
}
