// SPDX-License-Identifier: MIT

/// Turns what the terminal sends into keys: UTF-8 into characters, brackets around a paste into one key. Escape
/// sequences that mean nothing here are swallowed whole, so that no part of one is taken for a command.
struct InputDecoder: Sendable {
    enum Input: Hashable, Sendable {
        case byte(UInt8)
        case key(Key)
        case pasteBegin, pasteEnd
        /// There is no more for the moment: an escape that stands alone was the key.
        case pause
    }

    private enum Place: Hashable {
        case plain, escape
        /// Inside `ESC [`, until a final byte.
        case control
        /// After `ESC O`: one byte to come.
        case single
        /// Inside an answer such as `ESC ] ... BEL`, until BEL or the next escape.
        case string
    }

    private var place = Place.plain
    private var bytes: [UInt8] = []
    private var pasted: [UInt8]?
    /// More than anybody pastes on purpose.
    private static let pasteLimit = 65536

    /// Whether a paste began and has not ended; its end may be lost.
    var isPasting: Bool { pasted != nil }

    /// - Returns: the keys that `input` completes: mostly one or none, two where a key follows an escape at once.
    mutating func take(_ input: Input) -> [Key] {
        switch input {
        case .pasteBegin:
            pasted = []
            return []
        case .pasteEnd: return endPaste().map { [$0] } ?? []
        case .byte(let byte) where pasted != nil:
            if pasted!.count < Self.pasteLimit { pasted!.append(byte) }
            return []
        case .byte(let byte): return take(byte)
        case .key(let key):
            guard pasted == nil else { return [] }
            place = .plain
            bytes = []
            return [key]
        case .pause:
            // Escape alone is a key. A sequence or a character that has begun goes on with the next bytes: over a slow
            // line it may come in pieces, and its rest must not be taken for keys.
            guard place == .escape else { return [] }
            place = .plain
            return [.escape]
        }
    }

    /// What was pasted so far, as though its end had come.
    mutating func endPaste() -> Key? {
        defer { pasted = nil }
        return pasted.map { .paste(String(decoding: $0, as: UTF8.self)) }
    }

    private mutating func take(_ byte: UInt8) -> [Key] {
        switch place {
        case .plain: return plain(byte).map { [$0] } ?? []
        case .escape:
            place = .plain
            switch byte {
            case UInt8(ascii: "["): place = .control
            case UInt8(ascii: "O"): place = .single
            case UInt8(ascii: "]"), UInt8(ascii: "P"), UInt8(ascii: "^"), UInt8(ascii: "_"): place = .string
            // No sequence: two keys in one go.
            default: return [.escape] + (plain(byte).map { [$0] } ?? [])
            }
            return []
        case .control:
            if (0x40...0x7e).contains(byte) { place = .plain }
            return []
        case .single:
            place = .plain
            return []
        case .string:
            if byte == 0x07 { place = .plain }
            // The first half of `ESC \`; the other half ends in `single`.
            if byte == 0x1b { place = .single }
            return []
        }
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
