// SPDX-License-Identifier: MIT

/// Names beside one that is taken: `disk-2.iso`.
package enum NumberedName {
    /// Those to try, in this order.
    package static let numbers = 2...9999

    /// Bytes of an ending that stays where the name is shortened.
    private static let longestEnding = 32

    /// The number comes before the ending: `a.tar.gz` becomes `a-2.tar.gz`. A name that leaves no room for the number
    /// is shortened.
    /// - Parameter name: the last component of a path.
    package static func make(_ name: String, _ number: Int) -> String {
        let mark = "-\(number)"
        let (stem, ending) = split(name)
        let room = SafeFileName.maximumBytes - mark.utf8.count
        guard name.utf8.count > room, name.utf8.count <= SafeFileName.maximumBytes else {
            return "\(stem)\(mark)\(ending)"
        }
        guard ending.utf8.count <= longestEnding else { return SafeFileName.shortened(name, to: room) + mark }
        return "\(SafeFileName.shortened(String(stem), to: room - ending.utf8.count))\(mark)\(ending)"
    }

    /// If `name` ends in a number as ``make(_:_:)`` adds it: the name without it, and the next number. Else `name`, and
    /// the first number.
    package static func next(_ name: String) -> (name: String, number: Int) {
        let (stem, ending) = split(name)
        guard let dash = stem.lastIndex(of: "-"), dash > stem.startIndex else { return (name, numbers.lowerBound) }
        let digits = stem[stem.index(after: dash)...]
        guard let number = Int(digits), number != numbers.upperBound, numbers.contains(number),
            // Neither `+2` nor `02`.
            String(number) == digits
        else { return (name, numbers.lowerBound) }
        return ("\(stem[..<dash])\(ending)", number + 1)
    }

    private static func split(_ name: String) -> (stem: Substring, ending: Substring) {
        guard let dot = name.dropFirst().lastIndex(of: ".") else { return (name[...], "") }
        let stem = name[..<dot]
        guard stem.hasSuffix(".tar"), stem.count > 4 else { return (stem, name[dot...]) }
        return (stem.dropLast(4), name[name.index(dot, offsetBy: -4)...])
    }
}
