// SPDX-License-Identifier: MIT

import TransferControl
import TransferModel

extension InterfaceState {
    /// Handles `key` in the current view.
    mutating func press(_ key: Key) -> [Effect] {
        // They follow every click, whose notice stays.
        if case .mouse(let mouse) = key, mouse.button == .released || mouse.button == .dragged, drag == nil {
            return []
        }
        let isOnNotice = isOnNotice(key)
        notice = nil
        departed = nil
        defer { normalize() }
        guard !isOnNotice else { return [] }
        let effects = handle(key)
        extendRange()
        logCommands(effects)
        if view == .history, effects.contains(where: { if case .perform = $0 { true } else { false } }) {
            history.becomesStale()
        }
        return effects
    }

    private mutating func handle(_ key: Key) -> [Effect] {
        if case .mouse(let mouse) = key { return click(mouse) }
        if rowMenu != nil, let effects = pressInRowMenu(key) { return effects }
        if picker != nil { return pressInPicker(key) }
        if addForm != nil { return pressInAdd(key) }
        if editForm != nil { return pressInEdit(key) }
        if prompt != nil { return answer(key) }
        if editedColumn != nil { return pressInColumns(key) }
        if case .paste(let text) = key {
            // A paste on the list holds addresses.
            guard overlay == nil, !isReadOnly else {
                notice = ActionTable.refusal(of: .add, self).map { Notice(text: $0) }
                return []
            }
            return openAdd(text)
        }
        guard let action = keyMap.action(for: key) else {
            notice = Notice(text: ActionTable.unknownKey(keyMap))
            return []
        }
        return awaitsHistory(action) ? [] : attempt(action)
    }

    /// Performs an action, or says why it does not apply.
    mutating func attempt(_ action: Action) -> [Effect] {
        guard isEnabled(action) else {
            notice = ActionTable.refusal(of: action.name, self).map { Notice(text: $0) }
            return []
        }
        return perform(action.name)
    }

    private mutating func perform(_ action: Action.Name) -> [Effect] {
        if !Self.keepsRange(action) { range = nil }
        if view == .log, overlay == nil, scrollsLog(action) { return [] }
        switch action {
        case .down: isCovered ? scrollOverlay(1) : select(offset: 1)
        case .up: isCovered ? scrollOverlay(-1) : select(offset: -1)
        case .first: isCovered ? scrollOverlay(-overlayTop) : select(offset: -rowCount)
        case .last: isCovered ? scrollOverlay(100_000) : select(offset: rowCount)
        case .pageDown: overlay == nil ? select(offset: max(1, pageRows - 1)) : scrollOverlay(max(1, pageRows - 1))
        case .pageUp: overlay == nil ? select(offset: -max(1, pageRows - 1)) : scrollOverlay(-max(1, pageRows - 1))
        case .detail where selectedGroup != nil: toggleGroup()
        case .detail: cover(overlay == .detail ? nil : .detail)
        case .nextTab: showTab(after: 1)
        case .previousTab: showTab(after: -1)
        case .graphSpan: details.span = details.span.next
        case .panePlace: movePane()
        case .paneDown: scrollPane(1)
        case .paneUp: scrollPane(-1)
        case .help: cover(overlay == .help ? nil : .help)
        case .close: closeOne()
        case .filter: ask(.filter, text: filter)
        case .viewAll: show(QueueView.all)
        case .viewActive: show(.active)
        case .viewProblems: show(.problems)
        case .viewDone: show(.done)
        case .viewHistory: show(.history)
        case .viewLog: show(.log)
        case .viewFirstOwn: show(.firstOwn)
        case .viewSecondOwn: show(.secondOwn)
        case .viewThirdOwn: show(.thirdOwn)
        case .nextView: showView(after: 1)
        case .previousView: showView(after: -1)
        case .nextProblem: selectProblem(1)
        case .previousProblem: selectProblem(-1)
        case .sort: ask(.sort, text: sortQuestion)
        case .group: groupNext()
        case .columns: editColumns()
        case .fold: setFolded(true)
        case .unfold: setFolded(false)
        case .mark: toggleMark()
        case .markRange: toggleRange()
        case .markAll: marks = marks.isSuperset(of: visible) ? [] : Set(visible)
        case .add: return openAdd()
        case .command: openPalette()
        case .undo: return undo()
        case .edit: return openEdit()
        case .limit:
            let open = targets.filter { !$0.state.isEnded }
            ask(.limit(open.map(\.id)), text: open.first?.rateLimit.map(RateText.editable) ?? "")
        case .limitAll: ask(.limitAll, text: RateText.editable(limits))
        case .trust: ask(about: question(.trust))
        case .login: ask(about: question(.login))
        case .redraw: return [.redraw]
        case .suspend: return [.suspend]
        case .quit where overlay != nil: cover(nil)
        case .quit, .interrupt: return [.quit(isConfirmed: false)]
        case .pause: return pause()
        case .pauseAll: return pauseAll()
        case .cancel: return cancel(targets.filter { !$0.state.isEnded })
        case .cancelDeleting: askToDelete(targets.filter { !$0.state.isEnded && $0.state != .verifying })
        case .retry:
            return carryOut(.retry, "Retried", targets.filter { ActionTable.isRetried($0.state) })
                + carryOut(.schedule(nil), "Started", targets.filter { ActionTable.isScheduled($0, now) })
        case .retryAll:
            return carryOut(.retry, "Retried", order.compactMap { transfers[$0] }.filter { $0.state == .failed })
        case .forget: return carryOut(.dismiss, "Removed", targets.filter(\.state.isEnded))
        case .erase: return erase(targets.filter(\.state.isEnded))
        case .proceedAnyway: return carryOut(.liftRestrictions, "Continued", targets.filter(\.canBeLifted))
        case .open: return openFile()
        case .openFolder: return openFolder()
        case .copy: ask(.copy, text: Self.copyQuestion)
        case .priorityUp: return changePriority(isUp: true)
        case .priorityDown: return changePriority(isUp: false)
        case .moveUp: return move(.up)
        case .moveDown: return move(.down)
        case .moveTop: return move(.top)
        case .moveBottom: return move(.bottom)
        }
        return []
    }

