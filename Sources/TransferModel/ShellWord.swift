// SPDX-License-Identifier: MIT

/// A word for a POSIX shell.
package enum ShellWord {
    /// In quotes.
    package static func quoted(_ text: String) -> String {
        "'" + text.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''") + "'"
    }

    /// In quotes if the shell would read it otherwise.
    package static func text(_ text: String) -> String {
        let isPlain = text.unicodeScalars.allSatisfy {
            $0.properties.isAlphabetic || $0.properties.numericType != nil || "-._~/:%@+,=".unicodeScalars.contains($0)
        }
        return isPlain && !text.isEmpty ? text : quoted(text)
    }
}
