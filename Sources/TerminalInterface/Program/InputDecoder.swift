// SPDX-License-Identifier: MIT

/// Decodes terminal input into keys: UTF-8 into characters, a bracketed paste into one key. Unknown escape sequences
/// are skipped completely, so that no part of one becomes a command.
struct InputDecoder: Sendable {
    enum Input: Hashable, Sendable {
        case byte(UInt8)
        case key(Key)
        case pasteBegin, pasteEnd
        /// `button;column;row` and `M` or `m` follow (xterm, mode 1006).
        case mouseBegin
        /// Three bytes follow (xterm, mode 1000).
        case oldMouseBegin
        /// No more input for now: a lone escape was the key.
        case pause
    }

    /// A reply of the terminal: what is between `ESC [` and the byte `last`, or `ESC ]` and its end (BEL).
    struct Reply: Hashable, Sendable {
        var text: String
        var last: UInt8
    }

    private enum Place: Hashable {
        case plain, escape
        /// Inside `ESC [`, until a final byte.
        case control
        /// After `ESC O`: one byte follows.
        case single
        /// One byte follows that is part of no key.
        case ignored
        /// Inside the numbers of a mouse event.
        case mouse
        /// Inside the three bytes of one.
        case oldMouse
        /// Inside a reply such as `ESC ] ... BEL`, until BEL or the next escape.
        case string
    }

    private var place = Place.plain
    private var bytes: [UInt8] = []
    /// The character follows an escape in the same read: it is one with Alt.
    private var hasAlt = false
    /// Only the terminal's own mark ends a paste: whatever else did would turn the rest of it into commands.
    private var pasted: [UInt8]?
    private var replies: [Reply] = []
    /// Longer than any reply that is of use.
    private static let replyLimit = 64

    mutating func takeReplies() -> [Reply] {
        defer { replies = [] }
        return replies
    }

    /// - Returns: the keys that `input` completes: usually one or none, two for a key right after an escape.
    mutating func take(_ input: Input) -> [Key] {
        switch input {
        case .pasteBegin:
            pasted = []
            return escapeBefore()
        case .mouseBegin, .oldMouseBegin:
            guard pasted == nil else { return [] }
            let keys = escapeBefore()
            place = input == .mouseBegin ? .mouse : .oldMouse
            bytes = []
            return keys
        case .pasteEnd:
            defer { pasted = nil }
            return pasted.map { [.paste(String(decoding: $0, as: UTF8.self))] } ?? []
        case .byte(let byte) where pasted != nil:
            pasted!.append(byte)
            return []
        case .byte(let byte): return take(byte)
        case .key(let key):
            guard pasted == nil else { return [] }
            defer { (place, bytes, hasAlt) = (.plain, [], false) }
            return place == .escape ? [.unknown] : [key]
        case .pause:
            // A lone escape is a key. An incomplete sequence or character continues with the next bytes: over a slow
            // line it may arrive in pieces, which must not become keys.
            guard place == .escape else { return [] }
            place = .plain
            return [.escape]
        }
    }

    /// A lone escape whose bytes arrive with those of a paste or of a mouse event is the key before it.
    private mutating func escapeBefore() -> [Key] {
        guard place == .escape else { return [] }
        place = .plain
        return [.escape]
    }

