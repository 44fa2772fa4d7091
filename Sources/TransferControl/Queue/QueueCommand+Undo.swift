// SPDX-License-Identifier: MIT

extension QueueCommand {
    /// Its word in the control protocol, where ``QueueClient/undo()`` can revert it: queues keep its inverse, and front
    /// ends offer that. `nil`: what it loses does not come back.
    package var undoWord: String? {
        switch self {
        case .pause: "pause"
        case .hold: "hold"
        case .resume: "resume"
        case .cancel(deletingPartial: false): "cancel"
        case .move: "move"
        case .limit: "limit"
        case .priority: "priority"
        case .schedule: "schedule"
        case .after: "after"
        case .dismiss: "dismiss"
        case .cancel, .retry, .liftRestrictions, .remove, .trust, .login, .decline: nil
        }
    }
}
