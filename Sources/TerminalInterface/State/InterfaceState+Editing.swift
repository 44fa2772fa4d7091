// SPDX-License-Identifier: MIT

import TransferModel

/// The dialog that changes transfers.
extension InterfaceState {
    /// The form as it is drawn.
    var formDialog: FormDialog? { mode.addForm?.dialog ?? mode.editForm?.dialog(on: self) }

    mutating func openEdit(_ transfers: [Transfer]) -> [Effect] {
        guard !transfers.isEmpty else { return [] }
        mode = .edit(EditForm(transfers, home: setup.homeFolder, clock: setup.clock, now: now, machine: setup.machine))
        return []
    }

    mutating func receive(_ outlook: EditOutlook, serial: Int) -> [Effect] {
        mode.editForm?.outlookArrived(outlook, serial)
        return []
    }

    mutating func receive(_ outcome: EditOutcome) {
        switch outcome {
        case .done(let steps, let notes):
            if mode.editForm?.phase == .saving { mode.editForm = nil }
            for note in notes { log.add(.note, note, at: now) }
            let undo = setup.keyMap.label(.undo)
            let several = "Changed in \(steps) steps; \(undo) undoes the last"
            notice = Notice(text: notes.first ?? (steps > 1 ? several : "Changed. \(undo) undoes."))
        case .failed(let text, let field):
            log.add(.error, text, at: now)
            if mode.editForm?.phase == .saving {
                mode.editForm?.fail(text, field)
            } else {
                notice = Notice(text: text, isError: true)
            }
        }
    }

    mutating func receive(_ listing: Picker.Listing, serial: Int) {
        guard case .picker(var picker, let form) = mode else { return }
        picker.receive(listing, serial)
        mode = .picker(picker, over: form)
    }
}
