// SPDX-License-Identifier: MIT

import TransferControl
import TransferModel

/// Why a key does not apply, and what to do instead.
extension ActionTable {
    static func unknownKey(_ keys: KeyMap) -> String { "Unknown key; \(keys.label(.help)) shows all keys" }

    /// One sentence; `nil` without an explanation.
    static func refusal(of action: Action.Name, _ state: InterfaceState) -> String? {
        let label = state.keyMap.label
        let empty = state.isLoaded ? "The list is empty; \(label(.add)) adds a transfer" : "The queue is being loaded"
        let unfilter = "Nothing is selected: \(label(.close)) clears the filter"
        if action == .close { return nil }
        if state.isReadOnly, all.contains(where: { $0.name == action && $0.changesQueue }) {
            return "This screen only watches; another one can change the queue"
        }
        if state.overlay == .help { return "The help covers the list; \(label(.close)) closes it" }
        if state.overlay == .output, action != .command {
            return "The output covers the list; \(label(.close)) closes it"
        }
        if state.view == .log, all.contains(where: { $0.name == action && $0.needsList }) {
            return "The log has no transfers to act on; \(label(.viewAll)) shows them"
        }
        if state.view == .log, action == .nextProblem || action == .previousProblem {
            if state.filter.isEmpty { return "No words to go to; \(label(.filter)) shows the lines that have some" }
            return state.logEntries.isEmpty ? "No line has these words" : "All lines with these words are shown"
        }
        if state.overlay != nil, [.add, .mark, .markRange, .markAll, .filter, .group, .columns].contains(action) {
            return "The details cover the list; \(label(.close)) closes them"
        }
        if state.selectedGroup != nil, [.nextTab, .previousTab, .graphSpan, .paneDown, .paneUp].contains(action) {
            return "A group has no tabs; its transfers have"
        }
        if action == .trust || action == .login, state.visible.isEmpty, !state.filter.isEmpty { return unfilter }
        switch action {
        case .viewFirstOwn, .viewSecondOwn, .viewThirdOwn:
            return "No such view; [interface.views] in config.toml makes views of your own"
        case .nextTab, .previousTab:
            if state.selected != nil { return "No details are shown; \(label(.detail)) shows them" }
        case .graphSpan:
            if state.selected != nil, !state.showsDetails {
                return "No details are shown; \(label(.detail)) shows them"
            }
            if state.selected != nil {
                return "The graph is in the tab Info; \(label(.previousTab)) \(label(.nextTab)) show the tabs"
            }
        case .paneDown, .paneUp:
            if state.overlay == .detail { return "\(label(.pageDown)) and \(label(.pageUp)) scroll the details" }
            guard state.selected != nil else { break }
            return state.usualLayout.pane == nil
                ? "No details are shown; \(label(.detail)) shows them" : "All details of this tab are shown"
        case .panePlace:
            guard state.overlay == nil else { return "The details cover the list; \(label(.close)) closes them" }
            if state.columns < ScreenLayout.right {
                return "The window is too narrow: details are at the right in \(ScreenLayout.right) columns or more"
            }
            if state.hasSelection { return "The window is too low for details beside the list" }
        case .group: return state.view == .history ? "The history has no groups" : empty
        case .columns:
            let least = ColumnLayout.leastForWishes
            return state.listWidth < least
                ? "The window is too narrow: columns can be chosen in \(least) or more"
                : "The history has columns of its own"
        case .fold, .unfold:
            if state.view == .history { return "The history has no groups" }
            guard state.isGrouped else { return "No groups; \(label(.group)) groups the list" }
            if state.overlay != nil { return "The details cover the list; \(label(.close)) closes them" }
            guard let key = state.groupInReach else { break }
            return state.groups.isFolded(key) ? "The group is folded already" : "The group is unfolded already"
        case .trust: return noQuestion(.trust, state) ?? "Nothing to trust: no certificate needs a decision"
        case .login: return noQuestion(.login, state) ?? "Nothing to log in to: no server requires a login"
        case .nextProblem, .previousProblem: return state.order.isEmpty ? empty : "No problems here"
        case .undo: return "Nothing to undo"
        case .command: return "No commands here: this queue is not that of the service"
        case .retryAll: return state.tally.count == 0 ? empty : "Nothing to retry: no transfer has failed"
        case .pauseAll: return empty
        default: break
        }
        let targets = state.targets
        guard let first = targets.first else {
            if state.view == .history {
                if !state.history.isLoaded { return "Loading the history" }
                return state.filter.isEmpty ? "The history is empty" : unfilter
            }
            if state.order.isEmpty { return empty }
            return state.filter.isEmpty
                ? "Nothing is in this view: \(label(.viewAll)) shows all" : unfilter
        }
        if let order = state.listOrder, [.moveUp, .moveDown, .moveTop, .moveBottom].contains(action) {
            return
                "Sorted by \(order.key.rawValue): \(label(.sort)) q returns to the order of the queue, "
                + "which can be changed"
        }
        if state.view == .history {
            switch action {
            case .moveUp, .moveDown, .moveTop, .moveBottom, .priorityUp, .priorityDown:
                return "The history has no order to change; \(label(.retry)) queues a transfer again"
            case .forget: return "The history keeps it; \(label(.erase)) removes it from there, too"
            default: break
            }
        }
        let isOne = targets.count == 1
        func cannot(_ verb: String, one: String, many: String) -> String {
            "Cannot \(verb): " + (isOne ? one : "none of the \(targets.count) marked \(many)")
        }
        switch action {
        case .pause:
            return cannot(
                "pause",
                one: first.state == .verifying
                    ? "all bytes are received and being verified" : whyEnded(first.state, label(.retry)),
                many: "is under way")
        case .cancel, .cancelDeleting:
            let fact = first.state == .cancelled ? "it is cancelled already" : "it has finished"
            return cannot("cancel", one: "\(fact) (\(label(.forget)) removes it from the list)", many: "is under way")
        case .retry:
            return cannot("retry", one: whyNoRetry(first, state.keyMap), many: "has failed or was cancelled")
        case .priorityUp, .priorityDown:
            guard let open = targets.first(where: { !$0.state.isEnded }) else {
                return cannot(
                    "change the priority", one: whyEnded(first.state, label(.retry)), many: "is unfinished")
            }
            return "The priority is \(PriorityStep.word(open.priority ?? 0.5)) already"
        case .forget, .erase:
            return cannot(
                "remove", one: "it \(whyNotFinished(first.state)) (\(label(.cancel)) cancels it)", many: "has finished")
        case .edit where !state.canEdit: return "Nothing to edit here: this queue is not that of the service"
        case .edit: return cannot("edit", one: "it is completed", many: "is unfinished")
        case .open where state.canOpen:
            let time = first.state == .failed || first.state == .cancelled ? "" : " yet"
            return "Not complete\(time); \(label(.openFolder)) opens its folder"
        case .open, .openFolder: return "No program can be started from here"
        case .limit: return cannot("limit", one: whyEnded(first.state, label(.retry)), many: "is under way")
        case .proceedAnyway:
            return cannot(
                "continue anyway", one: "it does not wait for another network", many: "waits for another network")
        default: return nil
        }
    }

