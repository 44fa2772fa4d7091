// SPDX-License-Identifier: MIT

import TransferControl
import TransferModel

extension AddForm {
    /// Handles a key while it is open.
    func press(_ key: Key, on screen: inout InterfaceState) -> [Effect] {
        var form = self
        switch phase {
        case .adding where key != .escape && key != .control("c"): return []
        case .asking:
            let request = form.answered(key)
            screen.mode = .add(form)
            return request.map { [.add($0)] } ?? []
        case .editing, .checking, .adding:
            let event = form.press(key)
            return form.follow(event, &screen)
        }
    }

    /// A click on a hint is its key; on a field it selects, on a choice it chooses.
    func click(_ mouse: Mouse, on screen: inout InterfaceState) -> [Effect] {
        guard mouse.button == .left else { return [] }
        switch FormView.target(row: mouse.row, column: mouse.column, dialog, of: (screen.columns, screen.rows)) {
        case nil: return []
        case .key(let key): return press(key, on: &screen)
        case .form(let spot):
            guard phase == .editing || phase == .checking else { return [] }
            var form = self
            let event = form.form.click(spot)
            return form.follow(event, &screen)
        }
    }

    private func follow(_ event: Form.Event, _ screen: inout InterfaceState) -> [Effect] {
        var form = self
        defer { if event != .close, event != .pick { screen.mode = .add(form) } }
        switch event {
        case .none: return []
        case .close:
            screen.mode = .list
            return []
        case .pick:
            return Picker.open(
                isUpload: form.active == .files, at: form.form.field.text, over: .add(form), on: &screen)
        case .changed:
            form.changed()
            return Mode.add(form).lookAhead
        case .submit:
            guard case .add(let request) = form.submitted() else { return [] }
            return [.add(request)]
        }
    }
}