    /// Executes a command at once; the notice says how to take it back.
    private mutating func carryOut(_ command: QueueCommand, _ verb: String, _ transfers: [Transfer]) -> [Effect] {
        let ids = transfers.map(\.id)
        guard !ids.isEmpty else { return [] }
        let isLarge = ids.count > 1 || [.cancel(deletingPartial: false), .dismiss, .remove].contains(command)
        if isLarge {
            let count = ids.count > 1 ? " \(ids.count) transfers" : ""
            let undo = command.undoWord == nil ? "" : " \(keyMap.label(.undo)) undoes."
            notice = Notice(text: "\(verb)\(count)." + undo)
        }
        return [.perform(command, ids)]
    }

    /// Asks if bytes would be lost, default no: of a download that the server does not resume.
    private mutating func cancel(_ transfers: [Transfer]) -> [Effect] {
        let losing = transfers.filter { $0.state != .verifying && $0.losesBytes }
        let command = QueueCommand.cancel(deletingPartial: false)
        guard !losing.isEmpty else { return carryOut(command, "Cancelled", transfers) }
        let size = ByteCount.short(Double(losing.reduce(0) { $0 + $1.bytes }))
        let what = transfers.count == 1 ? Self.name(transfers[0]) : "\(transfers.count) transfers"
        let which = transfers.count == losing.count ? "" : " of \(losing.count)"
        let text = "Cancel \(what) and lose \(size)\(which), which the server does not resume? y/N "
        ask(.confirm(command, transfers.map(\.id)), text: text)
        return []
    }

    /// Bytes would be lost: asks, default no.
    private mutating func askToDelete(_ transfers: [Transfer]) {
        let bytes = transfers.reduce(0) { $0 + max(0, $1.bytes) }
        let what = transfers.count == 1 ? Self.name(transfers[0]) : "\(transfers.count) transfers"
        let size = bytes > 0 ? " and delete \(ByteCount.short(Double(bytes)))" : " and delete partial files"
        ask(.confirm(.cancel(deletingPartial: true), transfers.map(\.id)), text: "Cancel \(what)\(size)? y/N ")
    }

    /// In a question, which is shown in full.
    private static func name(_ transfer: Transfer) -> String {
        let name = TextSanitizer.clean(DisplayName.of(transfer))
        return CellText.fit(name, width: min(40, CellWidth.of(name)))
    }

    /// Records cannot be brought back: asks for several.
    private mutating func erase(_ transfers: [Transfer]) -> [Effect] {
        guard transfers.count > 1 else { return carryOut(.remove, "Removed from list and history", transfers) }
        ask(
            .confirm(.remove, transfers.map(\.id)),
            text: "Remove \(transfers.count) transfers from list and history? y/N ")
        return []
    }

    private mutating func changePriority(isUp: Bool) -> [Effect] {
        let open = targets.filter { !$0.state.isEnded }
        guard let priority = PriorityStep.next(open.first?.priority, isUp: isUp) else { return [] }
        let count = open.count > 1 ? " for \(open.count) transfers" : ""
        notice = Notice(text: "Priority \(PriorityStep.word(priority))\(count). \(keyMap.label(.undo)) undoes.")
        return [.perform(.priority(priority), open.map(\.id))]
    }

