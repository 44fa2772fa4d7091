// SPDX-License-Identifier: MIT

/// An order of names in which numbers count as such: `2.jpg` before `10.jpg`.
enum NaturalOrder {
    /// What names are compared by, ignoring case.
    static func key(_ name: String) -> [UInt8] { Array(name.lowercased().utf8) }

    /// - Returns: below 0 if `left` comes first, 0 if they differ in no more than zeros before numbers.
    static func compare(_ left: [UInt8], _ right: [UInt8]) -> Int {
        var (first, second) = (0, 0)
        while first < left.count, second < right.count {
            if isDigit(left[first]), isDigit(right[second]) {
                let (one, other) = (number(in: left, &first), number(in: right, &second))
                if one.count != other.count { return one.count - other.count }
                if !one.elementsEqual(other) { return one.lexicographicallyPrecedes(other) ? -1 : 1 }
            } else {
                if left[first] != right[second] { return Int(left[first]) - Int(right[second]) }
                first += 1
                second += 1
            }
        }
        return (left.count - first) - (right.count - second)
    }

    /// The digits from `place` on, without zeros in front; moves `place` behind them.
    private static func number(in text: [UInt8], _ place: inout Int) -> ArraySlice<UInt8> {
        while place < text.count, text[place] == UInt8(ascii: "0") { place += 1 }
        let start = place
        while place < text.count, isDigit(text[place]) { place += 1 }
        return text[start..<place]
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }
}
