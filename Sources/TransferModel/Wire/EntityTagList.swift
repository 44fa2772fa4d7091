// SPDX-License-Identifier: MIT

/// The value of `If-Match` or `If-None-Match` (RFC 9110, sections 13.1.1 and 13.1.2).
package enum EntityTagList: Sendable, Hashable {
    /// `*`: whatever is there.
    case any
    /// Each with its quotes, and `W/` where weak.
    case tags([String])

    /// Tolerant: pieces that are no entity tag are ignored, as they can match nothing.
    package init(parsing text: some StringProtocol) {
        var tags: [String] = []
        var rest = Substring(text)
        rest = rest.drop { $0 == " " || $0 == "\t" }
        if rest == "*" || rest.hasPrefix("*") && rest.dropFirst().allSatisfy({ $0 == " " }) {
            self = .any
            return
        }
        while !rest.isEmpty {
            rest = rest.drop { $0 == " " || $0 == "\t" || $0 == "," }
            let prefix = rest.hasPrefix("W/") ? "W/" : ""
            let opaque = rest.dropFirst(prefix.count)
            // A comma is allowed inside the quotes, so the list cannot be split at commas.
            if opaque.first == "\"", let end = opaque.dropFirst().firstIndex(of: "\"") {
                tags.append(prefix + opaque[...end])
                rest = opaque[opaque.index(after: end)...]
            } else {
                rest = rest.drop { $0 != "," }
            }
        }
        self = .tags(tags)
    }

    /// Strong comparison, for `If-Match`: a weak tag on either side never matches. `nil`: there is no resource.
    package func matchesStrongly(_ entityTag: String?) -> Bool {
        guard let entityTag else { return false }
        switch self {
        case .any: return true
        case .tags(let tags): return entityTag.hasPrefix("\"") && tags.contains(entityTag)
        }
    }

    /// Weak comparison, for `If-None-Match`: `W/` is disregarded. `nil`: there is no resource.
    package func matchesWeakly(_ entityTag: String?) -> Bool {
        guard let entityTag else { return false }
        switch self {
        case .any: return true
        case .tags(let tags): return tags.contains { Self.opaque($0) == Self.opaque(entityTag) }
        }
    }

    private static func opaque(_ tag: String) -> Substring { tag.hasPrefix("W/") ? tag.dropFirst(2) : Substring(tag) }
}
