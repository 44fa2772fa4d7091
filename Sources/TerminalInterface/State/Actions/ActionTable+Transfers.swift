// SPDX-License-Identifier: MIT

import TransferControl
import TransferModel

extension ActionTable {
    static let transfers: [Action] = [
        Action(
            .mark, [" "], "mark", "mark or unmark, and move to the next", hint: 9, [.needsList, .awaitsRows],
            when: canMark, refusal: { $0.isListCovered ?? $0.noTarget },
            change: { state in
                state.list.toggleMark(state.list.selectedRow)
                state.select(offset: 1)
            }),
        Action(
            .markRange, ["v"], "range",
            "mark from here to where the selection moves; again: keeps the marks, {close} takes them back",
            [.needsList, .awaitsRows, .keepsRange], when: canMark, refusal: { $0.isListCovered ?? $0.noTarget },
            change: { toggleRange(&$0) }),
        Action(
            .markAll, [.control("a")], "all", "mark all shown; again: none", .needsList, when: canMark,
            refusal: { $0.isListCovered ?? $0.noTarget },
            change: { $0.list.marks = $0.list.marks.isSuperset(of: $0.list.open) ? [] : Set($0.list.open) }),
        Action(
            .trust, ["T"], "trust?", "decide on a certificate that the system does not trust", hint: 1, .ofTransfer,
            when: { question(.trust, $0) != nil },
            refusal: { noQuestion(.trust, $0, "a certificate", "Nothing to trust: no certificate needs a decision") },
            change: { ask(about: question(.trust, $0), &$0) }),
        Action(
            .login, ["u"], "log in", "enter user and password if a server requires them; else as {undo}", hint: 1,
            .ofTransfer, wordNow: { question(.login, $0) == nil ? "undo" : nil },
            isOfUse: { question(.login, $0) != nil },
            when: { question(.login, $0) != nil || $0.canUndo && !isAsked(.login, $0) },
            refusal: { noQuestion(.login, $0, "a login", "Nothing to log in to: no server requires a login") },
            perform: { state in
                guard let asking = question(.login, state) else { return state.undo() }
                ask(about: asking, &state)
                return []
            }),
        onTargets(
            .pause, ["p"], "pause", "pause; resume if paused", hint: 3, in: { !$0.isEnded && $0 != .verifying },
            wordNow: { $0.resumesWithPause ? "resume" : nil },
            refusal: { state in
                cannot(
                    "pause", state,
                    one: { transfer, keys in
                        transfer.state == .verifying
                            ? "all bytes are received and being verified" : whyEnded(transfer, keys)
                    },
                    many: "is under way")
            },
            perform: pause),
        onTargets(
            .cancel, ["x", .delete], "cancel", "cancel; the partial file stays, and {retry} resumes it", hint: 4,
            in: { !$0.isEnded }, refusal: cannotCancel, perform: cancel),
        onTargets(
            .cancelDeleting, ["X"], "delete", "cancel and delete the partial file; asks first",
            in: { !$0.isEnded && $0 != .verifying }, refusal: cannotCancel, perform: askToDelete),
        Action(
            .retry, ["r"], "retry", "restart if failed or cancelled; now, if it waits for the next attempt or its time",
            hint: 5, .ofTransfer, wordNow: { $0.hasTarget(in: isRetried) ? nil : "start now" },
            when: { state in
                !state.isCovered
                    && (state.hasTarget(in: isRetried)
                        || state.hasTarget(in: { $0 == .queued }) && state.hasTarget { isScheduled($0, state.now) })
            },
            refusal: { cannot("retry", $0, one: whyNoRetry, many: "has failed or was cancelled") },
            perform: { state in
                let (targets, now) = (state.targets, state.now)
                if state.setup.canEdit, targets.contains(where: \.failedOnExistingFile) {
                    return askAboutFiles(of: targets.filter(\.failedOnExistingFile), &state)
                }
                return state.carryOut(.retry, "Retried", targets.filter { isRetried($0.state) })
                    + state.carryOut(.schedule(nil), "Started", targets.filter { isScheduled($0, now) })
            }),
        Action(
            .keepBoth, ["B"], "keep both", "download under the next free name, where the file exists", hint: 5,
            .ofTransfer,
            when: { !$0.isCovered && $0.setup.canEdit && $0.hasTarget(where: \.failedOnExistingFile) },
            refusal: { cannot("keep both", $0, one: { _, _ in "no file is in its place" }, many: "has such a file") },
            perform: { state in
                var request = EditRequest(state.targets.filter(\.failedOnExistingFile).map(\.id))
                request.existing = .keepBoth
                return [.edit(request)]
            }),
        onTargets(
            .schedule, ["@"], "start at", "start at a time: 23:30, tomorrow 08:00, +2h; now: as soon as it may",
            in: EditForm.waits, when: { $0.setup.canEdit },
            refusal: { state in
                cannot("start it at a time", state, one: { _, _ in "it has begun" }, many: "waits for its start")
            },
            perform: { state, transfers in
                state.ask(.start(transfers.map(\.id)), text: "")
                return []
            }),
        onTargets(
            .forget, ["d"], "remove", "remove finished transfers from the list; history and files stay", hint: 7,
            in: \.isEnded, when: { $0.list.view != .history },
            refusal: { state in
                if let reason = state.noTarget { return reason }
                guard state.list.view == .history else { return cannotRemove(state) }
                return "The history keeps it; \(state.setup.keyMap.label(.erase)) removes it from there, too"
            },
            perform: { state, ended in state.carryOut(.dismiss, "Removed", ended) }),
        onTargets(
            .erase, ["D"], "erase", "remove finished transfers from the list and the history; files stay", hint: 7,
            // Elsewhere less is removed.
            in: \.isEnded, isOfUse: { $0.list.view == .history }, refusal: cannotRemove, perform: erase),
        onTargets(
            .edit, ["e"], "edit", "edit address, name, folder, start, priority, limit and login; the bytes stay",
            hint: 6, in: { $0 != .completed }, when: { $0.setup.canEdit },
            refusal: { state in
                if let reason = state.noTarget { return reason }
                guard state.setup.canEdit else { return "Nothing to edit here: this queue is not that of the service" }
                return cannot("edit", state, one: { _, _ in "it is completed" }, many: "is unfinished")
            },
            perform: { state, transfers in state.openEdit(transfers) }),
        onTargets(
            .limit, ["l"], "limit", "limit the speed: 500k, 2M; none: no limit", hint: 12, in: { !$0.isEnded },
            refusal: { cannot("limit", $0, one: whyEnded, many: "is under way") },
            perform: { state, open in
                state.ask(.limit(open.map(\.id)), text: open.first?.rateLimit.map(RateText.editable) ?? "")
                return []
            }),
        Action(
            .proceedAnyway, ["A"], "use anyway", "use any network, whatever it costs, now and in later attempts",
            hint: 7, .ofTransfer,
            when: { !$0.isCovered && $0.hasTarget(in: { $0 == .waiting }) && $0.hasTarget(where: \.canBeLifted) },
            refusal: { state in
                cannot(
                    "continue anyway", state,
                    one: { transfer, _ in
                        transfer.state == .waiting
                            ? "it does not wait because of what a network costs" : "it does not wait for a network"
                    },
                    many: "waits for another network")
            },
            perform: { $0.carryOut(.liftRestrictions, "Continued", $0.targets.filter(\.canBeLifted)) }),
        Action(
            .open, ["o"], "open", "open the file with the program for its kind", hint: 8, [.needsList, .isInRowMenu],
            when: { !$0.isCovered && $0.setup.canOpen && $0.hasTarget(where: hasFile) },
            refusal: { state in
                guard state.setup.canOpen, let first = state.targets.first else { return noProgram(state) }
                let time = first.state == .failed || first.state == .cancelled ? "" : " yet"
                return "Not complete\(time); \(state.setup.keyMap.label(.openFolder)) opens its folder"
            },
            perform: openFile),
        Action(
            .openFolder, ["O"], "open folder", "open the folder of the file", [.needsList, .isInRowMenu],
            when: { !$0.isCovered && $0.setup.canOpen && $0.hasTarget { $0.file.beginsWithSlash } }, refusal: noProgram,
            perform: openFolder),
        Action(
            .copy, ["y"], "copy", "copy address, path, ID or curl line to the terminal's clipboard", hint: 15,
            [.needsList, .isInRowMenu], when: { !$0.isCovered && $0.hasTarget(in: { _ in true }) },
            refusal: \.noTarget, change: { $0.ask(.copy, text: copyQuestion) }),
    ]

