// SPDX-License-Identifier: MIT

import Glibc

/// Makes any text from a network or a URL into one path component that is safe to create and to show.
package enum SafeFileName {
    /// What the names of a partial download and of its records end in; a name that ends so itself could take another
    /// transfer's partial file.
    package static let reservedSuffixes = [
        ".fileq-part", ".fileq-part.json", ".fileq-part.json.new",
        ".fileq-part-new", ".fileq-part-new.json", ".fileq-part-new.json.new",
    ]

    /// UTF-8 bytes of a name on common file systems.
    package static let maximumBytes = 255

    /// UTF-8 bytes of a name that leave room for the longest of ``reservedSuffixes`` within ``maximumBytes``.
    package static let bytesBeforeSuffixes = 231

    /// UTF-8 bytes of a name where that is least: eCryptfs encrypts names.
    package static let leastMaximumBytes = 143

    private static let windowsReserved = Array("\"*:<>?\\|".utf8)

    /// Whether vfat, exFAT or a server of Windows may refuse a character of `name`.
    package static func hasWindowsReserved(_ name: some StringProtocol) -> Bool {
        name.utf8.contains(where: windowsReserved.contains)
    }

    /// The name to use in place of `name` (one component), which the file system has refused: with `_` in place of what
    /// it may refuse (`EINVAL`), or cut, with room for ``reservedSuffixes`` (`ENAMETOOLONG`).
    /// - Parameter maximumBytes: of a name there.
    /// - Returns: `nil` if nothing is to be changed.
    package static func accepted(inPlaceOf name: String, after code: Int32?, maximumBytes: Int) -> String? {
        switch code {
        case EINVAL where hasWindowsReserved(name):
            return String(
                decoding: name.utf8.map { windowsReserved.contains($0) ? UInt8(ascii: "_") : $0 }, as: UTF8.self)
        case ENAMETOOLONG:
            let room = maximumBytes - (Self.maximumBytes - bytesBeforeSuffixes)
            return name.utf8.count > room ? shortened(name, to: room, mark: mark(of: name)) : nil
        default: return nil
        }
    }

    /// Whether `name` ends in one of ``reservedSuffixes``, byte by byte: as characters, a mark before the dot would
    /// hide it.
    package static func isReserved(_ name: String) -> Bool {
        let reversed = name.utf8.reversed()
        return reservedSuffixes.contains { reversed.starts(with: $0.utf8.reversed()) }
    }

    /// The last component of `text`, sanitized; `nil` if nothing is left, and for `.` and `..`.
    ///
    /// Control characters, line separators and backslashes become `_`; marks that change the direction of writing are
    /// dropped, as is white space at both ends. A leading `-`, which commands would parse as an option, gets a `_`
    /// before it. Nothing else changes: no normalization, no change of case.
    /// - Parameters:
    ///   - maximumBytes: UTF-8 bytes of the result at most. A longer name is cut between characters and before the
    ///     extension, and a hash of the whole name takes the place of what is cut (from 64 bytes on): two long names
    ///     stay two.
    ///   - allowsHidden: whether a leading `.` stays. A server's proposal must not choose a hidden file.
    package static func sanitize(
        _ text: String, maximumBytes: Int = Self.maximumBytes, allowsHidden: Bool = true
    ) -> String? {
        var scalars = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            if scalar == "/" {
                scalars.removeAll()
            } else if isReplaced(scalar) {
                scalars.append("_")
            } else if !isDropped(scalar) {
                scalars.append(scalar)
            }
        }
        let isSpace: (Unicode.Scalar) -> Bool = { $0.properties.isWhitespace }
        let trimmed = scalars.drop(while: isSpace).reversed().drop(while: isSpace).reversed()
        var name = String(String.UnicodeScalarView(trimmed))
        guard !name.isEmpty, name != ".", name != ".." else { return nil }
        if !allowsHidden, name.utf8.first == UInt8(ascii: ".") { name = "_" + name.dropFirst() }
        if name.utf8.first == UInt8(ascii: "-") { name = "_" + name }
        if isReserved(name) { name += "_" }
        name = shortened(name, to: maximumBytes, mark: maximumBytes < 64 ? "" : mark(of: name))
        // Once it is cut.
        if isReserved(name) {
            name = shortened(name, to: maximumBytes - 1) + "_"
        }
        return name.isEmpty || name == "." || name == ".." ? nil : name
    }

    private static func isReplaced(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator: true
        default: scalar == "\\" || scalar == "\u{FFFD}"
        }
    }

    private static func isDropped(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x202A...0x202E, 0x2066...0x2069, 0x200E, 0x200F, 0x061C, 0xFEFF: true
        default: false
        }
    }

    /// `~` and a hash of `name`: FNV-1a with 64 bits, as 16 hexadecimal digits.
    static func mark(of name: String) -> String {
        let hash = name.utf8.reduce(0xcbf2_9ce4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
        let digits = String(hash, radix: 16)
        return "~" + String(repeating: "0", count: 16 - digits.count) + digits
    }

    /// Truncates the stem between characters and keeps a short extension.
    /// - Parameter mark: what comes between them.
    static func shortened(_ name: String, to maximum: Int, mark: @autoclosure () -> String = "") -> String {
        guard name.utf8.count > maximum else { return name }
        var suffix: Substring = ""
        if let dot = name.lastIndex(of: "."), dot != name.startIndex, name[dot...].utf8.count <= min(32, maximum / 2) {
            suffix = name[dot...]
        }
        let mark = mark()
        let room = maximum - suffix.utf8.count - mark.utf8.count
        var stem = ""
        for character in name.dropLast(suffix.count) {
            guard stem.utf8.count + character.utf8.count <= room else { break }
            stem.append(character)
        }
        if stem.isEmpty {
            // A single character is too long, with many combining marks. Then between its scalars.
            for scalar in name.unicodeScalars {
                guard stem.utf8.count + String(scalar).utf8.count <= room else { break }
                stem.unicodeScalars.append(scalar)
            }
        }
        while let last = stem.unicodeScalars.last, last.properties.isWhitespace { stem.unicodeScalars.removeLast() }
        return stem + mark + suffix
    }
}
