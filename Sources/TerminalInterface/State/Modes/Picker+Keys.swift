// SPDX-License-Identifier: MIT

import TransferControl
import TransferModel

extension Picker {
    /// Handles a key while it is open.
    func press(_ key: Key, over form: Mode, on screen: inout InterfaceState) -> [Effect] {
        var picker = self
        let event = picker.press(key, page: Self.listRows(of: (screen.columns, screen.rows)))
        return picker.follow(event, over: form, &screen)
    }

    /// A click selects, a second one opens or takes; on the first columns it marks, on a hint it is its key.
    func click(_ mouse: Mouse, over form: Mode, on screen: inout InterfaceState) -> [Effect] {
        var picker = self
        var event = Event.none
        switch mouse.button {
        case .wheelUp: picker.scroll(-Mouse.wheelRows)
        case .wheelDown: picker.scroll(Mouse.wheelRows)
        case .left:
            let size = (screen.columns, screen.rows)
            if let key = picker.key(row: mouse.row, column: mouse.column, of: size) {
                return press(key, over: form, on: &screen)
            }
            event = picker.click(row: mouse.row, column: mouse.column, of: size)
        case .middle, .right, .dragged, .released: return []
        }
        return picker.follow(event, over: form, &screen)
    }

    private func follow(_ event: Event, over form: Mode, _ screen: inout InterfaceState) -> [Effect] {
        screen.mode = .picker(self, over: form)
        switch event {
        case .none: return []
        case .read(let folder): return [.list(folder, serial)]
        case .close:
            screen.mode = form
            return []
        case .take(let paths):
            let isUpload = purpose == .files
            if isUpload { screen.lastPickFolder = folder }
            let shown = paths.map { DisplayName.path($0, home: screen.setup.homeFolder) }
            let text = isUpload ? shown.joined(separator: "\n") : Self.asFolder(shown.first ?? "")
            screen.mode = form.taking(text)
            return screen.mode.lookAhead
        }
    }

    /// Opens one for a field; folders of another machine cannot be listed.
    /// - Parameters:
    ///   - text: the content of the field.
    ///   - form: whose field it is.
    static func open(isUpload: Bool, at text: String, over form: Mode, on screen: inout InterfaceState) -> [Effect] {
        if let machine = screen.setup.machine {
            (screen.mode, screen.notice) = (form, Notice(text: "Folders of \(machine) are not shown: type the path"))
            return []
        }
        let base = screen.setup.workingFolder ?? screen.setup.homeFolder ?? "/"
        let folder = isUpload ? screen.lastPickFolder ?? base : path(text, in: base, home: screen.setup.homeFolder)
        let picker = Picker(isUpload ? .files : .folder, folder: folder)
        screen.mode = .picker(picker, over: form)
        return [.list(picker.folder, picker.serial)]
    }

    /// `text` as an absolute path.
    private static func path(_ text: String, in folder: String, home: String?) -> String {
        if text.beginsWithSlash { return text }
        if text == "~" || text.hasPrefix("~/"), let home { return home + "/" + text.dropFirst() }
        return folder + "/" + text
    }

    private static func asFolder(_ path: String) -> String { path.endsWithSlash ? path : path + "/" }
}
