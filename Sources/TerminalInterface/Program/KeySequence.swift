// SPDX-License-Identifier: MIT

/// The keys whose sequences terminals spell in several ways, whatever `TERM` says: PuTTY, rxvt, xterm in both modes of
/// its cursor keys, and the keypad. Keys with modifiers are none of them.
enum KeySequence {
    /// `ESC [`, the text, and the byte `last`.
    static func control(_ text: String, _ last: UInt8) -> Key? {
        if last == UInt8(ascii: "~") { return numbered[text] }
        // A keypad's number may be that of a reply.
        guard text.isEmpty || text == "1", let key = keys[last] else { return nil }
        if case .function = key, !text.isEmpty { return nil }
        return key
    }

    /// `ESC O` and the byte.
    static func single(_ byte: UInt8) -> Key? { keys[byte] ?? keypad[byte] }

    private static let keys: [UInt8: Key] = letters([
        "A": .up, "B": .down, "C": .right, "D": .left, "H": .home, "F": .end, "Z": .backTab, "P": .function(1),
        "Q": .function(2), "R": .function(3), "S": .function(4),
    ])

    private static let keypad: [UInt8: Key] = letters([
        "M": .enter, "X": .character("="), "j": .character("*"), "k": .character("+"), "l": .character(","),
        "m": .character("-"), "n": .character("."), "o": .character("/"), "p": .character("0"), "q": .character("1"),
        "r": .character("2"), "s": .character("3"), "t": .character("4"), "u": .character("5"), "v": .character("6"),
        "w": .character("7"), "x": .character("8"), "y": .character("9"),
    ])

    private static let numbered: [String: Key] = [
        "1": .home, "7": .home, "4": .end, "8": .end, "3": .delete, "5": .pageUp, "6": .pageDown, "11": .function(1),
        "12": .function(2), "13": .function(3), "14": .function(4), "15": .function(5), "17": .function(6),
        "18": .function(7), "19": .function(8), "20": .function(9), "21": .function(10), "23": .function(11),
        "24": .function(12),
    ]

    private static func letters(_ table: KeyValuePairs<Unicode.Scalar, Key>) -> [UInt8: Key] {
        Dictionary(uniqueKeysWithValues: table.map { (UInt8(ascii: $0.key), $0.value) })
    }
}
