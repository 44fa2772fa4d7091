// SPDX-License-Identifier: MIT

/// A word for a POSIX shell.
package enum ShellWord {
    /// In quotes. What cannot be seen is escaped as `$'…'` does (POSIX.1-2024), so that it gets into no clipboard.
    package static func quoted(_ text: String) -> String {
        guard !text.unicodeScalars.contains(where: TextLine.isInvisible) else { return escaped(text) }
        return "'" + text.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''") + "'"
    }

    private static func escaped(_ text: String) -> String {
        text.unicodeScalars.reduce(into: "$'") { word, scalar in
            if scalar == "'" || scalar == "\\" { word += "\\" }
            guard TextLine.isInvisible(scalar) else { return word.unicodeScalars.append(scalar) }
            for byte in String(scalar).utf8 {
                let digits = String(byte, radix: 8)
                word += "\\" + String(repeating: "0", count: 3 - digits.count) + digits
            }
        } + "'"
    }

    /// In quotes if the shell would read it otherwise.
    package static func text(_ text: String) -> String {
        let isPlain = text.unicodeScalars.allSatisfy {
            $0.properties.isAlphabetic || $0.properties.numericType != nil || "-._~/:%@+,=".unicodeScalars.contains($0)
        }
        return isPlain && !text.isEmpty ? text : quoted(text)
    }
}
