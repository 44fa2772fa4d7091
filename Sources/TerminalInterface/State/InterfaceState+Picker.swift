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

    mutating func receive(_ listing: Picker.Listing, serial: Int) {
        guard case .picker(var picker, let form) = mode else { return }
        picker.receive(listing, serial)
        mode = .picker(picker, over: form)
    }

    static func asFolder(_ path: String) -> String { path.endsWithSlash ? path : path + "/" }

    /// `text` as an absolute path.
    private func wholePath(_ text: String, in folder: String) -> String {
        if text.beginsWithSlash { return text }
        if text == "~" || text.hasPrefix("~/"), let home = setup.homeFolder { return home + "/" + text.dropFirst() }
        return folder + "/" + text
    }
}
