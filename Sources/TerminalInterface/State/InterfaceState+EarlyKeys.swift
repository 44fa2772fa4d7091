// SPDX-License-Identifier: MIT

/// Keys that move and mark, pressed while the history is being loaded: they act on its rows as soon as these are there.
/// Others are refused until then.
extension InterfaceState {
    /// More than anyone types ahead.
    private static let mostEarly = 64

    /// - Returns: whether the action waits for the history.
    mutating func awaitsHistory(_ action: Action) -> Bool {
        guard list.view == .history, overlay == nil, !list.history.isLoaded, action.traits.contains(.awaitsRows),
            earlyActions.count < Self.mostEarly
        else { return false }
        earlyActions.append(action.name)
        notice = Notice(text: "Loading the history")
        return true
    }

    /// The history is there.
    mutating func performEarlyActions() {
        let names = earlyActions
        earlyActions = []
        for name in names {
            guard let action = setup.keyMap.action(name), isEnabled(action) else { continue }
            _ = attempt(action)
            list.extendRange(isCovered: overlay != nil)
        }
        normalize()
    }
}
