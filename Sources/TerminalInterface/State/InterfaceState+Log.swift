// SPDX-License-Identifier: MIT

import TransferControl
import TransferModel

/// The log, the history, and what the screen asks the queue for beside its updates.
extension InterfaceState {
    /// The most transfers whose ends are looked up one by one.
    private static let mostLookUps = 200
    /// Of what happened before the screen was opened: seconds, as lines have no date, and lines.
    private static let earlierAge = 12 * 3600.0, mostEarlier = 200

    /// Logs the change of a transfer's state. Before ``transfers`` has the new one.
    mutating func noteEvent(_ transfer: Transfer, _ known: Transfer?) {
        guard list.isLoaded, known?.state != transfer.state else { return }
        log.feed.becomesStale()
        if transfer.state.isEnded { list.history.becomesStale() }
        // What waits in line is no news, unless it was added.
        if transfer.state == .queued, known != nil, known?.state != .paused { return }
        log.add(entry(of: transfer, happened(transfer, isNew: known == nil, at: now), at: now))
    }

    /// - Parameters:
    ///   - what: happened to it.
    ///   - kind: `nil`: by its state.
    private func entry(
        of transfer: Transfer, _ what: String, _ kind: EventLog.Kind? = nil, at time: Double,
        source: EventLog.Source = .update
    ) -> EventLog.Entry {
        EventLog.Entry(
            time: time, kind: kind ?? (transfer.state == .failed ? .failure : .event), id: transfer.id,
            title: EventLog.Entry.title(of: transfer), text: what, source: source)
    }

    /// A time in the record of a transfer.
    private struct EarlierEvent {
        var time: Double
        var id: TransferID
        var isEnd: Bool

        static func isBefore(_ one: EarlierEvent, _ other: EarlierEvent) -> Bool {
            (one.time, one.id, one.isEnd ? 1 : 0) < (other.time, other.id, other.isEnd ? 1 : 0)
        }
    }

    /// Logs when the transfers of the first list were added, and when they ended.
    mutating func noteEarlierEvents() {
        var found: [EarlierEvent] = []
        var least = max(0, now - Self.earlierAge)
        // The latest are behind.
        for id in list.order.reversed() {
            guard let transfer = list.transfers[id] else { continue }
            for (time, isEnd) in [(transfer.addedAt, false), (transfer.endedAt ?? 0, true)]
            where time > least && time <= now {
                found.append(EarlierEvent(time: time, id: id, isEnd: isEnd))
            }
            // Of a long list only the latest are kept at any time.
            guard found.count >= 2 * Self.mostEarlier else { continue }
            found.sort(by: EarlierEvent.isBefore)
            found.removeFirst(found.count - Self.mostEarlier)
            least = found[0].time
        }
        found.sort(by: EarlierEvent.isBefore)
        let entries = found.suffix(Self.mostEarlier).compactMap { entry(of: $0) }
        log.addEarlier(entries)
    }

    private func entry(of event: EarlierEvent) -> EventLog.Entry? {
        guard let transfer = list.transfers[event.id] else { return nil }
        let what = event.isEnd ? happened(transfer, isNew: false, at: now) : "added"
        return entry(of: transfer, what, event.isEnd ? nil : .event, at: event.time)
    }

    /// Without its number and name.
    /// - Parameters:
    ///   - name: of the event, if it is known.
    ///   - time: from which times to go count.
    private func happened(
        _ transfer: Transfer, isNew: Bool, _ name: TransferEvent.Name? = nil, at time: Double
    ) -> String {
        let around = RowText.Surroundings(now: time, clock: setup.clock, words: setup.words, keys: setup.keyMap.words)
        return switch transfer.state {
        case .running where name == .restarted: setup.words.brief(transfer).first ?? "starts again"
        case .running where name == .resumed && transfer.bytes > 0:
            "continues from \(ByteCount.short(Double(transfer.bytes)))"
        case .running: transfer.attempt > 1 ? "started, attempt \(transfer.attempt)" : "started"
        case .queued where isNew: "added"
        case .queued: name == .queued ? "queued again" : "resumed"
        case .paused where isNew: "added, paused"
        // The line begins with the time.
        case .completed:
            "✓ " + (setup.words.brief(transfer).first ?? RowText.taken(transfer).map { "in \($0)" } ?? "done")
        default: RowText(transfer, around)?.texts.first ?? transfer.state.rawValue
        }
    }

    // MARK: The log of the queue

