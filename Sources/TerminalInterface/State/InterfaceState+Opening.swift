// SPDX-License-Identifier: MIT

import TransferModel

/// Opening files with other programs, and copying what names them.
extension InterfaceState {
    static let copyQuestion =
        "Copy: " + CopiedPart.allCases.map(\.question).joined(separator: "  ") + " "

    /// Whether the file of a transfer can be opened.
    static func hasFile(_ transfer: Transfer) -> Bool {
        transfer.file.beginsWithSlash && (transfer.state == .completed || transfer.kind == .upload)
    }

    /// Opens the file of the first target that has one.
    mutating func openFile() -> [Effect] {
        guard let transfer = firstTarget(where: Self.hasFile) else { return [] }
        notice = Notice(text: "Opening \(DisplayName.of(transfer))")
        return [.open(transfer.file)]
    }

    /// Opens the folder of the first target.
    mutating func openFolder() -> [Effect] {
        guard let file = firstTarget(where: { $0.file.beginsWithSlash })?.file, let above = file.throughLastSlash
        else { return [] }
        let folder = String(above)
        notice = Notice(text: "Opening \(DisplayName.path(folder, home: setup.homeFolder))")
        return [.open(folder)]
    }

    /// The key after that of ``Action/Name/copy``; any other copies nothing.
    mutating func copy(_ key: Key) -> [Effect] {
        guard case .character(let letter) = key, let part = CopiedPart(key: letter) else { return [] }
        let texts = targets.map(part.text)
        let text = texts.joined(separator: "\n")
        guard text.utf8.count <= ClipboardReport.maximum else {
            notice = Notice(text: "Too long for a terminal's clipboard: \(texts.count) transfers", isError: true)
            return []
        }
        notice = Notice(text: "Copied \(part.noun(texts.count)), if the terminal allows it")
        return [.copy(text)]
    }
}