    /// Pauses what can be paused; only if nothing can, resumes.
    private mutating func pause() -> [Effect] {
        let (going, paused) = (targets.filter(\.state.isPausable), targets.filter { $0.state == .paused })
        guard !going.isEmpty else {
            let effects = carryOut(.resume, "Resumed", paused)
            if paused.count == 1, let question = paused[0].question {
                let reply = if case .trust = question { Action.Name.trust } else { Action.Name.login }
                notice = Notice(text: "Resumed; if it asks again, \(keyMap.label(reply)) replies")
            }
            return effects
        }
        let effects = carryOut(.pause, "Paused", going)
        // The row of one that asks does not say that it is paused.
        let still = paused.count { $0.question == nil }
        if still > 0 {
            let others = "\(still) \(still == 1 ? "was" : "were") paused already"
            notice = Notice(text: "Paused \(going.count); \(others). \(keyMap.label(.undo)) undoes.")
        }
        return effects
    }

    /// Holds the whole queue, also what is added, or releases it; transfers paused individually stay paused.
    private mutating func pauseAll() -> [Effect] {
        let all = order.compactMap { transfers[$0] }
        let stopped = all.filter { $0.state == .paused && $0.isResumedWithQueue }
        let undo = keyMap.label(.undo)
        if limits.isHeld == true {
            setNotice("Queue released. \(undo) undoes.", isHeld: false)
            // Those that a full disk has paused are no part of the hold.
            let others = stopped.filter { $0.pausedBy == nil }.map(\.id)
            return [.hold(false)] + (others.isEmpty ? [] : [.perform(.resume, others)])
        }
        let going = all.count(where: \.state.isPausable)
        if going == 0, !stopped.isEmpty { return carryOut(.resume, "Resumed", stopped) }
        let paused = going == 1 ? "1 transfer paused" : "\(going) transfers paused"
        setNotice("Queue held, \(going == 0 ? "what is added waits" : paused). \(undo) undoes.", isHeld: true)
        return [.hold(true)]
    }

    /// - Returns: whether it moves in the log.
    private mutating func scrollsLog(_ action: Action.Name) -> Bool {
        switch action {
        case .down: scrollLog(1)
        case .up: scrollLog(-1)
        case .pageDown: scrollLogPage(1)
        case .pageUp: scrollLogPage(-1)
        case .first: scrollLog(-EventLog.capacity * 2)
        case .last: logBack = 0
        case .nextProblem: goToMatch(1)
        case .previousProblem: goToMatch(-1)
        default: return false
        }
        return true
    }

    mutating func select(offset: Int) {
        guard let index = selectedIndex else { return }
        var next = min(max(0, index + offset), rowCount - 1)
        // Only a transfer has details.
        if overlay == .detail {
            let step = offset < 0 ? -1 : 1
            next = transferRow(from: next, step) ?? transferRow(from: next, -step) ?? index
        }
        select(row: next)
        overlayTop = coverTop
    }

    /// The first row with a transfer from a row on.
    private func transferRow(from index: Int, _ step: Int) -> Int? {
        stride(from: index, through: step < 0 ? 0 : rowCount - 1, by: step).first { index in
            if case .transfer = row(index) { true } else { false }
        }
    }

    private mutating func toggleMark() {
        if let selectedGroup {
            toggleMarks(ofGroup: selectedGroup)
        } else if let selection, marks.remove(selection) == nil {
            marks.insert(selection)
        }
        select(offset: 1)
    }

    /// The next transfer in the list that needs attention, from the selected one on, around the end.
    private mutating func selectProblem(_ step: Int) {
        let all = inOrderOfScreen
        guard let first = selection ?? groupMembers.first, let place = all.firstIndex(of: first) else { return }
        // From the heading of a group, its first transfer is the next one.
        let start = selection == nil && step > 0 ? place - 1 : place
        for distance in 1...all.count {
            let index = (start + step * distance % all.count + all.count) % all.count
            if transfer(all[index])?.isProblem == true { return select(all[index]) }
        }
    }

    mutating func cover(_ new: Overlay?) {
        overlay = new
        overlayTop = coverTop
    }

    private mutating func closeOne() {
        if overlay != nil {
            cover(nil)
        } else if let range {
            (marks, self.range) = (range.marksBefore.filter { transfer($0) != nil }, nil)
        } else if !filter.isEmpty {
            setFilter("")
        } else {
            marks = []
        }
    }

    mutating func scrollOverlay(_ lines: Int) {
        let count = coverLines
        overlayTop = shownTop(of: count) + lines
        overlayTop = shownTop(of: count)
    }
}
