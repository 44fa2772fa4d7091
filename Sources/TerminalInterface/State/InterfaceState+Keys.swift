// SPDX-License-Identifier: MIT

import TransferControl
import TransferModel

extension InterfaceState {
    /// Handles `key` in the current view.
    mutating func press(_ key: Key) -> [Effect] {
        notice = nil
        defer { normalize() }
        if prompt != nil { return answer(key) }
        if case .paste(let text) = key {
            // A paste on the list is taken as a URL.
            guard overlay == nil else { return [] }
            ask(.add, text: "")
            _ = prompt?.editor.press(.paste(text))
            return []
        }
        guard let action = ActionTable.action(for: key) else {
            notice = Notice(text: ActionTable.unknownKey)
            return []
        }
        guard action.isEnabled(self) else {
            notice = ActionTable.refusal(of: action.name, self).map { Notice(text: $0) }
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
        case .detail: cover(overlay == .detail ? nil : .detail)
        case .help: cover(overlay == .help ? nil : .help)
        case .close: closeOne()
        case .filter: ask(.filter, text: filter)
        case .viewAll: show(QueueView.all)
        case .viewActive: show(.active)
        case .viewProblems: show(.problems)
        case .viewDone: show(.done)
        case .nextView: showView(after: 1)
        case .previousView: showView(after: -1)
        case .nextProblem: selectProblem(1)
        case .previousProblem: selectProblem(-1)
        case .sort: ask(.sort, text: Self.sortQuestion)
        case .mark: toggleMark()
        case .markAll: marks = marks.isSuperset(of: visible) ? [] : Set(visible)
        case .add: ask(.add, text: "")
        case .limit: ask(.limit(targets.map(\.id)), text: targets.first?.rateLimit.map(RateText.editable) ?? "")
        case .limitAll: ask(.limitAll, text: RateText.editable(limits))
        case .trust: ask(about: question(.trust))
        case .login: ask(about: question(.login))
        case .redraw: return [.redraw]
        case .suspend: return [.suspend]
        case .quit where overlay != nil: cover(nil)
        case .quit, .interrupt: return [.quit(isConfirmed: false)]
        case .pause: return pause()
        case .pauseAll: return pauseAll()
        case .cancel: return command(.cancel(deletingPartial: false), "Cancel") { !$0.isEnded }
        case .retry: return command(.retry, "Retry", where: ActionTable.isRetried)
        case .retryAll:
            return confirmed(.retry, "Retry", order.compactMap { transfers[$0] }.filter { $0.state == .failed })
        case .forget: return command(.dismiss, "Remove", where: \.isEnded)
        case .proceedAnyway: return confirmed(.liftRestrictions, "Continue", targets.filter(\.canBeLifted))
        // In an order in which each neighbour is still in place.
        case .moveUp: return [.perform(.move(.up), targets.map(\.id))]
        case .moveDown: return [.perform(.move(.down), targets.reversed().map(\.id))]
        case .moveTop: return [.perform(.move(.top), targets.reversed().map(\.id))]
        case .moveBottom: return [.perform(.move(.bottom), targets.map(\.id))]
        }
        return []
    }

    private mutating func command(
        _ command: QueueCommand, _ verb: String, where fits: (TransferState) -> Bool
    ) -> [Effect] {
        confirmed(command, verb, targets.filter { fits($0.state) })
    }

    /// Executes a command for one transfer immediately, for several after a confirmation.
    private mutating func confirmed(
        _ command: QueueCommand, _ verb: String, _ transfers: [Transfer]
    ) -> [Effect] {
        let ids = transfers.map(\.id)
        guard ids.count > 1 else { return ids.isEmpty ? [] : [.perform(command, ids)] }
        ask(.confirm(command, ids), text: "\(verb) \(ids.count) transfers? y/n ")
        return []
    }

    private func isPausable(_ transfer: Transfer) -> Bool {
        !transfer.state.isEnded && transfer.state != .paused && transfer.state != .verifying
    }

    /// Pauses what is not paused; resumes if all are paused.
    private mutating func pause() -> [Effect] {
        let going = targets.filter(isPausable)
        return going.isEmpty
            ? confirmed(.resume, "Resume", targets.filter { $0.state == .paused }) : confirmed(.pause, "Pause", going)
    }

    /// Pauses the whole queue, or resumes what was paused with it; transfers paused individually stay paused.
    private mutating func pauseAll() -> [Effect] {
        let all = order.compactMap { transfers[$0] }
        let going = all.filter(isPausable)
        if !going.isEmpty { return confirmed(.hold, "Pause", going) }
        let held = all.filter { $0.state == .paused && $0.isResumedWithQueue }
        if held.isEmpty { notice = Notice(text: "P has paused nothing; p resumes the selected or marked transfers") }
        return confirmed(.resume, "Resume", held)
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

    /// The next transfer in the list that needs attention, from the selected one on, around the end.
    private mutating func selectProblem(_ step: Int) {
        guard let start = selectedIndex else { return }
        let count = visible.count
        for distance in 1...count {
            let index = (start + step * distance % count + count) % count
            if let transfer = transfers[visible[index]], QueueView.isProblem(transfer) {
                selection = visible[index]
                overlayTop = 0
                return
            }
        }
    }

    private mutating func cover(_ new: Overlay?) {
        overlay = new
        overlayTop = 0
    }

    private mutating func closeOne() {
        if overlay != nil {
            cover(nil)
        } else if !filter.isEmpty {
            setFilter("")
        } else {
            marks = []
        }
    }

    private mutating func scrollOverlay(_ lines: Int) {
        let count = overlay == .help ? HelpView.lines(columns: columns).count : DetailView.lines(of: self).count
        overlayTop = min(max(0, overlayTop + lines), max(0, count - pageRows))
    }
}
