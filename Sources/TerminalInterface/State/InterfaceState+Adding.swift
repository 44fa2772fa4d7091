// SPDX-License-Identifier: MIT

import TransferControl
import TransferModel

/// The dialog that adds transfers.
extension InterfaceState {
    /// Whether keys are text, or those of a dialog.
    var takesText: Bool { prompt != nil || addForm != nil || editForm != nil || editedColumn != nil }

    /// Whether a dialog with hints of its own is open.
    var hasDialog: Bool { addForm != nil || editForm != nil || picker != nil || rowMenu != nil }

    /// Whether several lines in one read are a paste, of a terminal that does not mark it, and none is Enter.
    var takesBursts: Bool {
        guard editForm == nil else { return false }
        guard let addForm else { return prompt == nil }
        return picker == nil && addForm.active == .addresses && addForm[.addresses].text.isEmpty
    }

    mutating func openAdd(_ pasted: String = "") -> [Effect] {
        addForm = AddForm(addresses: pasted, folder: saveFolder)
        return pasted.isEmpty ? [] : lookAhead()
    }

    mutating func pressInAdd(_ key: Key) -> [Effect] {
        guard var dialog = addForm else { return [] }
        defer { if addForm != nil { addForm = dialog } }
        switch key {
        case .control("l"): return [.redraw]
        case .control("z"): return [.suspend]
        case .escape, .control("c"): break
        default: if dialog.phase == .adding { return [] }
        }
        if dialog.phase == .asking { return dialog.answered(key).map { [.add($0)] } ?? [] }
        let event = dialog.press(key)
        return follow(event, in: &dialog)
    }

    /// A click on a hint is its key; on a field it selects, on a choice it chooses.
    mutating func clickInAdd(_ mouse: Mouse) -> [Effect] {
        guard var dialog = addForm, mouse.button == .left else { return [] }
        switch FormView.target(row: mouse.row, column: mouse.column, dialog.dialog, of: (columns, rows)) {
        case nil: return []
        case .key(let key): return pressInAdd(key)
        case .form(let spot):
            guard dialog.phase == .editing || dialog.phase == .checking else { return [] }
            defer { if addForm != nil { addForm = dialog } }
            let event = dialog.form.click(spot)
            return follow(event, in: &dialog)
        }
    }

    private mutating func follow(_ event: Form.Event, in dialog: inout AddForm) -> [Effect] {
        switch event {
        case .none: return []
        case .close:
            addForm = nil
            return []
        case .pick:
            return openPicker(isUpload: dialog.active == .files, at: dialog.form.field.text)
        case .changed:
            dialog.changed()
            return [.lookAhead(dialog.request, dialog.serial)]
        case .submit:
            guard case .add(let request) = dialog.submitted() else { return [] }
            return [.add(request)]
        }
    }

    private func lookAhead() -> [Effect] { addForm.map { [.lookAhead($0.request, $0.serial)] } ?? [] }

    /// What a request would add.
    mutating func receive(_ outlook: AddOutlook, serial: Int) -> [Effect] {
        let outlook = compared(outlook)
        guard let request = addForm?.outlookArrived(outlook, serial) else { return [] }
        let effects = [Effect.add(request)]
        logCommands(effects)
        return effects
    }

    /// With the downloads of the queue that have, or will have, the same files.
    private func compared(_ outlook: AddOutlook) -> AddOutlook {
        guard !outlook.files.isEmpty else { return outlook }
        var outlook = outlook
        let files = Set(outlook.files)
        var taken: Set<String> = []
        for id in order {
            guard let transfer = transfers[id], transfer.kind == .download, !transfer.state.isEnded,
                files.contains(transfer.file)
            else { continue }
            outlook.holder = outlook.holder ?? id
            taken.insert(transfer.file)
        }
        (outlook.taken, outlook.files) = (taken.count, [])
        return outlook
    }

    mutating func receive(_ outcome: AddOutcome) {
        switch outcome {
        case .added(let count, let notes):
            if addForm?.phase == .adding { addForm = nil }
            for note in notes { log.add(.note, note, at: now) }
            let text = count == 1 ? "Added" : "Added \(count) transfers"
            notice = Notice(text: ([text] + notes.prefix(1)).joined(separator: "; "))
        case .failed(let text, let field): refused(text) { $0.fail(text, field) }
        case .missesFolder(let text): refused(text) { $0.missesFolder(text) }
        }
    }

    private mutating func refused(_ text: String, _ show: (inout AddForm) -> Void) {
        log.add(.error, text, at: now)
        guard var form = addForm, form.phase == .adding else { return notice = Notice(text: text, isError: true) }
        show(&form)
        addForm = form
    }
}
