// SPDX-License-Identifier: MIT

import TransferControl
import TransferModel

/// Marks from one transfer to another.
extension InterfaceState {
    /// Begins a range at the selected transfer, or ends it and keeps the marks.
    mutating func toggleRange() {
        guard list.range == nil else { return list.range = nil }
        guard let anchor = list.selection ?? list.groupMembers.first else { return }
        list.range = .init(anchor: anchor, marksBefore: list.marks, view: list.view)
        let label = setup.keyMap.label
        notice = Notice(
            text: "Moving marks from here on; \(label(.markRange)) keeps the marks, \(label(.close)) takes them back")
    }
}
