// SPDX-License-Identifier: MIT

import TransferModel

/// The user's home folder in sentences for people: paths below it begin with `~`.
struct HomePath: Sendable {
    /// Without a slash at its end; `nil`: no path is shortened.
    private let folder: String?

    init(_ folder: String?) {
        let path = folder.map { $0.endsWithSlash ? String($0.unicodeScalars.dropLast()) : $0 } ?? ""
        self.folder = path.beginsWithSlash ? path : nil
    }

    /// Replaces the folder wherever a path in the text begins with it.
    func shortened(_ text: String) -> String {
        guard let folder, text.contains(folder) else { return text }
        var result = ""
        var rest = text[...]
        while let found = rest.firstRange(of: folder) {
            let before = rest[..<found.lowerBound].last ?? result.last
            let after = rest[found.upperBound...].first
            result += rest[..<found.lowerBound]
            result += Self.ends(before) && (after == "/" || Self.ends(after)) ? "~" : folder
            rest = rest[found.upperBound...]
        }
        return result + rest
    }

    /// A path that a person typed, whose `~` at its beginning is the folder `home`.
    static func expanded(_ path: String, home: String?) -> String {
        guard let home, path == "~" || path.hasPrefix("~/") else { return path }
        return home + path.dropFirst()
    }

    /// Whether a character, or the absence of one, is no part of a path.
    private static func ends(_ character: Character?) -> Bool {
        character.map { " '\"(:;,".contains($0) } ?? true
    }
}
