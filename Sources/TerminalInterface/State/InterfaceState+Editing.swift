// SPDX-License-Identifier: MIT

import TransferModel

/// The dialog that changes transfers.
extension InterfaceState {
    /// The form as it is drawn.
    var formDialog: FormDialog? { mode.addForm?.dialog ?? mode.editForm.map(dialog) }

    private func dialog(_ form: EditForm) -> FormDialog {
        form.dialog(form.ids.compactMap(list.transfer), retry: setup.keyMap.label(.retry))
    }

    mutating func openEdit(_ transfers: [Transfer]) -> [Effect] {
        guard !transfers.isEmpty else { return [] }
        mode = .edit(EditForm(transfers, home: setup.homeFolder, clock: setup.clock, now: now))
        return []
    }

    mutating func press(_ key: Key, in form: EditForm) -> [Effect] {
        guard form.phase != .saving || key == .escape || key == .control("c") else { return [] }
        var form = form
        let event = form.press(key)
        return follow(event, form)
    }

    /// A click on a hint is its key; on a field it selects, on a choice it chooses.
    mutating func click(_ mouse: Mouse, in form: EditForm) -> [Effect] {
        guard mouse.button == .left else { return [] }
        switch FormView.target(row: mouse.row, column: mouse.column, dialog(form), of: (columns, rows)) {
        case nil: return []
        case .key(let key): return press(key, in: form)
        case .form(let spot):
            guard form.phase == .editing else { return [] }
            var form = form
            let event = form.form.click(spot)
            return follow(event, form)
        }
    }

    private mutating func follow(_ event: Form.Event, _ changed: EditForm) -> [Effect] {
        var form = changed
        var effects: [Effect] = []
        switch event {
        case .none: break
        case .close:
            mode = .list
            return []
        case .pick: return openPicker(isUpload: false, at: form.form.field.text, over: .edit(form))
        case .changed:
            form.changed()
            effects = [.lookAheadOfEdit(form.request, form.serial)]
        case .submit:
            guard var request = form.submitted() else { break }
            guard !request.isEmpty else {
                mode = .list
                notice = Notice(text: "Nothing was changed")
                return []
            }
            request.resumes = request.answered(of: request.ids.compactMap(list.transfer))
            effects = [.edit(request)]
        }
        mode = .edit(form)
        return effects
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
}
