// SPDX-License-Identifier: MIT

import TransferModel

/// Date and size of a row, as far as they are recognized.
struct IndexColumns {
    private(set) var modified: Int64?
    private(set) var precision = ListingEntry.Precision.minute
    private(set) var size: Int64?
    private(set) var isSizeExact = true

    /// What attributes of cells state exactly: `<time datetime>`, caddy's `data-order`, and `title="123 bytes"` of this
    /// package's own server.
    mutating func take(_ attributes: ArraySlice<UInt8>) {
        guard !attributes.isEmpty else { return }
        if modified == nil, let date = HTMLScanner.value(of: "datetime", in: attributes) {
            modified = ListingDate.parse(String(decoding: date, as: UTF8.self))
            precision = .second
        }
        guard size == nil else { return }
        if let order = HTMLScanner.value(of: "data-order", in: attributes) {
            size = ContentRange.number(String(decoding: order, as: UTF8.self))
        } else if let title = HTMLScanner.value(of: "title", in: attributes) {
            let words = String(decoding: title.prefix(40), as: UTF8.self).split(separator: " ")
            if words.count == 2, words[1] == "bytes" { size = ContentRange.number(words[0]) }
        }
    }

    /// Reads the text of the columns.
    mutating func read(_ text: ArraySlice<UInt8>) {
        guard modified == nil || size == nil else { return }
        var words = String(decoding: text, as: UTF8.self).split(whereSeparator: \.isWhitespace)
        if modified == nil {
            var found: Found?
            for index in words.indices where found == nil { found = Self.date(words[index...]) }
            // Without a date, a number is part of some text.
            guard let date = found else { return }
            (modified, precision) = (date.seconds, date.precision)
            words.removeSubrange(date.words)
        }
        guard size == nil else { return }
        for (index, word) in words.enumerated() {
            // A folder: numbers behind it are of a description.
            if word == "-" { return }
            if let found = Self.size(word, unit: words.indices.contains(index + 1) ? words[index + 1] : nil) {
                size = found.bytes
                isSizeExact = found.isExact
                return
            }
        }
    }

    private struct Found {
        var seconds: Int64
        var precision: ListingEntry.Precision
        var words: Range<Int>
    }

    /// A date at the beginning of `words`: `06-May-2024 07:08`, `2024-05-06 07:08:09`, `2024-May-06 07:08:09` or that
    /// of HTTP.
    private static func date(_ words: ArraySlice<Substring>) -> Found? {
        let start = words.startIndex
        if words.count >= 6, words[start].utf8.last == UInt8(ascii: ",") {
            let text = words.prefix(6).joined(separator: " ")
            return HTTPDate.parse(text).map { Found(seconds: $0, precision: .second, words: start..<(start + 6)) }
        }
        let parts = words[start].split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count == 3, let middle = month(parts[1]) else { return nil }
        let (first, last) = parts[0].utf8.count == 4 ? (parts[0], parts[2]) : (parts[2], parts[0])
        guard first.utf8.count == 4, let year = ContentRange.number(first), let day = ContentRange.number(last) else {
            return nil
        }
        let clock = words.count > 1 ? words[start + 1].split(separator: ":") : []
        let numbers = clock.compactMap { ContentRange.number($0) }.map { Int(clamping: $0) }
        let hasClock = numbers.count == clock.count && (2...3).contains(numbers.count)
        let time = hasClock ? numbers + [0] : [0, 0, 0]
        let seconds = HTTPDate.seconds(
            year: Int(clamping: year), month: middle, day: Int(clamping: day), hour: time[0], minute: time[1],
            second: time[2])
        return seconds.map {
            let precision: ListingEntry.Precision = !hasClock ? .day : numbers.count == 3 ? .second : .minute
            return Found(seconds: $0, precision: precision, words: start..<(start + (hasClock ? 2 : 1)))
        }
    }

    private static let months = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"]

    private static func month(_ text: Substring) -> Int? {
        if let index = months.firstIndex(of: text.lowercased()) { return index + 1 }
        return text.utf8.count == 2 ? ContentRange.number(text).map { Int($0) } : nil
    }

    /// `10000`, `10,000`, `9.8K`, `121M`, `9.8 KiB`. Powers of 1024: servers differ, and the number is rounded anyhow.
    private static func size(_ field: Substring, unit: Substring?) -> (bytes: Int64, isExact: Bool)? {
        let groups = field.split(separator: ",", omittingEmptySubsequences: false)
        let isGrouped = groups.dropFirst().allSatisfy { $0.utf8.count == 3 && ContentRange.number($0) != nil }
        let word = isGrouped ? groups.joined()[...] : field
        let digits = word.prefix { $0.isASCII && ($0.isNumber || $0 == ".") }
        guard digits.first?.isNumber == true, let number = Double(digits) else { return nil }
        var text = word[digits.endIndex...].lowercased()
        if text.isEmpty, let unit = unit?.lowercased(), isUnit(unit) { text = unit }
        guard text.isEmpty || isUnit(text) else { return nil }
        guard let power = powers.firstIndex(where: { $0 == text.first }) else {
            return ContentRange.number(digits).map { (bytes: $0, isExact: true) }
        }
        let bytes = (0...power).reduce(number) { value, _ in value * 1024 }
        return bytes < 9e18 ? (bytes: Int64(bytes), isExact: false) : nil
    }

    private static let powers: [Character] = ["k", "m", "g", "t", "p"]

    private static func isUnit(_ text: String) -> Bool {
        guard let first = text.first, powers.contains(first) else { return ["b", "byte", "bytes"].contains(text) }
        return ["", "b", "ib"].contains(String(text.dropFirst()))
    }
}
