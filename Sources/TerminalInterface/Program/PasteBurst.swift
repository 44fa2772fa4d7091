// SPDX-License-Identifier: MIT

/// Finds an address that a terminal without bracketed paste sends as though it were typed. Pure.
///
/// Nobody types `http` on the list within one read, for `h` is no key there. What begins so is one paste, with all that
/// follows before the keyboard is quiet; the first letters alone are held back until it is seen what they begin.
struct PasteBurst: Sendable {
    private static let beginning: [Unicode.Scalar] = ["h", "t", "t", "p"]
    /// More than anybody pastes on purpose.
    private static let limit = 65536

    private var held: [Unicode.Scalar] = []
    private var isPaste = false

    /// Whether keys are held back: ``end()`` gives them, once nothing more comes.
    var isCollecting: Bool { !held.isEmpty }

    /// - Parameter keys: all that came at once.
    /// - Returns: those that are keys.
    mutating func take(_ keys: [Key]) -> [Key] {
        var rest = keys[...]
        while let key = rest.first, let scalar = Self.text(key), isPaste || begins(with: scalar) {
            if held.count < Self.limit { held.append(scalar) }
            if held.count == Self.beginning.count { isPaste = true }
            rest = rest.dropFirst()
        }
        // The first key that is none of its letters ends it.
        return rest.isEmpty ? [] : end() + rest
    }

    /// What is held back, as the paste or the keys that it is.
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
