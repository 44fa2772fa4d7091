// SPDX-License-Identifier: MIT

import TransferModel

/// The dialog that changes transfers.
extension InterfaceState {
    /// As it is drawn.
    var editDialog: FormDialog? {
        editForm.map { $0.dialog($0.ids.compactMap(transfer), retry: keyMap.label(.retry)) }
    }

    mutating func openEdit(_ transfers: [Transfer]) -> [Effect] {
        guard !transfers.isEmpty else { return [] }
        editForm = EditForm(transfers, home: homeFolder, clock: clock, now: now)
        return []
    }

    mutating func pressInEdit(_ key: Key) -> [Effect] {
        guard var dialog = editForm else { return [] }
        switch key {
        case .control("l"): return [.redraw]
        case .control("z"): return [.suspend]
        case .escape, .control("c"): break
        default: if dialog.phase == .saving { return [] }
        }
        let event = dialog.press(key)
        editForm = dialog
        return follow(event)
    }

    /// A click on a hint is its key; on a field it selects, on a choice it chooses.
    mutating func clickInEdit(_ mouse: Mouse) -> [Effect] {
        guard var dialog = editForm, let shown = editDialog, mouse.button == .left else { return [] }
        switch FormView.target(row: mouse.row, column: mouse.column, shown, of: (columns, rows)) {
        case nil: return []
        case .key(let key): return pressInEdit(key)
        case .form(let spot):
            guard dialog.phase == .editing else { return [] }
            let event = dialog.form.click(spot)
            editForm = dialog
            return follow(event)
        }
    }

    private mutating func follow(_ event: Form.Event) -> [Effect] {
        switch event {
        case .none: break
        case .close: editForm = nil
        case .pick: return openPicker(isUpload: false, at: editForm?.form.field.text ?? "")
        case .changed:
            editForm?.changed()
            return lookAheadOfEdit()
        case .submit:
            guard var request = editForm?.submitted() else { break }
            guard !request.isEmpty else {
                editForm = nil
                notice = Notice(text: "Nothing was changed")
                break
            }
            let edited = request.ids.compactMap(transfer)
            request.resumes = request.answered(of: edited)
            return [.edit(request)]
        }
        return []
    }

    func lookAheadOfEdit() -> [Effect] { editForm.map { [.lookAheadOfEdit($0.request, $0.serial)] } ?? [] }

    mutating func receive(_ outlook: EditOutlook, serial: Int) -> [Effect] {
        editForm?.outlookArrived(outlook, serial)
        return []
    }

    mutating func receive(_ outcome: EditOutcome) {
        switch outcome {
        case .done(let steps, let notes):
            if editForm?.phase == .saving { editForm = nil }
            for note in notes { log.add(.note, note, at: now) }
            let undo = keyMap.label(.undo)
            let several = "Changed in \(steps) steps; \(undo) undoes the last"
            notice = Notice(text: notes.first ?? (steps > 1 ? several : "Changed. \(undo) undoes."))
        case .failed(let text, let field):
            log.add(.error, text, at: now)
            if editForm?.phase == .saving {
                editForm?.fail(text, field)
            } else {
                notice = Notice(text: text, isError: true)
            }
        }
    }
}
