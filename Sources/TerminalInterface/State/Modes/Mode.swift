// SPDX-License-Identifier: MIT

import TransferControl
import TransferModel

/// The receiver of keys, with its state.
enum Mode: Sendable {
    /// Keys are actions, on the list or on what covers it.
    case list
    case rowMenu(RowMenu)
    case add(AddForm)
    case edit(EditForm)
    /// For a field of the form below it.
    indirect case picker(Picker, over: Mode)
    case prompt(Prompt)
    case palette(Palette)
    /// The columns are edited; this one is chosen.
    case columns(ListColumn)
    case help(HelpMenu)

    var isList: Bool { if case .list = self { true } else { false } }

    /// The form under a picker; without a picker, the mode itself.
    private var form: Mode {
        get { if case .picker(_, let form) = self { form } else { self } }
        set { self = picker.map { .picker($0, over: newValue) } ?? newValue }
    }

    /// The open form, also under a picker. `nil` closes it; without an open form, setting has no effect.
    var addForm: AddForm? {
        get { if case .add(let form) = form { form } else { nil } }
        set { if case .add = form { form = newValue.map { .add($0) } ?? .list } }
    }

    var editForm: EditForm? {
        get { if case .edit(let form) = form { form } else { nil } }
        set { if case .edit = form { form = newValue.map { .edit($0) } ?? .list } }
    }

    /// A form whose active field takes what was picked.
    func taking(_ text: String) -> Mode {
        var mode = self
        mode.addForm?.take(text)
        mode.editForm?.take(text)
        return mode
    }

    /// Requests for a preview of the open form.
    var lookAhead: [Effect] {
        if let form = addForm { return [.lookAhead(form.request, form.serial)] }
        return editForm.map { [.lookAheadOfEdit($0.request, $0.serial)] } ?? []
    }

    var picker: Picker? { if case .picker(let picker, _) = self { picker } else { nil } }
    var prompt: Prompt? { if case .prompt(let prompt) = self { prompt } else { nil } }
    var palette: Palette? { if case .palette(let palette) = self { palette } else { nil } }
    var column: ListColumn? { if case .columns(let column) = self { column } else { nil } }
    var helpMenu: HelpMenu? { if case .help(let menu) = self { menu } else { nil } }
    var rowMenu: RowMenu? { if case .rowMenu(let menu) = self { menu } else { nil } }
}