    /// An action on those of the targets that are in a state that `fits`.
    private static func onTargets(
        _ name: Action.Name, _ keys: [Key], _ word: String, _ help: String, hint: Int? = nil,
        in fits: @escaping @Sendable (TransferState) -> Bool,
        wordNow: @escaping @Sendable (InterfaceState) -> String? = { _ in nil },
        isOfUse: @escaping @Sendable (InterfaceState) -> Bool = { _ in true },
        when applies: @escaping @Sendable (InterfaceState) -> Bool = { _ in true },
        refusal: @escaping @Sendable (InterfaceState) -> String?,
        perform: @escaping @Sendable (inout InterfaceState, [Transfer]) -> [Effect]
    ) -> Action {
        Action(
            name, keys, word, help, hint: hint, .ofTransfer, wordNow: wordNow, isOfUse: isOfUse,
            when: { !$0.isCovered && applies($0) && $0.hasTarget(in: fits) }, refusal: refusal,
            perform: { state in perform(&state, state.targets.filter { fits($0.state) }) })
    }

    private static func canMark(_ state: InterfaceState) -> Bool { state.list.hasSelection && state.overlay == nil }

    /// Whether `retry` applies in this state.
    private static func isRetried(_ state: TransferState) -> Bool {
        state == .failed || state == .cancelled || state == .retrying
    }

