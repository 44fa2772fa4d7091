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
        let isOnNotice = if case .mouse(let mouse) = key { mouse.isOnNotice(of: self) } else { false }
        notice = nil
        list.departed = nil
        defer {
            list.slidAt = nil
            normalize()
        }
        guard !isOnNotice else { return [] }
        let effects = handle(key)
        list.extendRange(isCovered: overlay != nil)
        logCommands(effects)
        noteCommands(effects)
        if list.view == .history, effects.contains(where: { if case .perform = $0 { true } else { false } }) {
            list.history.becomesStale()
        }
        return effects
    }

    private mutating func handle(_ key: Key) -> [Effect] {
        if case .mouse(let mouse) = key { return mouse.click(on: &self) }
        switch mode {
        case .list: return pressInList(key)
        case .rowMenu(let menu): return menu.press(key, on: &self)
        case .prompt(let prompt) where prompt.purpose.isAnsweredByKey: return prompt.reply(key, on: &self)
        case _ where key == .control("l"): return [.redraw]
        case _ where key == .control("z"): return [.suspend]
        case .prompt(let prompt): return prompt.press(key, on: &self)
        case .palette(let palette): return palette.press(key, on: &self)
        case .add(let form): return form.press(key, on: &self)
        case .edit(let form): return form.press(key, on: &self)
        case .picker(let picker, let form): return picker.press(key, over: form, on: &self)
        case .columns(let column): column.press(key, on: &self)
        case .help(let menu): return menu.press(key, on: &self)
        }
        return []
    }

    mutating func pressInList(_ key: Key) -> [Effect] {
        if case .paste(let text) = key {
            // A paste on the list holds addresses.
            guard let add = setup.keyMap.action(.add), isEnabled(add) else { return attempt(.add) }
            return openAdd(text)
        }
        guard let action = setup.keyMap.action(for: key) else {
            notice = Notice(text: "Unknown key; \(setup.keyMap.label(.help)) shows all keys")
            return []
        }
        return awaitsHistory(action) ? [] : attempt(action)
    }

    // MARK: Moving

    /// Whether keys scroll the log.
    var showsLog: Bool { list.view == .log && overlay == nil }

    mutating func step(lines: Int) {
        if showsLog { scrollLog(lines) } else if isCovered { scrollOverlay(lines) } else { select(offset: lines) }
    }

    mutating func step(pages: Int) {
        let lines = pages * max(1, pageRows - 1)
        if showsLog { return scrollLog(logWindow.page(pages, from: logScroll, most: pageRows - 1)) }
        if overlay == nil { select(offset: lines) } else { scrollOverlay(lines) }
    }

    /// - Parameter end: -1: the first line or row; 1: the last.
    mutating func step(toEnd end: Int) {
        if showsLog {
            scrollLog(end * 2 * EventLog.capacity)
        } else if isCovered {
            scrollOverlay(end * LoadedDetails.end)
        } else {
            select(offset: end * list.rowCount)
        }
    }

    mutating func select(offset: Int) {
        guard let index = list.selectedIndex else { return }
        var next = min(max(0, index + offset), list.rowCount - 1)
        // Only a transfer has details.
        if overlay == .detail {
            let step = offset < 0 ? -1 : 1
            next = list.transferRow(from: next, step) ?? list.transferRow(from: next, -step) ?? index
        }
        list.select(row: next)
        overlayTop = coverTop
    }

    /// Selects a transfer wherever it is.
    mutating func select(_ id: TransferID) {
        list.select(id, setup)
        overlayTop = coverTop
    }

    mutating func cover(_ new: Overlay?) {
        overlay = new
        overlayTop = coverTop
    }

    mutating func closeOne() {
        if overlay != nil {
            cover(nil)
        } else if let range = list.range {
            (list.marks, list.range) = (range.marksBefore, nil)
            list.keepMarks()
        } else if !list.filter.isEmpty {
            setFilter("")
        } else {
            list.marks = []
        }
    }

    mutating func scrollOverlay(_ lines: Int) {
        let count = coverLines
        overlayTop = shownTop(of: count) + lines
        overlayTop = shownTop(of: count)
    }
}
