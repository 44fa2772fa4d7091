// SPDX-License-Identifier: MIT

/// An order of names in which numbers count as such, ignoring case: `file2` before `File10`.
package enum NaturalOrder {
    /// Digits that one byte of a key counts: keys are UTF-8.
    private static let most = 0x7f

    /// What a name is sorted by, compared as text. Names that differ in no more than case and in zeros before numbers
    /// have the same key.
    ///
    /// A number becomes `0`, how many digits it has, and the digits: thus the longer one is the greater one, and any
    /// other character compares with a number as with a digit.
    package static func key(_ name: String) -> String {
        let name = name.lowercased()
        guard name.utf8.contains(where: isDigit) else { return name }
        let bytes = Array(name.utf8)
        var key: [UInt8] = []
        key.reserveCapacity(bytes.count + 8)
        var place = 0
        while place < bytes.count {
            guard isDigit(bytes[place]) else {
                key.append(bytes[place])
                place += 1
                continue
            }
            while place < bytes.count, bytes[place] == UInt8(ascii: "0") { place += 1 }
            let start = place
            while place < bytes.count, isDigit(bytes[place]) { place += 1 }
            var count = place - start
            key.append(UInt8(ascii: "0"))
            while count >= most {
                key.append(UInt8(most))
                count -= most
            }
            key.append(UInt8(count))
            key += bytes[start..<place]
        }
        return String(decoding: key, as: UTF8.self)
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }
}
