// SPDX-License-Identifier: MIT

/// Why a text names no key.
struct KeyNameError: Error, Hashable {
    /// One line without full stop.
    var text: String
}

extension Key {
    /// A key as the configuration names it: a character, `Ctrl-x`, `F2`, `Enter` and others. The case of names does not
    /// count, that of characters does. Reads every ``label``.
    init(named text: String) throws(KeyNameError) {
        let name = text.lowercased()
        if let character = Self.character(text) {
            self = character
        } else if let key = Self.names[name] {
            self = key
        } else if name.hasPrefix("ctrl-") || name.hasPrefix("ctrl+") {
            self = try Self.control(name.dropFirst(5), text)
        } else if let number = (1...12).first(where: { name == "f\($0)" }) {
            self = .function(number)
        } else {
            throw Self.unknownName(text)
        }
    }

    /// The keys of a text: characters, a line break for Enter, and names of others between `<` and `>`, as in
    /// `a<Down><Tab>`.
    static func sequence(_ text: String) -> [Key] {
        var keys: [Key] = []
        var rest = Substring(text).unicodeScalars
        while let scalar = rest.popFirst() {
            if scalar == "<", let end = rest.firstIndex(of: ">"), let key = named(String(rest[..<end])) {
                keys.append(key)
                rest = rest[rest.index(after: end)...]
            } else {
                keys.append(scalar == "\n" ? .enter : .character(scalar))
            }
        }
        return keys
    }

    /// `nil` of a single character: `<` is a key, too.
    private static func named(_ name: String) -> Key? {
        guard name.unicodeScalars.count > 1 else { return nil }
        return try? Key(named: name)
    }

    private static let names: [String: Key] = [
        "space": .character(" "), "enter": .enter, "return": .enter, "tab": .tab, "shift-tab": .backTab,
        "esc": .escape, "escape": .escape, "up": .up, "down": .down, "left": .left, "right": .right, "home": .home,
        "end": .end, "pageup": .pageUp, "pgup": .pageUp, "pagedown": .pageDown, "pgdn": .pageDown, "delete": .delete,
        "del": .delete, "backspace": .backspace,
    ]

    /// One scalar that a keyboard can send and a line can show.
    private static func character(_ text: String) -> Key? {
        guard let scalar = text.unicodeScalars.first, text.unicodeScalars.count == 1 else { return nil }
        if scalar == " " { return .character(scalar) }
        return CellWidth.of(text) > 0 && !scalar.properties.isWhitespace && TextSanitizer.clean(text) == text
            ? .character(scalar) : nil
    }

    private static func control(_ rest: Substring, _ text: String) throws(KeyNameError) -> Key {
        guard rest.unicodeScalars.count == 1, let letter = rest.unicodeScalars.first, ("a"..."z").contains(letter)
        else { throw unknownName(text) }
        let label = Key.control(letter).label
        // The bytes that terminals send for other keys, or keep.
        switch letter {
        case "i": throw KeyNameError(text: "\(label) is Tab on a terminal; write Tab")
        case "j", "m": throw KeyNameError(text: "\(label) is Enter on a terminal; write Enter")
        case "h": throw KeyNameError(text: "\(label) is Backspace on a terminal; write Backspace")
        case "s", "q": throw KeyNameError(text: "terminals stop and continue output with \(label); use another key")
        default: return .control(letter)
        }
    }

    private static func unknownName(_ text: String) -> KeyNameError {
        let clean = TextSanitizer.clean(text)
        let shown = CellText.fit(clean, width: min(20, CellWidth.of(clean)))
        return KeyNameError(
            text: "'\(shown)' is no key; a key is a character, Ctrl-x, F1 to F12, Space, Enter, Tab, Shift-Tab, Esc, "
                + "Up, Down, Left, Right, Home, End, PageUp, PageDown, Delete or Backspace")
    }
}
