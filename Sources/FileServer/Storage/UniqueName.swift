// SPDX-License-Identifier: MIT

/// Names in the work folder: 32 hexadecimal digits of 128 random bits.
enum UniqueName {
    static func make() -> String {
        var generator = SystemRandomNumberGenerator()
        let (high, low) = (generator.next(), generator.next())
        return padded(high) + padded(low)
    }

    static func isOne(_ name: String) -> Bool {
        name.utf8.count == 32
            && name.utf8.allSatisfy {
                ("0"..."9").contains(UnicodeScalar($0)) || ("a"..."f").contains(UnicodeScalar($0))
            }
    }

    private static func padded(_ value: UInt64) -> String {
        let digits = String(value, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }
}