    private var logDemand: LogFeed.Demand {
        let item = showsDetails && details.tab == .log ? list.selected?.id : nil
        guard showsLog else { return LogFeed.Demand(isShown: list.isLoaded && item != nil, item: item) }
        let needsEarlier = !list.filter.isEmpty || logBack + 2 * layout.body.count >= log.entries.count
        return LogFeed.Demand(isShown: list.isLoaded, needsEarlier: needsEarlier)
    }

    mutating func receive(_ page: LogPage, of query: LogQuery) {
        switch log.feed.receive(page, of: query) {
        case .outdated: return
        case .continues: break
        case .begins:
            log.queueBegan("The service began at \(setup.clock.text(page.began, now: now))", at: page.began)
        }
        let entries = page.entries.map { entry(of: $0) }
        log.merge(entries, of: page.began)
        normalize()
    }

    private func entry(of entry: LogEntry) -> EventLog.Entry {
        let what = happened(entry.transfer, isNew: entry.isNew == true, entry.name, at: entry.time)
        return self.entry(of: entry.transfer, what, at: entry.time, source: .queue(entry.sequence))
    }

    /// Requests that the last updates or keys have made necessary.
    mutating func dueEffects() -> [Effect] {
        let index = list.selectedIndex
        if list.countAges(from: now) {
            list.showListing(setup)
            refilter(near: index)
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
            log.add(entry(of: transfer, happened(transfer, isNew: false, at: now), at: transfer.endedAt ?? now))
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
        if silence == nil, seconds != nil { log.add(.error, "The service does not reply", at: now) }
        silence = seconds
    }

    /// A new connection took the place of one that had ended.
    mutating func reconnected() {
        log.feed.reconnected()
        log.add(.note, "The service is back; the list is the present one", at: now)
    }

    /// The entries of the view `6`.
    var logEntries: [EventLog.Entry] { log.entries(matching: list.filter) }

    mutating func scrollLog(_ lines: Int) {
        let entries = logEntries
        logBack = shownLogBack(of: entries) - lines
        logAnchor = nil
        logBack = shownLogBack(of: entries)
        logAnchor = logBack > 0 ? entries[entries.count - 1 - logBack] : nil
    }

    /// The next or previous line: each matches. The first follows on the last one.
    mutating func goToMatch(_ step: Int) {
        let before = shownLogBack(of: logEntries)
        scrollLog(step)
        guard shownLogBack(of: logEntries) == before else { return }
        scrollLog(-step * 2 * EventLog.capacity)
        notice = Notice(text: "Search continues at the \(step > 0 ? "top" : "bottom")")
    }

    /// After a change of the filter or of the window, too.
    mutating func clampLog() { if logBack != 0 { logBack = shownLogBack(of: logEntries) } }

    /// The entries below ``logAnchor``, so that the screen is full if there are entries enough.
    func shownLogBack(of entries: [EventLog.Entry]) -> Int {
        guard logBack > 0 else { return 0 }
        let back = place(ofAnchorIn: entries).map { entries.count - 1 - $0 } ?? logBack
        return min(back, max(0, entries.count - max(1, logEntriesThatFit(entries[...]))))
    }

    /// Of the same entry; if the log of the queue took its place, or a filter leaves it out, of the last one before it.
    private func place(ofAnchorIn entries: [EventLog.Entry]) -> Int? {
        guard let logAnchor else { return nil }
        return entries.lastIndex(of: logAnchor) ?? entries.lastIndex { $0.time <= logAnchor.time }
    }

    /// So many of the first of these fit into the window.
    private func logEntriesThatFit(_ entries: some Sequence<EventLog.Entry>) -> Int {
        let rows = layout.body.count
        var (room, count) = (rows, 0)
        for entry in entries {
            room -= LogView.lines(of: entry, setup.clock, width: columns, rows: rows, .unicode).count
            guard room >= 0 else { break }
            count += 1
        }
        return count
    }

    /// Whether some of the entries that match the filter are not on the screen.
    var hasFurtherMatches: Bool {
        guard !list.filter.isEmpty else { return false }
        let entries = logEntries
        return logEntriesThatFit(entries[...]) < entries.count
    }

    /// - Parameter step: -1 or 1. No entry is left out.
    mutating func scrollLogPage(_ step: Int) {
        let entries = logEntries
        let end = entries.count - shownLogBack(of: entries)
        let count = step < 0 ? logEntriesThatFit(entries[..<end].reversed()) - 1 : logEntriesThatFit(entries[end...])
        scrollLog(step * max(1, min(count, pageRows - 1)))
    }

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
