// SPDX-License-Identifier: MIT

import FoundationEssentials
package import TransferModel

/// What is copied of a transfer; in the order of the question.
package enum CopiedPart: String, CaseIterable, Sendable {
    case address, path, id, curl

    init?(key: Unicode.Scalar) {
        guard let part = Self.allCases.first(where: { $0.key == key }) else { return nil }
        self = part
    }

    private var key: Unicode.Scalar {
        switch self {
        case .address: "y"
        case .path: "p"
        case .id: "i"
        case .curl: "c"
        }
    }

    var question: String { "[\(key)] \(noun)" }

    private var noun: String {
        switch self {
        case .address, .path: rawValue
        case .id: "ID"
        case .curl: "curl line"
        }
    }

    /// Such as `the path`, `3 paths`.
    package func noun(_ count: Int) -> String {
        count == 1 ? "the \(noun)" : "\(count) \(noun)\(self == .address ? "es" : "s")"
    }

    /// One line. The address is the whole one, with tokens that lists hide; a path with characters that cannot be seen
    /// is a word for a shell.
    package func text(_ transfer: Transfer) -> String {
        switch self {
        case .address: Self.line(transfer.url)
        case .path: Self.line(transfer.file)
        case .id: "\(transfer.id)"
        case .curl: Self.curl(transfer)
        }
    }

    private static func line(_ text: String) -> String {
        text.unicodeScalars.contains(where: TextLine.isInvisible) ? ShellWord.quoted(text) : text
    }

    private static func curl(_ transfer: Transfer) -> String {
        let (url, file) = (ShellWord.quoted(transfer.url), ShellWord.quoted(transfer.file))
        return transfer.kind == .upload ? "curl -fT \(file) \(url)" : "curl -fL -o \(file) \(url)"
    }
}

/// What gives a text to the terminal's clipboard (OSC 52), through tmux and ssh, too.
package enum ClipboardReport {
    /// Bytes of text that all usual terminals take.
    package static let maximum = 74_000

    package static func sequence(_ text: String) -> String {
        "\u{1b}]52;c;\(Data(text.utf8).base64EncodedString())\u{7}"
    }
}
