// SPDX-License-Identifier: MIT

import TransferControl

extension ActionTable {
    static let views: [Action] = [
        view(.viewNow, .now, "what runs, asks, has failed, waits or is queued; what has finished in one line"),
        view(.viewAll, .all, "all transfers in the order of the queue"),
        view(.viewProblems, .problems, "what waits, retries, asks or has failed"),
        view(.viewHeld, .held, "what is paused, scheduled, or waits for a slot"),
        view(.viewDone, .done, "what is completed or cancelled"),
        view(.viewHistory, .history, "what ended, as long as the service keeps it"),
        view(.viewLog, .log, "what happened, and the command line that equals each key"),
        view(.viewFirstOwn, .firstOwn, "the first view in [interface.views] of the configuration"),
        view(.viewSecondOwn, .secondOwn, "the second one"),
        view(.viewThirdOwn, .thirdOwn, "the third one; {command} view NAME shows it, too"),
        Action(
            .nextView, [.tab], "next view", "next view", when: { !$0.isCovered }, change: { $0.showView(after: 1) }),
        Action(
            .previousView, [.backTab], "prev view", "previous view", when: { !$0.isCovered },
            change: { $0.showView(after: -1) }),
        Action(
            .sort, ["s"], "sort",
            "sort by the column of the next key; s then reverses, q returns to the order of the queue", hint: 13,
            .needsList,
            when: { state in
                state.overlay == nil
                    && !(state.list.view == .history ? state.list.visible : state.list.order).isEmpty
            },
            refusal: \.noTarget, change: { $0.ask(.sort, text: sortQuestion($0)) }),
        Action(
            .group, ["z"], "group",
            "group by server, folder, place on the server, batch; then no groups; keys act on a whole group",
            .needsList,
            when: { !$0.list.order.isEmpty && $0.overlay == nil && !$0.list.view.hasOwnList },
            refusal: { state in
                state.isListCovered ?? (state.list.view == .history ? "The history has no groups" : state.emptyQueue)
            },
            change: { groupNext(&$0) }),
        Action(
            .columns, ["c"], "columns", "choose, order and size the columns of the list", .needsList,
            when: { state in
                state.overlay == nil && !state.list.view.hasOwnList && state.listWidth >= ColumnLayout.leastForWishes
            },
            refusal: { state in
                let least = ColumnLayout.leastForWishes
                return state.isListCovered
                    ?? (state.listWidth < least
                        ? "The window is too narrow: columns can be chosen in \(least) or more"
                        : "The history has columns of its own")
            },
            change: { ListColumn.edit(on: &$0) }),
        Action(
            .fold, [.left], "fold", "fold the group", hint: 10, .needsList, isOfUse: { $0.list.selectedGroup != nil },
            when: { state in state.groupInReach.map { !state.list.groups.isFolded($0) } ?? false }, refusal: noFolding,
            change: { $0.setFolded(true) }),
        Action(
            .unfold, [.right], "unfold", "unfold the group", hint: 10, .needsList,
            isOfUse: { $0.list.selectedGroup != nil },
            when: { state in state.groupInReach.map(state.list.groups.isFolded) ?? false }, refusal: noFolding,
            change: { $0.setFolded(false) }),
    ]

    private static func view(_ name: Action.Name, _ view: QueueView, _ help: String) -> Action {
        Action(
            name, view.rawValue > 9 ? [] : [.character(Unicode.Scalar(UInt8(48 + view.rawValue)))],
            view.ownPlace.map { ["1st own", "2nd own", "3rd own"][$0] } ?? view.title.lowercased(), help,
            when: { !$0.isCovered && $0.list.views.contains(view) },
            refusal: { _ in "No such view; [interface.views] in config.toml makes views of your own" },
            change: { $0.show(view) })
    }

    private static func noFolding(_ state: InterfaceState) -> String? {
        if state.list.view == .history { return "The history has no groups" }
        guard let key = state.groupInReach else {
            return state.isListCovered ?? "No groups; \(state.setup.keyMap.label(.group)) groups the list"
        }
        return state.list.groups.isFolded(key) ? "The group is folded already" : "The group is unfolded already"
    }
}
