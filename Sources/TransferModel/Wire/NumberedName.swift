// SPDX-License-Identifier: MIT

/// Names beside one that is taken: `disk-2.iso`.
package enum NumberedName {
    /// Those to try, in this order.
    package static let numbers = 2...9999

    /// The number comes before the ending: `a.tar.gz` becomes `a-2.tar.gz`.
    /// - Parameter name: the last component of a path.
    package static func make(_ name: String, _ number: Int) -> String {
        let (stem, ending) = split(name)
        return "\(stem)-\(number)\(ending)"
    }

    private static func split(_ name: String) -> (stem: Substring, ending: Substring) {
        guard let dot = name.dropFirst().lastIndex(of: ".") else { return (name[...], "") }
        let stem = name[..<dot]
        guard stem.hasSuffix(".tar"), stem.count > 4 else { return (stem, name[dot...]) }
        return (stem.dropLast(4), name[name.index(dot, offsetBy: -4)...])
    }
}
