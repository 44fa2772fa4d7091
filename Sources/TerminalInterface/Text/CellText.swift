// SPDX-License-Identifier: MIT

/// Text truncated to columns. Never splits a wide character or separates a mark from its base.
package enum CellText {
    package enum Ellipsis: Sendable { case middle, end }

    /// `text` in exactly `width` columns: padded with spaces, or truncated in the middle with `mark`, since file names
    /// end in their extension.
    /// - Parameter mark: `…` by default; `...` or `~` in ASCII terminals.
    package static func fit(_ text: String, width: Int, ellipsis: Ellipsis = .end, mark: String = "…") -> String {
        guard width > 0 else { return "" }
        let glyphs = glyphs(of: text)
        let total = glyphs.reduce(0) { $0 + $1.columns }
        if total <= width { return joined(glyphs[...]) + spaces(width - total) }
        let markColumns = CellWidth.of(mark)
        guard width > markColumns else { return padded(prefix(of: glyphs[...], columns: width), to: width) }
        let room = width - markColumns
        switch ellipsis {
        case .end:
            return padded(prefix(of: glyphs[...], columns: room), mark, to: width)
        case .middle:
            let ending = suffix(of: glyphs[...], columns: room / 2)
            let used = ending.reduce(0) { $0 + $1.columns }
            let beginning = prefix(of: glyphs.dropLast(ending.count), columns: room - used)
            return padded(beginning, mark + joined(ending), to: width)
        }
    }

    /// A file name in exactly `width` columns: truncated in the middle, with the extension whole if that leaves a
    /// beginning.
    static func name(_ text: String, width: Int, mark: String = "…") -> String {
        guard width > 0 else { return "" }
        let glyphs = glyphs(of: text)
        let total = glyphs.reduce(0) { $0 + $1.columns }
        if total <= width { return joined(glyphs[...]) + spaces(width - total) }
        let room = width - CellWidth.of(mark)
        guard room > 1 else { return padded(prefix(of: glyphs[...], columns: width), to: width) }
        let dot = glyphs.lastIndex { $0.text == "." } ?? glyphs.endIndex
        let ofExtension = glyphs[dot...].reduce(0) { $0 + $1.columns }
        let wanted = ofExtension > 0 && ofExtension <= min(8, room - 3) ? ofExtension : 0
        let ending = suffix(of: glyphs[...], columns: max((room + 1) / 2, wanted))
        let used = ending.reduce(0) { $0 + $1.columns }
        return padded(prefix(of: glyphs.dropLast(ending.count), columns: room - used), mark + joined(ending), to: width)
    }

    /// `text` in lines of at most `width` columns, wrapped at spaces if possible, else behind a
    /// colon near the end.
    /// - Parameter most: lines; the last one of them is cut, with `mark`.
    package static func wrap(_ text: String, width: Int, most: Int = .max, mark: String = "…") -> [String] {
        guard width > 0, most > 0 else { return [] }
        var lines: [String] = []
        var rest = glyphs(of: text)[...]
        while !rest.isEmpty {
            var line = prefix(of: rest, columns: width)
            // A wide character does not fit into a single column.
            if line.isEmpty { break }
            let following = rest[line.endIndex...].drop { $0.text == " " }
            guard !following.isEmpty else {
                lines.append(joined(line))
                break
            }
            guard lines.count < most - 1 else {
                lines.append(fit(joined(rest), width: width, mark: mark))
                break
            }
            // The line ends with a word; the spaces behind it begin no other.
            guard following.startIndex == line.endIndex else {
                lines.append(joined(line))
                rest = following
                continue
            }
            if let space = line.lastIndex(where: { $0.text == " " }), space > line.startIndex {
                line = line[...space]
            } else if let colon = line.suffix(2).lastIndex(where: { $0.text == ":" }) {
                // Two digits of a fingerprint stay together.
                line = line[...colon]
            }
            rest = rest[line.endIndex...]
            lines.append(joined(line))
        }
        return lines.isEmpty ? [""] : lines
    }

    struct Glyph: Equatable {
        /// A base character with its marks.
        var text: String
        /// 1 or 2.
        var columns: Int
    }

    /// The base characters of sanitized `text`, each with its marks. Drops marks without a base, and those beyond the
    /// capacity of a cell.
    static func glyphs(of text: String) -> [Glyph] {
        var glyphs: [Glyph] = []
        var marks = 0
        for scalar in text.unicodeScalars where TextSanitizer.fate(of: scalar) != .strip {
            let isSafe = TextSanitizer.fate(of: scalar) == .keep
            let columns = isSafe ? CellWidth.of(scalar) : 1
            if columns > 0 {
                glyphs.append(Glyph(text: isSafe ? String(scalar) : "\u{fffd}", columns: columns))
                marks = 0
            } else if !glyphs.isEmpty, marks < 4 {
                glyphs[glyphs.count - 1].text.unicodeScalars.append(scalar)
                marks += 1
            }
        }
        return glyphs
    }

    static func spaces(_ count: Int) -> String { String(repeating: " ", count: max(0, count)) }

    private static func joined(_ glyphs: ArraySlice<Glyph>) -> String {
        glyphs.reduce(into: "") { $0 += $1.text }
    }

    private static func padded(_ glyphs: ArraySlice<Glyph>, _ tail: String = "", to width: Int) -> String {
        let text = joined(glyphs) + tail
        return text + spaces(width - CellWidth.of(text))
    }

    private static func prefix(of glyphs: ArraySlice<Glyph>, columns: Int) -> ArraySlice<Glyph> {
        var left = columns
        return glyphs.prefix {
            left -= $0.columns
            return left >= 0
        }
    }

    private static func suffix(of glyphs: ArraySlice<Glyph>, columns: Int) -> ArraySlice<Glyph> {
        var left = columns
        let count = glyphs.reversed().prefix {
            left -= $0.columns
            return left >= 0
        }.count
        return glyphs.suffix(count)
    }
}
