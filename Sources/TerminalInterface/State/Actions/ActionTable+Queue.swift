// SPDX-License-Identifier: MIT

import TransferControl
import TransferModel

extension ActionTable {
    static let queue: [Action] = [
        move(.moveDown, ["J"], .down, "move down", "move down by one", hint: 14),
        move(.moveUp, ["K"], .up, "move up", "move up by one", hint: 15),
        move(.moveTop, ["t"], .top, "to top", "move to the top", hint: 16),
        move(.moveBottom, ["b"], .bottom, "to bottom", "move to the bottom", hint: nil),
        priority(.priorityUp, ["+"], isUp: true, "higher", "higher priority: low, normal, high"),
        priority(.priorityDown, ["-"], isUp: false, "lower", "lower priority"),
        Action(
            .undo, ["U"], "undo",
            "undo the last command: pause, cancel, remove, move, priority, limits; for ten minutes", hint: 12,
            .changesQueue, isOfUse: \.canUndo, perform: { $0.undo() }),
        Action(
            .command, [":"], "command", "run a command line, as in a shell: Tab completes, Up recalls", hint: 11,
            .changesQueue, isOfUse: { $0.overlay == nil },
            when: { !$0.setup.vocabulary.commands.isEmpty },
            refusal: { _ in "No commands here: this queue is not that of the service" },
            change: { $0.mode = .palette(Palette()) }),
        Action(
            .add, ["a"], "add", "add transfers: a form for addresses, a curl line, or files to upload", hint: 6,
            .changesQueue, when: { $0.overlay == nil }, refusal: \.isListCovered, perform: { $0.openAdd() }),
        Action(
            .pauseAll, ["P"], "pause all",
            "hold the whole queue, also what is added; again: release what {pauseAll} paused", hint: 17, .changesQueue,
            wordNow: { $0.limits.isHeld == true ? "release all" : nil }, isOfUse: { !$0.isCovered },
            when: { $0.list.isLoaded }, refusal: { $0.emptyQueue }, perform: pauseAll),
        Action(
            .retryAll, ["R"], "retry failed", "retry all failed transfers", .changesQueue,
            when: { $0.list.tally[.failed] > 0 },
            refusal: { $0.list.tally.count == 0 ? $0.emptyQueue : "Nothing to retry: no transfer has failed" },
            perform: { state in
                let failed = state.list.order.compactMap { state.list.transfers[$0] }.filter { $0.state == .failed }
                return state.carryOut(.retry, "Retried", failed)
            }),
        Action(
            .limitAll, ["L"], "limit all", "limit the queue: 4M, 4M 1M for down and up, none; 6 slots", hint: 18,
            .changesQueue, isOfUse: { !$0.isCovered },
            change: { $0.ask(.limitAll, text: RateText.editable($0.limits)) }),
    ]

    /// Only the order of the queue can be changed by hand.
    private static func move(
        _ name: Action.Name, _ keys: [Key], _ place: QueueMove, _ word: String, _ help: String, hint: Int?
    ) -> Action {
        Action(
            name, keys, word, help, hint: hint, .ofTransfer,
            // Moving a finished transfer is possible, but starts nothing earlier.
            isOfUse: { $0.hasTarget(in: { !$0.isEnded }) },
            when: { state in
                state.list.listOrder == nil && state.list.view != .history && !state.isCovered
                    && state.hasTarget(in: { _ in true })
            },
            refusal: { state in
                if let reason = state.noTarget { return reason }
                guard let order = state.list.listOrder else { return noOrder(state) }
                return "Sorted by \(order.key.rawValue): \(state.setup.keyMap.label(.sort)) q returns to the order of "
                    + "the queue, which can be changed"
            },
            perform: { move(place, &$0) })
    }

    private static func noOrder(_ state: InterfaceState) -> String? {
        guard state.list.view == .history else { return nil }
        return "The history has no order to change; \(state.setup.keyMap.label(.retry)) queues a transfer again"
    }

    private static func priority(
        _ name: Action.Name, _ keys: [Key], isUp: Bool, _ word: String, _ help: String
    ) -> Action {
        Action(
            name, keys, word, help, .ofTransfer,
            when: { state in
                guard state.list.view != .history, !state.isCovered, state.hasTarget(in: { !$0.isEnded }) else {
                    return false
                }
                return PriorityStep.next(state.firstTarget { !$0.state.isEnded }?.priority, isUp: isUp) != nil
            },
            refusal: { state in
                if let reason = state.noTarget ?? noOrder(state) { return reason }
                guard let open = state.firstTarget(where: { !$0.state.isEnded }) else {
                    return cannot("change the priority", state, one: whyEnded, many: "is unfinished")
                }
                return "The priority is \(PriorityStep.word(open.priority ?? 0.5)) already"
            },
            perform: { state in
                let open = state.targets.filter { !$0.state.isEnded }
                guard let priority = PriorityStep.next(open.first?.priority, isUp: isUp) else { return [] }
                let count = open.count > 1 ? " for \(open.count) transfers" : ""
                state.notice = .init(text: "Priority \(PriorityStep.word(priority))\(count). \(state.undoes)")
                return [.perform(.priority(priority), open.map(\.id))]
            })
    }

    /// Holds the whole queue, also what is added, or releases it; transfers paused individually stay paused.
    private static func pauseAll(_ state: inout InterfaceState) -> [Effect] {
        let all = state.list.order.compactMap { state.list.transfers[$0] }
        let stopped = all.filter { $0.state == .paused && $0.isResumedWithQueue }
        if state.limits.isHeld == true {
            state.setNotice("Queue released. \(state.undoes)", isHeld: false)
            // A full disk, not the hold, has paused these.
            let others = stopped.filter { $0.pausedBy == nil }.map(\.id)
            return [.hold(false)] + (others.isEmpty ? [] : [.perform(.resume, others)])
        }
        let going = all.count(where: \.state.isPausable)
        if going == 0, !stopped.isEmpty { return state.carryOut(.resume, "Resumed", stopped) }
        let paused = going == 1 ? "1 transfer paused" : "\(going) transfers paused"
        state.setNotice("Queue held, \(going == 0 ? "what is added waits" : paused). \(state.undoes)", isHeld: true)
        return [.hold(true)]
    }
}
