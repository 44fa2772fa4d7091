// SPDX-License-Identifier: MIT

import TransferModel

/// The dialog that picks files and folders for a field of another one.
extension InterfaceState {
    /// The field that Tab was pressed in.
    /// - Parameter text: its content.
    mutating func openPicker(isUpload: Bool, at text: String) -> [Effect] {
        let base = workingFolder ?? homeFolder ?? "/"
        let folder = isUpload ? lastPickFolder ?? base : wholePath(text, in: base)
        let picker = Picker(isUpload ? .files : .folder, folder: folder)
        self.picker = picker
        return [.list(picker.folder, picker.serial)]
    }

    mutating func pressInPicker(_ key: Key) -> [Effect] {
        guard picker != nil else { return [] }
        switch key {
        case .control("l"): return [.redraw]
        case .control("z"): return [.suspend]
        default: break
        }
        return follow(picker?.press(key, page: Picker.listRows(of: (columns, rows))) ?? .none)
    }

    /// A click selects, a second one opens or takes; on the first columns it marks, on a hint it is its key.
    mutating func clickInPicker(_ mouse: Mouse) -> [Effect] {
        switch mouse.button {
        case .wheelUp: picker?.scroll(-Self.wheelRows)
        case .wheelDown: picker?.scroll(Self.wheelRows)
        case .left:
            let size = (columns, rows)
            if let key = picker?.key(row: mouse.row, column: mouse.column, of: size) { return pressInPicker(key) }
            return follow(picker?.click(row: mouse.row, column: mouse.column, of: size) ?? .none)
        case .middle, .right, .dragged, .released: break
        }
        return []
    }

    private mutating func follow(_ event: Picker.Event) -> [Effect] {
        switch event {
        case .none: break
        case .read(let folder): return picker.map { [.list(folder, $0.serial)] } ?? []
        case .close: picker = nil
        case .take(let paths):
            let isUpload = picker?.purpose == .files
            if isUpload { lastPickFolder = picker?.folder }
            picker = nil
            let shown = paths.map { DisplayName.path($0, home: homeFolder) }
            if editForm != nil {
                editForm?.take(Self.asFolder(shown.first ?? ""))
                return lookAheadOfEdit()
            }
            addForm?.take(isUpload ? shown.joined(separator: "\n") : Self.asFolder(shown.first ?? ""))
            return addForm.map { [.lookAhead($0.request, $0.serial)] } ?? []
        }
        return []
    }

    mutating func receive(_ listing: Picker.Listing, serial: Int) { picker?.receive(listing, serial) }

    private static func asFolder(_ path: String) -> String { path.endsWithSlash ? path : path + "/" }

    /// `text` as an absolute path.
    private func wholePath(_ text: String, in folder: String) -> String {
        if text.beginsWithSlash { return text }
        if text == "~" || text.hasPrefix("~/"), let homeFolder { return homeFolder + "/" + text.dropFirst() }
        return folder + "/" + text
    }
}
