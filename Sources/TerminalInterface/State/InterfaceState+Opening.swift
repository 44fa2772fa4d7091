// SPDX-License-Identifier: MIT

import FoundationEssentials
import TransferModel

/// Opening files with other programs, and copying what names them.
extension InterfaceState {
    /// What a key of the question copies.
    private enum CopiedPart: Character, CaseIterable {
        case address = "y"
        case path = "p"
        case id = "i"
        case curl = "c"

        var question: String {
            switch self {
            case .address: "[y] address"
            case .path: "[p] path"
            case .id: "[i] ID"
            case .curl: "[c] curl line"
            }
        }

        func noun(_ count: Int) -> String {
            switch self {
            case .address: count == 1 ? "the address" : "\(count) addresses"
            case .path: count == 1 ? "the path" : "\(count) paths"
            case .id: count == 1 ? "the ID" : "\(count) IDs"
            case .curl: count == 1 ? "the curl line" : "\(count) curl lines"
            }
        }

        func text(_ transfer: Transfer) -> String {
            switch self {
            case .address: transfer.url
            case .path: transfer.file
            case .id: "\(transfer.id)"
            case .curl: Self.curl(transfer)
            }
        }

        private static func curl(_ transfer: Transfer) -> String {
            let (url, file) = (quoted(transfer.url), quoted(transfer.file))
            return transfer.kind == .upload ? "curl -fT \(file) \(url)" : "curl -fL -o \(file) \(url)"
        }

        private static func quoted(_ text: String) -> String { "'" + text.replacing("'", with: "'\\''") + "'" }
    }

    static let copyQuestion =
        "Copy: " + CopiedPart.allCases.map(\.question).joined(separator: "  ") + " "

    /// Whether the file of a transfer can be opened.
    static func hasFile(_ transfer: Transfer) -> Bool {
        transfer.file.hasPrefix("/") && (transfer.state == .completed || transfer.kind == .upload)
    }

    /// Opens the file of the first target that has one.
    mutating func openFile() -> [Effect] {
        guard let transfer = targets.first(where: Self.hasFile) else { return [] }
        notice = Notice(text: "Opening \(DisplayName.of(transfer))")
        return [.open(transfer.file)]
    }

    /// Opens the folder of the first target.
    mutating func openFolder() -> [Effect] {
        guard let file = targets.first(where: { $0.file.hasPrefix("/") })?.file, let slash = file.lastIndex(of: "/")
        else { return [] }
        let folder = String(file[...slash])
        notice = Notice(text: "Opening \(DisplayName.path(folder, home: homeFolder))")
        return [.open(folder)]
    }

    /// The key after that of ``Action/Name/copy``; any other copies nothing.
    mutating func copy(_ key: Key) -> [Effect] {
        guard case .character(let letter) = key, let part = CopiedPart(rawValue: Character(letter)) else { return [] }
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

/// What gives a text to the terminal's clipboard (OSC 52), through tmux and ssh, too.
enum ClipboardReport {
    /// Bytes of text that all usual terminals take.
    static let maximum = 74_000

    static func sequence(_ text: String) -> String {
        "\u{1b}]52;c;\(Data(text.utf8).base64EncodedString())\u{7}"
    }
}
