// SPDX-License-Identifier: MIT

/// A sentence in place of the hints.
struct Notice: Hashable, Sendable {
    var text: String
    var isError = false
    /// The state of the queue that the notice states, if it may change.
    var isHeld: Bool?

    init(text: String, isError: Bool = false) {
        (self.text, self.isError) = (isError ? Self.capitalized(text) : text, isError)
    }

    /// With a capital letter in front, unless that would change a name.
    private static func capitalized(_ text: String) -> String {
        let word = text.prefix { $0 != " " }
        guard word.count > 1, word.count < text.count, word != "fileq",
            word.utf8.allSatisfy({ (0x61...0x7a).contains($0) })
        else { return text }
        return text.prefix(1).uppercased() + text.dropFirst()
    }
}
