// SPDX-License-Identifier: MIT

/// A user action, whole: its keys and texts, when it applies, why it does not, and what it does. ``ActionTable/all``
/// has every one, ``KeyMap`` the keys in force.
struct Action: Sendable {
    enum Name: String, Sendable, CaseIterable {
        case down, up, first, last, pageDown, pageUp, detail, nextTab, previousTab, graphSpan, panePlace, paneDown,
            paneUp, close, filter
        case viewNow, viewAll, viewProblems, viewHeld, viewDone, viewHistory, viewLog, viewFirstOwn,
            viewSecondOwn, viewThirdOwn, nextView, previousView, nextProblem, previousProblem, sort, group, fold,
            unfold,
            columns
        case mark, markRange, markAll, pause, cancel, cancelDeleting, retry, keepBoth, schedule, trust, login, forget,
            erase, edit, limit, proceedAnyway, open, openFolder, copy
        case moveDown, moveUp, moveTop, moveBottom, priorityUp, priorityDown
        case add, pauseAll, retryAll, limitAll, undo, command
        case help, redraw, suspend, quit, interrupt

        /// In the configuration: `page-down`.
        var configured: String {
            rawValue.reduce(into: "") { name, letter in
                name += letter.isUppercase ? "-" + letter.lowercased() : String(letter)
            }
        }
    }

    struct Traits: OptionSet, Sendable {
        let rawValue: Int

        /// Does nothing on a screen that only watches.
        static let changesQueue = Traits(rawValue: 1)
        /// Applies to the list of transfers, which the log does not show.
        static let needsList = Traits(rawValue: 2)
        /// A range of marks does not end with it.
        static let keepsRange = Traits(rawValue: 4)
        /// Pressed while the history is being loaded, it acts as soon as the rows are there.
        static let awaitsRows = Traits(rawValue: 8)
        /// A right click on a row lists it.
        static let isInRowMenu = Traits(rawValue: 16)

        static let moves: Traits = [.keepsRange, .awaitsRows]
        static let ofTransfer: Traits = [.changesQueue, .needsList, .isInRowMenu]
    }

    let name: Name
    /// Hints show the first. Only a changed key map has actions without keys.
    var keys: [Key]
    /// One or two words, for the hint line.
    let word: String
    /// One line, for help overlay and man page. `{retry}` stands for the key of that action; ``KeyMap`` inserts it.
    var help: String
    var group: ActionGroup { .of(name) }
    /// Priority among hints; the lowest are dropped last. `nil`: no hint.
    let hintRank: Int?
    let traits: Traits
    /// The effect of the key now, where ``word`` does not state it.
    let wordNow: @Sendable (InterfaceState) -> String?
    /// Whether it is worth a hint while it applies.
    let isOfUse: @Sendable (InterfaceState) -> Bool
    /// Whether it applies now; see ``InterfaceState/isEnabled(_:)``.
    let applies: @Sendable (InterfaceState) -> Bool
    /// Why it does not apply, and what to do instead: one sentence; `nil` without an explanation.
    let refusal: @Sendable (InterfaceState) -> String?
    let perform: @Sendable (inout InterfaceState) -> [Effect]

    /// - Parameter perform: on the queue, or outside of the screen's state.
    init(
        _ name: Name, _ keys: [Key], _ word: String, _ help: String, hint: Int? = nil, _ traits: Traits = [],
        wordNow: @escaping @Sendable (InterfaceState) -> String? = { _ in nil },
        isOfUse: @escaping @Sendable (InterfaceState) -> Bool = { _ in true },
        when applies: @escaping @Sendable (InterfaceState) -> Bool = { _ in true },
        refusal: @escaping @Sendable (InterfaceState) -> String? = { _ in nil },
        perform: @escaping @Sendable (inout InterfaceState) -> [Effect]
    ) {
        (self.name, self.keys, self.word, self.help, hintRank) = (name, keys, word, help, hint)
        (self.traits, self.wordNow, self.isOfUse) = (traits, wordNow, isOfUse)
        (self.applies, self.refusal, self.perform) = (applies, refusal, perform)
    }

    /// - Parameter change: of the screen alone.
    init(
        _ name: Name, _ keys: [Key], _ word: String, _ help: String, hint: Int? = nil, _ traits: Traits = [],
        isOfUse: @escaping @Sendable (InterfaceState) -> Bool = { _ in true },
        when applies: @escaping @Sendable (InterfaceState) -> Bool = { _ in true },
        refusal: @escaping @Sendable (InterfaceState) -> String? = { _ in nil },
        change: @escaping @Sendable (inout InterfaceState) -> Void
    ) {
        self.init(
            name, keys, word, help, hint: hint, traits, isOfUse: isOfUse, when: applies, refusal: refusal
        ) { state in
            change(&state)
            return []
        }
    }
}

extension InterfaceState {
    func isEnabled(_ action: Action) -> Bool {
        if setup.isReadOnly, action.traits.contains(.changesQueue) { return false }
        if list.view == .log, action.traits.contains(.needsList) { return false }
        return action.applies(self)
    }

    /// Why an action that is not enabled does nothing; `nil` without an explanation.
    private func refusal(of action: Action) -> String? {
        if setup.isReadOnly, action.traits.contains(.changesQueue) {
            return "This screen only watches; another one can change the queue"
        }
        if isCovered, action.name != .command {
            return "The output covers the list; \(setup.keyMap.label(.close)) closes it"
        }
        if list.view == .log, action.traits.contains(.needsList) {
            return "The log has no transfers to act on; \(setup.keyMap.label(.viewAll)) shows them"
        }
        return action.refusal(self)
    }

    /// Performs an action, or says why it does not apply.
    mutating func attempt(_ action: Action) -> [Effect] {
        if action.traits.isSuperset(of: .ofTransfer), list.marks.isEmpty, list.hasJustSlid(at: now) {
            notice = Notice(text: "Another row has just taken this place; the key acts on it when pressed again")
            return []
        }
        guard isEnabled(action) else {
            notice = refusal(of: action).map { Notice(text: $0) }
            return []
        }
        if !action.traits.contains(.keepsRange) { list.range = nil }
        return action.perform(&self)
    }

    mutating func attempt(_ name: Action.Name) -> [Effect] { setup.keyMap.action(name).map { attempt($0) } ?? [] }

    // MARK: Reasons that several actions share

    var isListCovered: String? {
        overlay == nil ? nil : "The details cover the list; \(setup.keyMap.label(.close)) closes them"
    }

    var emptyQueue: String {
        list.isLoaded ? "The list is empty; \(setup.keyMap.label(.add)) adds a transfer" : "The queue is being loaded"
    }

    var hiddenByFilter: String { "Nothing is selected: \(setup.keyMap.label(.close)) clears the filter" }

    /// Why nothing is selected; `nil` if something is.
    var noTarget: String? {
        guard targets.isEmpty else { return nil }
        if list.view == .history {
            if !list.history.isLoaded { return "Loading the history" }
            return list.filter.isEmpty ? "The history is empty" : hiddenByFilter
        }
        if list.order.isEmpty { return emptyQueue }
        if !list.filter.isEmpty { return hiddenByFilter }
        return "Nothing is in this view: \(setup.keyMap.label(.viewAll)) shows all"
    }
}
