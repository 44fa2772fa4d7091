// SPDX-License-Identifier: MIT

import TransferModel

/// The dialog that picks files and folders for a field of another one.
extension InterfaceState {
    /// - Parameters:
    ///   - text: the content of the field.
    ///   - form: whose field it is.
    mutating func openPicker(isUpload: Bool, at text: String, over form: Mode) -> [Effect] {
        let base = setup.workingFolder ?? setup.homeFolder ?? "/"
        let folder = isUpload ? lastPickFolder ?? base : wholePath(text, in: base)
        let picker = Picker(isUpload ? .files : .folder, folder: folder)
        mode = .picker(picker, over: form)
        return [.list(picker.folder, picker.serial)]
    }

    mutating func press(_ key: Key, in picker: Picker, over form: Mode) -> [Effect] {
        var picker = picker
        let event = picker.press(key, page: Picker.listRows(of: (columns, rows)))
        return follow(event, picker, over: form)
    }

    /// A click selects, a second one opens or takes; on the first columns it marks, on a hint it is its key.
    mutating func click(_ mouse: Mouse, in picker: Picker, over form: Mode) -> [Effect] {
        var picker = picker
        var event = Picker.Event.none
        switch mouse.button {
        case .wheelUp: picker.scroll(-Self.wheelRows)
        case .wheelDown: picker.scroll(Self.wheelRows)
        case .left:
            let size = (columns, rows)
            if let key = picker.key(row: mouse.row, column: mouse.column, of: size) {
                return press(key, in: picker, over: form)
            }
            event = picker.click(row: mouse.row, column: mouse.column, of: size)
        case .middle, .right, .dragged, .released: return []
        }
        return follow(event, picker, over: form)
    }

    private mutating func follow(_ event: Picker.Event, _ picker: Picker, over form: Mode) -> [Effect] {
        mode = .picker(picker, over: form)
        switch event {
        case .none: return []
        case .read(let folder): return [.list(folder, picker.serial)]
        case .close:
            mode = form
            return []
        case .take(let paths):
            let isUpload = picker.purpose == .files
            if isUpload { lastPickFolder = picker.folder }
            let shown = paths.map { DisplayName.path($0, home: setup.homeFolder) }
            let text = isUpload ? shown.joined(separator: "\n") : Self.asFolder(shown.first ?? "")
            mode = form.taking(text)
            return mode.lookAhead
        }
    }

    mutating func receive(_ listing: Picker.Listing, serial: Int) {
        guard case .picker(var picker, let form) = mode else { return }
        picker.receive(listing, serial)
        mode = .picker(picker, over: form)
    }

    private static func asFolder(_ path: String) -> String { path.endsWithSlash ? path : path + "/" }

    /// `text` as an absolute path.
    private func wholePath(_ text: String, in folder: String) -> String {
        if text.beginsWithSlash { return text }
        if text == "~" || text.hasPrefix("~/"), let home = setup.homeFolder { return home + "/" + text.dropFirst() }
        return folder + "/" + text
    }
}
