// SPDX-License-Identifier: MIT

import TransferControl
import TransferModel

extension EditForm {
    /// Handles a key while it is open.
    func press(_ key: Key, on screen: inout InterfaceState) -> [Effect] {
        guard phase != .saving || key == .escape || key == .control("c") else { return [] }
        var form = self
        let event = form.press(key)
        return form.follow(event, &screen)
    }

    /// A click on a hint is its key; on a field it selects, on a choice it chooses.
    func click(_ mouse: Mouse, on screen: inout InterfaceState) -> [Effect] {
        guard mouse.button == .left else { return [] }
        let size = (screen.columns, screen.rows)
        switch FormView.target(row: mouse.row, column: mouse.column, dialog(on: screen), of: size) {
        case nil: return []
        case .key(let key): return press(key, on: &screen)
        case .form(let spot):
            guard phase == .editing else { return [] }
            var form = self
            let event = form.form.click(spot)
            return form.follow(event, &screen)
        }
    }

    private func follow(_ event: Form.Event, _ screen: inout InterfaceState) -> [Effect] {
        var form = self
        var effects: [Effect] = []
        switch event {
        case .none: break
        case .close:
            screen.mode = .list
            return []
        case .pick: return Picker.open(isUpload: false, at: form.form.field.text, over: .edit(form), on: &screen)
        case .changed:
            form.changed()
            effects = Mode.edit(form).lookAhead
        case .submit:
            guard var request = form.submitted() else { break }
            guard !request.isEmpty else {
                screen.mode = .list
                screen.notice = Notice(text: "Nothing was changed")
                return []
            }
            request.resumes = request.answered(of: request.ids.compactMap(screen.list.transfer))
            effects = [.edit(request)]
        }
        screen.mode = .edit(form)
        return effects
    }

    /// The dialog to draw.
    func dialog(on screen: InterfaceState) -> FormDialog {
        dialog(ids.compactMap(screen.list.transfer), retry: screen.setup.keyMap.label(.retry))
    }
}
