// SPDX-License-Identifier: MIT

import TransferModel

/// Why a key can do nothing now, and what can be done instead.
extension ActionTable {
    static let unknownKey = "No such key; ? shows all keys"

    /// One sentence; `nil` where there is nothing to say.
    static func refusal(of action: Action.Name, _ state: InterfaceState) -> String? {
        if action == .close { return nil }
        if state.overlay == .help { return "The help covers the list; Esc closes it" }
        if state.overlay != nil, [.add, .mark, .markAll, .filter].contains(action) {
            return "The details cover the list; Esc closes them"
        }
        switch action {
        case .trust: return "Nothing to trust: no certificate is in question here"
        case .login: return "Nothing to log in to: no server asks for a login here"
        case .pauseAll: return state.tally.count == 0 ? empty : "Cannot pause: everything has ended"
        default: break
        }
        let targets = state.targets
        guard let first = targets.first else {
            return state.order.isEmpty ? empty : "Nothing is selected: Esc drops the filter"
        }
        let isOne = targets.count == 1
        func cannot(_ verb: String, one: String, many: String) -> String {
            "Cannot \(verb): " + (isOne ? one : "none of the \(targets.count) marked \(many)")
        }
        switch action {
        case .pause:
            return cannot(
                "pause", one: first.state == .verifying ? "all bytes are here and being checked" : "it has ended",
                many: "is under way")
        case .cancel: return cannot("cancel", one: "it has ended (d takes it off the list)", many: "is under way")
        case .retry: return cannot("retry", one: whyNoRetry(first.state), many: "has failed or was cancelled")
        case .forget: return cannot("remove", one: "it \(whyNotEnded(first.state)) (x cancels it)", many: "has ended")
        case .limit: return cannot("limit", one: "it has ended", many: "is under way")
        case .goOnAnyway:
            return cannot(
                "continue anyway", one: "it does not wait for another network", many: "waits for another network")
        default: return nil
        }
    }

    private static let empty = "The list is empty; a adds a transfer"

    private static func whyNotEnded(_ state: TransferState) -> String {
        switch state {
        case .queued: "is still queued"
        case .waiting: "waits for the network"
        case .retrying: "is tried again by itself"
        case .paused: "is paused"
        case .running, .verifying, .completed, .failed, .cancelled: "is still running"
        }
    }

    private static func whyNoRetry(_ state: TransferState) -> String {
        switch state {
        case .queued: "it is queued and starts by itself"
        case .waiting: "it waits for the network and continues by itself"
        case .paused: "it is paused (p resumes it)"
        case .completed: "it is completed"
        case .running, .verifying, .retrying, .failed, .cancelled: "it is running"
        }
    }
}
