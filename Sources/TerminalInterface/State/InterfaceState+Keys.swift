// SPDX-License-Identifier: MIT

import TransferControl
import TransferModel

extension InterfaceState {
    /// What `key` means now.
    mutating func press(_ key: Key) -> [Effect] {
        notice = nil
        defer { settle() }
        if prompt != nil { return answer(key) }
        if case .paste(let text) = key {
            // Pasted on the list: surely an address to fetch.
            guard overlay == nil else { return [] }
            ask(.add, text: "")
            _ = prompt?.editor.press(.paste(text))
            return []
        }
        guard let action = ActionTable.action(for: key) else { return [] }
        guard action.isEnabled(self) else {
            if action.name != .close { notice = Notice(text: "\(action.word): nothing to do that to") }
            return []
        }
        return perform(action.name)
    }

    private mutating func perform(_ action: Action.Name) -> [Effect] {
        switch action {
        case .down: overlay == .help ? scrollOverlay(1) : select(offset: 1)
        case .up: overlay == .help ? scrollOverlay(-1) : select(offset: -1)
        case .first: overlay == .help ? scrollOverlay(-overlayTop) : select(offset: -visible.count)
        case .last: overlay == .help ? scrollOverlay(1000) : select(offset: visible.count)
        case .pageDown: overlay == nil ? select(offset: max(1, pageRows - 1)) : scrollOverlay(max(1, pageRows - 1))
        case .pageUp: overlay == nil ? select(offset: -max(1, pageRows - 1)) : scrollOverlay(-max(1, pageRows - 1))
        case .detail: show(overlay == .detail ? nil : .detail)
        case .help: show(overlay == .help ? nil : .help)
        case .close: closeOne()
        case .filter: ask(.filter, text: filter)
        case .mark: toggleMark()
        case .markAll: marks = marks.isSuperset(of: visible) ? [] : Set(visible)
        case .add: ask(.add, text: "")
        case .limit: ask(.limit(targets.map(\.id)), text: targets.first?.rateLimit.map(RateText.editable) ?? "")
        case .limitAll: ask(.limitAll, text: RateText.editable(limits))
        case .trust: ask(about: question(.trust))
        case .login: ask(about: question(.login))
        case .redraw: return [.redraw]
        case .suspend: return [.suspend]
        case .quit where overlay != nil: show(nil)
        case .quit, .interrupt: return [.quit(isConfirmed: false)]
        case .pause: return pause(targets)
        case .pauseAll: return pause(order.compactMap { transfers[$0] })
        case .cancel: return command(.cancel(deletingPartial: false)) { !$0.isEnded }
        case .retry: return command(.retry) { $0 == .failed || $0 == .cancelled }
        case .forget: return command(.remove, where: \.isEnded)
        case .goOnAnyway: return [.perform(.liftRestrictions, targets.filter(\.canBeLifted).map(\.id))]
        // In the order in which each finds its neighbour still in place.
        case .moveUp: return [.perform(.move(.up), targets.map(\.id))]
        case .moveDown: return [.perform(.move(.down), targets.reversed().map(\.id))]
        case .moveTop: return [.perform(.move(.top), targets.reversed().map(\.id))]
        case .moveBottom: return [.perform(.move(.bottom), targets.map(\.id))]
        }
        return []
    }

    private func command(_ command: QueueCommand, where fits: (TransferState) -> Bool) -> [Effect] {
        [.perform(command, targets.filter { fits($0.state) }.map(\.id))]
    }

    /// Pauses what is not paused; where everything is, lets it go on.
    private func pause(_ candidates: [TransferSnapshot]) -> [Effect] {
        let going = candidates.filter { !$0.state.isEnded && $0.state != .paused && $0.state != .verifying }
        if !going.isEmpty { return [.perform(.pause, going.map(\.id))] }
        let paused = candidates.filter { $0.state == .paused }
        return paused.isEmpty ? [] : [.perform(.resume, paused.map(\.id))]
    }

    private mutating func select(offset: Int) {
        guard let index = selectedIndex else { return }
        selection = visible[min(max(0, index + offset), visible.count - 1)]
        overlayTop = 0
    }

    private mutating func toggleMark() {
        guard let selection else { return }
        if marks.remove(selection) == nil { marks.insert(selection) }
        select(offset: 1)
    }

    private mutating func show(_ new: Overlay?) {
        overlay = new
        overlayTop = 0
    }

    private mutating func closeOne() {
        if overlay != nil {
            show(nil)
        } else if !filter.isEmpty {
            let index = selectedIndex
            filter = ""
            refilter(near: index)
        } else {
            marks = []
        }
    }

    private mutating func scrollOverlay(_ lines: Int) {
        let count = overlay == .help ? HelpView.lines(columns: columns).count : DetailView.lines(of: self).count
        overlayTop = min(max(0, overlayTop + lines), max(0, count - pageRows))
    }
}
