// SPDX-License-Identifier: MIT

/// Detects what is pasted in a terminal without bracketed paste. No I/O.
///
/// No user types `http` on the list within one read, and `h` is not a key there; nor a line for curl, an address,
/// several words, or several lines. Such input is one paste, with all that follows until input pauses; the first
/// letters of `http` are held back until they are recognized.
struct PasteBurst: Sendable {
    private static let beginning: [Unicode.Scalar] = ["h", "t", "t", "p"]
    /// Characters of a read that are a paste on the list, and how many different ones that do not move.
    private static let leastLength = 8, leastVariety = 6
    /// Longer than what is typed ahead behind the key of a form or prompt, over the slowest line.
    private static let leastProse = 32
    /// Keys behind which text may follow at once: a prompt, or a form.
    private static let prompts: Set<Unicode.Scalar> = ["/", ":"]
    private static let forms: Set<Unicode.Scalar> = ["a", "c", "e", "l", "L", "s", "u", "y", "T"]
    /// Keys that are typed many times, and held down.
    private static let moves: Set<Unicode.Scalar> = ["j", "k", "g", "G", "n", "N", "J", "K", " ", "\n", "\t"]
    /// Characters between words and in addresses, which mark a paste.
    private static let signs: Set<Unicode.Scalar> = [" ", "/", ".", "\n"]

    private var held: [Unicode.Scalar] = []
    private var isPaste = false

    /// Whether keys are held back: ``end()`` returns them after a pause.
    var isCollecting: Bool { !held.isEmpty }

    /// - Parameters:
    ///   - keys: all keys of one read.
    ///   - onList: whether letters are commands.
    /// - Returns: the keys that are not part of a paste.
    mutating func take(_ keys: [Key], onList: Bool = false) -> [Key] {
        if onList, held.isEmpty, Self.isText(keys) { isPaste = true }
        var rest = keys[...]
        while let key = rest.first, let scalar = Self.text(key), isPaste || begins(with: scalar) {
            held.append(scalar)
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

    /// Whether the keys of a read are text: an address, a line for curl, or words. Repeated keys are not.
    private static func isText(_ keys: [Key]) -> Bool {
        let scalars = keys.compactMap(text)
        // Typed ahead, a prompt may follow on keys that move or choose a view.
        guard scalars.count == keys.count, scalars.count >= leastLength, let first = scalars.first,
            let opening = scalars.first(where: { !moves.contains($0) && !("0"..."9").contains($0) })
        else { return false }
        let words = scalars.split { [" ", "\n", "\t", "'", "\"", "=", "<"].contains($0) }
            .map { String(String.UnicodeScalarView($0)) }
        let isPrompted = prompts.contains(opening)
        if isProse(scalars, words, isPrompted) { return true }
        guard !isPrompted else { return false }
        if words.contains(where: { $0.hasPrefix("http://") || $0.hasPrefix("https://") }) { return true }
        if words.count > 1, words[0] == "curl" || words[0] == "fileq" { return true }
        guard !forms.contains(first), scalars.contains(where: signs.contains) else { return false }
        return isVaried(scalars)
    }

    private static func isVaried(_ scalars: some Sequence<Unicode.Scalar>) -> Bool {
        Set(scalars).subtracting(moves).count >= leastVariety
    }

    /// Whether they are text whatever key the first letter is: several lines, or an address among words.
    private static func isProse(_ scalars: [Unicode.Scalar], _ words: [String], _ isPrompted: Bool) -> Bool {
        guard scalars.count >= leastProse, isVaried(scalars) else { return false }
        let lines = scalars.split(separator: "\n")
        // A second line of a prompt would be keys; one that opens a prompt itself, or only moves, is typed ahead.
        if lines.dropFirst().contains(where: { line in
            line.count >= leastLength && !prompts.contains(line[line.startIndex]) && isVaried(line)
        }) {
            return true
        }
        guard !isPrompted, let first = words.first else { return false }
        // The key of a form, and an address typed into it.
        if isAddress(String(first.dropFirst())), first.dropFirst().hasPrefix("http") { return false }
        return words.contains(where: isAddress)
    }

    /// `https://a.example`, `www.a.example`, `a.example/disk.iso`
    private static func isAddress(_ word: String) -> Bool {
        if word.contains("://") || word.hasPrefix("www.") { return true }
        let host = word.unicodeScalars.prefix { $0 != "/" }
        guard host.count < word.unicodeScalars.count else { return false }
        return host.contains(".") && host.first != "." && host.last != "."
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
