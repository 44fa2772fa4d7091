// SPDX-License-Identifier: MIT

import TransferControl
import TransferModel

/// The dialog that adds transfers.
extension InterfaceState {
    /// Whether several lines in one read are a paste, of a terminal that does not mark it, and none is Enter.
    var takesBursts: Bool {
        switch mode {
        case .add(let form): form.active == .addresses && form[.addresses].text.isEmpty
        case .picker(_, let form): form.isList
        case .edit, .prompt, .palette, .help: false
        case .list, .rowMenu, .columns: true
        }
    }

    mutating func openAdd(_ pasted: String = "") -> [Effect] {
        mode = .add(AddForm(addresses: pasted, folder: setup.saveFolder, machine: setup.machine))
        return pasted.isEmpty ? [] : mode.lookAhead
    }

    /// Receives the preview of a request to add.
    mutating func receive(_ outlook: AddOutlook, serial: Int) -> [Effect] {
        let outlook = list.compared(outlook)
        guard let request = mode.addForm?.outlookArrived(outlook, serial) else { return [] }
        let effects = [Effect.add(request)]
        logCommands(effects)
        return effects
    }

    mutating func receive(_ outcome: AddOutcome) {
        switch outcome {
        case .added(let count, let notes):
            if mode.addForm?.phase == .adding { mode.addForm = nil }
            for note in notes { log.add(.note, note, at: now) }
            let text = count == 1 ? "Added" : "Added \(count) transfers"
            notice = Notice(text: ([text] + notes.prefix(1)).joined(separator: "; "))
        case .failed(let text, let field): refused(text) { $0.fail(text, field) }
        case .missesFolder(let text): refused(text) { $0.missesFolder(text) }
        }
    }

    private mutating func refused(_ text: String, _ show: (inout AddForm) -> Void) {
        log.add(.error, text, at: now)
        guard var form = mode.addForm, form.phase == .adding else { return notice = Notice(text: text, isError: true) }
        show(&form)
        mode.addForm = form
    }
}
