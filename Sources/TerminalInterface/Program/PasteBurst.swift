// SPDX-License-Identifier: MIT

/// Detects a URL pasted in a terminal without bracketed paste. No I/O.
///
/// No user types `http` on the list within one read, and `h` is not a key there. Such input is one paste, with all that
/// follows until input pauses; the first letters are held back until they are recognized.
struct PasteBurst: Sendable {
    private static let beginning: [Unicode.Scalar] = ["h", "t", "t", "p"]
    /// Longer than any intended paste.
    private static let limit = 65536

    private var held: [Unicode.Scalar] = []
    private var isPaste = false

    /// Whether keys are held back: ``end()`` returns them after a pause.
    var isCollecting: Bool { !held.isEmpty }

    /// - Parameter keys: all keys of one read.
    /// - Returns: the keys that are not part of a paste.
    mutating func take(_ keys: [Key]) -> [Key] {
        var rest = keys[...]
        while let key = rest.first, let scalar = Self.text(key), isPaste || begins(with: scalar) {
            if held.count < Self.limit { held.append(scalar) }
            if held.count == Self.beginning.count { isPaste = true }
            rest = rest.dropFirst()
        }
        // The first key that cannot continue the prefix ends it.
        return rest.isEmpty ? [] : end() + rest
    }

    /// The held back input, as a paste or as keys.
    mutating func end() -> [Key] {
        defer { (held, isPaste) = ([], false) }
        guard isPaste else { return held.map(Key.character) }
        return [.paste(String(String.UnicodeScalarView(held)))]
    }

    private func begins(with scalar: Unicode.Scalar) -> Bool {
        held.count < Self.beginning.count && scalar == Self.beginning[held.count]
    }

    private static func text(_ key: Key) -> Unicode.Scalar? {
        switch key {
        case .character(let scalar): scalar
        case .enter: "\n"
        case .tab: "\t"
        default: nil
        }
    }
}
