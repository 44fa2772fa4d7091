// SPDX-License-Identifier: MIT

import Glibc
import TerminalInterface
import TransferModel

/// Links to local files in the output for terminals (OSC 8). Terminals that show none show the text.
struct FileLink: Sendable, Equatable {
    /// Of this machine: a terminal on another one, as through ssh, does not open the file of the same name there.
    var host: String

    /// `nil` for a terminal that may not be sent sequences beside colours, or shows no colours.
    init?(_ traits: TerminalTraits, environment: (String) -> String?) {
        guard traits.wantsColours, let type = environment("TERM") else { return nil }
        // Screens within the terminal, which pass on what they know; and old types, which print what they do not.
        guard environment("STY") == nil, environment("INSIDE_EMACS") == nil else { return nil }
        guard type == "xterm" || (ColourPolicy.colours(ofType: type) ?? 256) >= 256 else { return nil }
        host = Self.machine
    }

    /// `text`, which leads to the file of a transfer, if that is complete.
    func text(_ text: String, for transfer: Transfer) -> String {
        let isThere = transfer.kind == .upload || transfer.state == .completed
        return isThere && transfer.file.beginsWithSlash ? self.text(text, path: transfer.file) : text
    }

    /// - Parameter path: absolute.
    func text(_ text: String, path: String) -> String {
        "\u{1b}]8;;file://\(host)\(Self.encoded(path))\u{1b}\\\(text)\u{1b}]8;;\u{1b}\\"
    }

    /// Percent-encoded but for unreserved characters (RFC 3986, section 2.3) and `/`.
    private static func encoded(_ path: String) -> String {
        path.utf8.reduce(into: "") { text, byte in
            let isPlain = (0x30...0x39).contains(byte) || (0x41...0x5a).contains(byte) || (0x61...0x7a).contains(byte)
            if isPlain || "-._~/".utf8.contains(byte) {
                text.unicodeScalars.append(Unicode.Scalar(byte))
            } else {
                let digits = String(byte, radix: 16, uppercase: true)
                text += digits.count < 2 ? "%0\(digits)" : "%\(digits)"
            }
        }
    }

    /// Empty, which means this machine, if its name has other characters than names of hosts have.
    private static let machine: String = {
        var bytes = [CChar](repeating: 0, count: 256)
        let isKnown = gethostname(&bytes, bytes.count - 1) == 0
        let name = String(decoding: bytes.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        return isKnown && name.utf8.allSatisfy { isHost($0) } ? name : ""
    }()

    private static func isHost(_ byte: UInt8) -> Bool {
        let character = Character(Unicode.Scalar(byte))
        return character.isASCII && (character.isLetter || character.isNumber || character == "-" || character == ".")
    }
}
