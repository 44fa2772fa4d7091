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
        switch mode {
        case .list: return pressInList(key)
        case .rowMenu(let menu): return press(key, in: menu)
        case .prompt(let prompt) where prompt.purpose.isAnsweredByKey: return reply(key, to: prompt)
        case _ where key == .control("l"): return [.redraw]
        case _ where key == .control("z"): return [.suspend]
        case .prompt(let prompt): return press(key, in: prompt)
        case .palette(let palette): return press(key, in: palette)
        case .add(let form): return press(key, in: form)
        case .edit(let form): return press(key, in: form)
        case .picker(let picker, let form): return press(key, in: picker, over: form)
        case .columns(let column): press(key, at: column)
        }
        return []
    }

    mutating func pressInList(_ key: Key) -> [Effect] {
        if case .paste(let text) = key {
            // A paste on the list holds addresses.
            guard let add = keyMap.action(.add), isEnabled(add) else { return attempt(.add) }
            return openAdd(text)
        }
        guard let action = keyMap.action(for: key) else {
            notice = Notice(text: "Unknown key; \(keyMap.label(.help)) shows all keys")
            return []
        }
        return awaitsHistory(action) ? [] : attempt(action)
    }

    // MARK: Moving

    /// Whether keys scroll the log.
    var showsLog: Bool { view == .log && overlay == nil }

    mutating func step(lines: Int) {
        if showsLog { scrollLog(lines) } else if isCovered { scrollOverlay(lines) } else { select(offset: lines) }
    }

    mutating func step(pages: Int) {
        let lines = pages * max(1, pageRows - 1)
        if showsLog { return scrollLogPage(pages) }
        if overlay == nil { select(offset: lines) } else { scrollOverlay(lines) }
    }

    /// - Parameter end: -1: the first line or row; 1: the last.
    mutating func step(toEnd end: Int) {
        if showsLog {
            scrollLog(end * 2 * EventLog.capacity)
        } else if isCovered {
            scrollOverlay(end * LoadedDetails.end)
        } else {
            select(offset: end * rowCount)
        }
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

    mutating func toggleMark() {
        if let selectedGroup {
            toggleMarks(ofGroup: selectedGroup)
        } else if let selection, marks.remove(selection) == nil {
            marks.insert(selection)
        }
        select(offset: 1)
    }

    /// The next transfer in the list that needs attention, from the selected one on, around the end.
    mutating func selectProblem(_ step: Int) {
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

    mutating func closeOne() {
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