    private mutating func take(_ byte: UInt8) -> [Key] {
        switch place {
        case .plain: return typed(byte)
        case .escape:
            place = .plain
            switch byte {
            case UInt8(ascii: "["): place = .control
            case UInt8(ascii: "O"): place = .single
            case UInt8(ascii: "]"), UInt8(ascii: "P"), UInt8(ascii: "^"), UInt8(ascii: "_"): place = .string
            case 0x1b:
                place = .escape
                return [.escape]
            default:
                hasAlt = true
                return typed(byte)
            }
            bytes = []
            return []
        case .control:
            guard (0x40...0x7e).contains(byte) else {
                if bytes.count < Self.replyLimit { bytes.append(byte) }
                return []
            }
            defer { bytes = [] }
            // Function keys of the console of Linux: ESC [ [ A
            place = bytes.isEmpty && byte == UInt8(ascii: "[") ? .ignored : .plain
            let text = String(decoding: bytes, as: UTF8.self)
            if let key = KeySequence.control(text, byte) { return [key] }
            replies.append(Reply(text: text, last: byte))
            return []
        case .single:
            place = .plain
            return KeySequence.single(byte).map { [$0] } ?? []
        case .ignored:
            place = .plain
            return []
        case .mouse:
            if byte == UInt8(ascii: "M") || byte == UInt8(ascii: "m") {
                defer { (place, bytes) = (.plain, []) }
                return mouse(isPressed: byte == UInt8(ascii: "M")).map { [$0] } ?? []
            }
            // Not a mouse event, or one that was cut short.
            guard byte == UInt8(ascii: ";") || (0x30...0x39).contains(byte) else {
                (place, bytes) = (.plain, [])
                return []
            }
            if bytes.count < 32 { bytes.append(byte) }
            return []
        case .oldMouse:
            bytes.append(byte)
            guard bytes.count == 3 else { return [] }
            defer { (place, bytes) = (.plain, []) }
            let (code, column, row) = (Int(bytes[0]) - 32, Int(bytes[1]) - 33, Int(bytes[2]) - 33)
            return Self.mouse(code, column, row).map { [$0] } ?? []
        case .string:
            guard byte == 0x07 || byte == 0x1b else {
                if bytes.count < Self.replyLimit { bytes.append(byte) }
                return []
            }
            replies.append(Reply(text: String(decoding: bytes, as: UTF8.self), last: 0x07))
            // The first half of `ESC \`.
            (place, bytes) = (byte == 0x07 ? .plain : .ignored, [])
            return []
        }
    }

    private func mouse(isPressed: Bool) -> Key? {
        let numbers = String(decoding: bytes, as: UTF8.self).split(separator: ";").compactMap { Int($0) }
        guard numbers.count == 3 else { return nil }
        let key = Self.mouse(numbers[0], numbers[1] - 1, numbers[2] - 1)
        guard !isPressed, case .mouse(var mouse) = key else { return isPressed ? key : nil }
        guard mouse.button == .left else { return nil }
        mouse.button = .released
        return .mouse(mouse)
    }

    /// - Parameter code: of xterm: button, modifiers (4, 8, 16), motion (32), wheel (64).
    private static func mouse(_ code: Int, _ column: Int, _ row: Int) -> Key? {
        guard code >= 0, column >= 0, row >= 0 else { return nil }
        let buttons: [Int: Mouse.Button] = [
            0: .left, 1: .middle, 2: .right, 32: .dragged, 64: .wheelUp, 65: .wheelDown,
        ]
        return buttons[code & ~28].map { .mouse(Mouse(button: $0, row: row, column: column)) }
    }

    private mutating func typed(_ byte: UInt8) -> [Key] {
        defer { if bytes.isEmpty { hasAlt = false } }
        return plain(byte).map { [hasAlt ? .unknown : $0] } ?? []
    }

    private mutating func plain(_ byte: UInt8) -> Key? {
        if !bytes.isEmpty, byte & 0xc0 != 0x80 { bytes = [] }
        switch byte {
        case 0x1b:
            place = .escape
            return nil
        case 0x09: return .tab
        case 0x0a, 0x0d: return .enter
        case 0x08, 0x7f: return .backspace
        case 0x01...0x1a: return .control(Unicode.Scalar(byte + 0x60))
        case 0x00..<0x20: return nil
        case 0x20..<0x7f: return .character(Unicode.Scalar(byte))
        default: return manyBytes(byte)
        }
    }

    private mutating func manyBytes(_ byte: UInt8) -> Key? {
        bytes.append(byte)
        let wanted = bytes[0] >= 0xf0 ? 4 : bytes[0] >= 0xe0 ? 3 : bytes[0] >= 0xc2 ? 2 : 1
        guard bytes.count >= wanted else { return nil }
        defer { bytes = [] }
        guard wanted > 1, let text = String(validating: bytes, as: UTF8.self) else { return nil }
        return text.unicodeScalars.first.flatMap { $0.value < 0xa0 ? nil : .character($0) }
    }
}
