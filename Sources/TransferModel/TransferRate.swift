// SPDX-License-Identifier: MIT

/// RATE of the command line: `500k`, `2M`, `1.5G` are 1024-based; a bare number is bytes; always a second.
package enum TransferRate {
    /// - Throws: code `usage`, saying what is expected.
    package static func parse(_ text: String) throws(TransferError) -> Int {
        guard let value = ByteCount.parse(text), value > 0 else {
            throw TransferError(.rate, text)
        }
        return value
    }
}

/// Sizes as people write and read them, 1024-based.
package enum ByteCount {
    private static let suffixes: [Character: Double] = [
        "k": 1024, "m": 1_048_576, "g": 1_073_741_824, "t": 1_099_511_627_776,
    ]

    /// `12`, `500k`, `1.5G`; `nil` for anything else, and for what does not fit.
    package static func parse(_ text: String) -> Int? {
        var digits = Substring(text)
        var factor = 1.0
        if let last = digits.last, let found = suffixes[Character(last.lowercased())] {
            factor = found
            digits.removeLast()
        }
        guard !digits.isEmpty, digits.allSatisfy({ $0.isASCII && ($0.isNumber || $0 == ".") }),
            let number = Double(digits)
        else { return nil }
        let bytes = (number * factor).rounded()
        guard bytes >= 0, bytes < 9e18 else { return nil }
        return Int(bytes)
    }

    /// At most five columns, 1024-based: `0B`, `999B`, `1.50K`, `10.2M`, `312M`, `1.00G`; `0B` for what is no number.
    package static func short(_ bytes: Double) -> String {
        guard bytes >= 1000 else { return bytes > 0 ? "\(Int(bytes))B" : "0B" }
        var value = bytes / 1024
        for unit in ["K", "M", "G", "T", "P"] {
            if value < 9.995 { return fixed(value, 2) + unit }
            if value < 99.95 { return fixed(value, 1) + unit }
            if value < 999.5 { return fixed(value, 0) + unit }
            value /= 1024
        }
        return ">999P"
    }

    /// `value` with `digits` decimals, without locale.
    static func fixed(_ value: Double, _ digits: Int) -> String {
        let scale = [1.0, 10, 100][digits]
        let scaled = Int((value * scale).rounded())
        guard digits > 0 else { return String(scaled) }
        let fraction = String(scaled % Int(scale))
        return "\(scaled / Int(scale))." + String(repeating: "0", count: digits - fraction.count) + fraction
    }
}