    /// `nil` if no transfer asks this.
    private static func noQuestion(_ kind: InterfaceState.QuestionKind, _ state: InterfaceState) -> String? {
        let isAsked = state.order.contains { id in
            state.transfers[id].map { InterfaceState.asks($0, kind) } ?? false
        }
        let what = kind == .trust ? "a certificate" : "a login"
        return isAsked
            ? "No question about \(what) here; \(state.keyMap.label(.nextProblem)) goes to the next problem" : nil
    }

    private static func whyEnded(_ state: TransferState, _ retry: String) -> String {
        switch state {
        case .failed: "it has failed (\(retry) retries it)"
        case .cancelled: "it is cancelled (\(retry) resumes it)"
        case .queued, .running, .waiting, .retrying, .paused, .verifying, .completed: "it is completed"
        }
    }

    private static func whyNotFinished(_ state: TransferState) -> String {
        switch state {
        case .queued: "is still queued"
        case .waiting: "waits for the network"
        case .retrying: "is retrying"
        case .paused: "is paused"
        case .running, .verifying, .completed, .failed, .cancelled: "is still running"
        }
    }

    private static func whyNoRetry(_ transfer: Transfer, _ keys: KeyMap) -> String {
        switch transfer.state {
        case .queued: "it is queued and starts automatically"
        case .waiting: "it waits for the network and resumes automatically"
        case .paused:
            switch transfer.question {
            case .login: "it asks for a login (\(keys.label(.login)) logs in)"
            case .trust: "it asks about a certificate (\(keys.label(.trust)) decides)"
            case nil: "it is paused (\(keys.label(.pause)) resumes it)"
            }
        case .completed: "it is completed"
        case .running, .verifying, .retrying, .failed, .cancelled: "it is running"
        }
    }
}
