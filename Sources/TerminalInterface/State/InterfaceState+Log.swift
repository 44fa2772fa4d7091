// SPDX-License-Identifier: MIT

import TransferControl
import TransferModel

/// The log, the history, and what the screen asks the queue for beside its updates.
extension InterfaceState {
    /// The most transfers whose ends are looked up one by one.
    private static let mostLookUps = 200

    var events: EventText { EventText(words: setup.words, clock: setup.clock, keys: setup.keyMap.words) }

    /// Logs the change of a transfer's state. Before ``transfers`` has the new one.
    mutating func noteEvent(_ transfer: Transfer, _ known: Transfer?) {
        guard list.isLoaded, known?.state != transfer.state else { return }
        log.feed.becomesStale()
        if transfer.state.isEnded { list.history.becomesStale() }
        // What waits in line is no news, unless it was added.
        if transfer.state == .queued, known != nil, known?.state != .paused { return }
        log.add(events.entry(of: transfer, events.happened(transfer, isNew: known == nil, at: now), at: now))
    }

    // MARK: The log of the queue

    private var logDemand: LogFeed.Demand {
        let item = showsDetails && details.tab == .log ? list.selected?.id : nil
        guard showsLog else { return LogFeed.Demand(isShown: list.isLoaded && item != nil, item: item) }
        let needsEarlier = !list.filter.isEmpty || logScroll.back + 2 * layout.body.count >= log.entries.count
        return LogFeed.Demand(isShown: list.isLoaded, needsEarlier: needsEarlier)
    }

    mutating func receive(_ page: LogPage, of query: LogQuery) {
        switch log.feed.receive(page, of: query) {
        case .outdated: return
        case .continues: break
        case .begins:
            log.queueBegan("The service began at \(setup.clock.text(page.began, now: now))", at: page.began)
        }
        let events = events
        log.merge(page.entries.map { events.entry(of: $0) }, of: page.began)
        normalize()
    }

    /// Requests that the last updates or keys have made necessary.
    mutating func dueEffects() -> [Effect] {
        if list.countAges(from: now) {
            let index = list.selectedIndex
            list.showListing(setup)
            refilter(near: index)
        }
        let index = list.selectedIndex
        if list.age(to: now) {
            refilter(near: index)
            sayWhereRowsWent()
        }
        if list.view == .log { log.find(list.filter) }
        var effects: [Effect] = []
        if !list.lost.isEmpty {
            effects.append(.find(Array(list.lost.prefix(Self.mostLookUps))))
            let others = list.lost.count - Self.mostLookUps
            if others > 0 {
                let key = setup.keyMap.label(.viewHistory)
                log.add(.note, "\(others) more transfers ended; \(key) shows the history", at: now)
            }
            list.lost = []
        }
        if let request = dueDetails() { effects.append(request) }
        let demand = logDemand
        if let query = log.feed.request(demand) { effects.append(.log(query)) }
        if list.view == .history {
            let needsMore = (list.selectedIndex ?? 0) + 2 * pageRows >= list.visible.count
            if let request = list.history.request(needsMore: needsMore) { effects.append(request) }
        }
        return effects
    }

    /// Transfers whose ends came without an event.
    mutating func receive(found: [Transfer]) {
        for transfer in found where transfer.state.isEnded {
            list.history.becomesStale()
            log.feed.becomesStale()
            let what = events.happened(transfer, isNew: false, at: now)
            log.add(events.entry(of: transfer, what, at: transfer.endedAt ?? now))
        }
    }

    /// One undoes what one did last: where that is not reverted, a second key reverts the command before it.
    mutating func undo() -> [Effect] {
        guard let last = unreverted else { return [.undo] }
        unreverted = nil
        let key = setup.keyMap.label(.undo)
        notice = Notice(text: "\(last) cannot be undone; \(key) again undoes the command before it")
        return []
    }

    mutating func receive(_ undone: UndoneCommand) {
        undoable.reverted(undone)
        let words = UndoText.words(for: undone)
        let text = words.prefix(1).uppercased() + words.dropFirst()
        log.add(.note, text, at: now)
        notice = Notice(text: text)
    }

    /// The queue has nothing to undo: another client has done so.
    mutating func receive(nothingToUndo text: String) {
        undoable = UndoableCommands()
        notice = Notice(text: text, isError: true)
    }

    mutating func receive(_ entries: [HistoryEntry], before place: HistoryEntry.Place?, limit: Int) {
        let index = list.selectedIndex
        list.history.receive(entries, before: place, limit: limit)
        // Those that were removed from it; further pages only add.
        if place == nil { list.keepMarks() }
        guard list.view == .history else { return }
        refilter(near: index)
        performEarlyActions()
    }

    /// Seconds without a reply; `nil`: the queue replies again.
    mutating func setSilence(_ seconds: Int?) {
        if let before = silence, seconds == nil {
            log.add(.note, "The service replies again, after \(before) s", at: now)
        }
        if silence == nil, seconds != nil, !isLost { log.add(.error, "The service does not reply", at: now) }
        silence = seconds
    }

    /// The connection has ended, or the next one is open.
    mutating func setLost(_ isLost: Bool) {
        if isLost, !self.isLost {
            log.add(.error, "The connection to \(setup.machine ?? "the service") is lost; reconnecting", at: now)
        }
        self.isLost = isLost
    }

    /// A new connection took the place of one that had ended.
    mutating func reconnected() {
        log.feed.reconnected()
        log.add(.note, "The service is back; the list is the present one", at: now)
    }

    /// The entries of the view `6`.
    var logEntries: [EventLog.Entry] { log.entries(matching: list.filter) }

    var logWindow: LogWindow {
        LogWindow(entries: logEntries, clock: setup.clock, columns: columns, rows: layout.body.count)
    }

    mutating func scrollLog(_ lines: Int) { logScroll = logWindow.scrolled(logScroll, by: lines) }

    /// The next or previous line: each matches. The first follows on the last one.
    mutating func goToMatch(_ step: Int) {
        let before = logWindow.back(logScroll)
        scrollLog(step)
        guard logWindow.back(logScroll) == before else { return }
        scrollLog(-step * 2 * EventLog.capacity)
        notice = Notice(text: "Search continues at the \(step > 0 ? "top" : "bottom")")
    }

    /// After a change of the filter or of the window, too.
    mutating func clampLog() { if logScroll.back != 0 { logScroll.back = logWindow.back(logScroll) } }

    /// Logs the command lines of what a key did.
    mutating func logCommands(_ effects: [Effect]) {
        for effect in effects {
            guard let command = effect.keyedCommand else { continue }
            if command.isReverted { undoable.note(at: now) }
            unreverted = command.unreverted
            guard let line = setup.commandLine(command) else { continue }
            // One for a single transfer is in its log, too.
            var id: TransferID?
            if case .perform(_, let ids) = command, ids.count == 1 { id = ids[0] }
            log.add(.command, "\(setup.program) \(line)", of: id, at: now)
        }
    }
}