    /// Whether it waits for its time.
    private static func isScheduled(_ transfer: Transfer, _ now: Double) -> Bool {
        transfer.state == .queued && transfer.earliestBegin.map { $0 > now } ?? false
    }

    /// Begins a range at the selected transfer, or ends it and keeps the marks.
    private static func toggleRange(_ state: inout InterfaceState) {
        guard state.list.range == nil else { return state.list.range = nil }
        guard let anchor = state.list.selection ?? state.list.groupMembers.first else { return }
        state.list.range = .init(anchor: anchor, marksBefore: state.list.marks, view: state.list.view)
        let label = state.setup.keyMap.label
        state.notice = Notice(
            text: "Moving marks from here on; \(label(.markRange)) keeps the marks, \(label(.close)) takes them back")
    }

    // MARK: Why not

    /// - Parameters:
    ///   - one: why the only target does not fit.
    ///   - many: what none of several does.
    static func cannot(
        _ verb: String, _ state: InterfaceState, one: (Transfer, KeyMap) -> String, many: String
    ) -> String? {
        let targets = state.targets
        guard let first = targets.first else { return state.noTarget }
        let reason = targets.count == 1 ? one(first, state.setup.keyMap) : "none of the \(targets.count) marked \(many)"
        return "Cannot \(verb): " + reason
    }

    private static func cannotCancel(_ state: InterfaceState) -> String? {
        cannot(
            "cancel", state,
            one: { transfer, keys in
                let fact = transfer.state == .cancelled ? "it is cancelled already" : "it has finished"
                return "\(fact) (\(keys.label(.forget)) removes it from the list)"
            },
            many: "is under way")
    }

    private static func cannotRemove(_ state: InterfaceState) -> String? {
        cannot(
            "remove", state,
            one: { transfer, keys in
                "it \(whyNotFinished(transfer.state)) (\(keys.label(.cancel)) cancels it)"
            },
            many: "has finished")
    }

    private static func noProgram(_ state: InterfaceState) -> String? {
        state.noTarget ?? "No program can be started from here"
    }

    private static func noQuestion(
        _ kind: QuestionKind, _ state: InterfaceState, _ what: String, _ none: String
    ) -> String? {
        if state.list.visible.isEmpty, !state.list.filter.isEmpty { return state.hiddenByFilter }
        guard isAsked(kind, state) else { return none }
        return "No question about \(what) here; \(state.setup.keyMap.label(.nextProblem)) goes to the next problem"
    }

    private static func isAsked(_ kind: QuestionKind, _ state: InterfaceState) -> Bool {
        state.list.tally[.paused] > 0
            && state.list.order.contains { id in state.list.transfers[id].map { asks($0, kind) } ?? false }
    }

    static func whyEnded(_ transfer: Transfer, _ keys: KeyMap) -> String {
        switch transfer.state {
        case .failed: "it has failed (\(keys.label(.retry)) retries it)"
        case .cancelled: "it is cancelled (\(keys.label(.retry)) resumes it)"
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
