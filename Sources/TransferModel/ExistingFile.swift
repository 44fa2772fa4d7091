// SPDX-License-Identifier: MIT

/// The effect of an existing file of a download's final name, unless the download replaces files
/// (``Download/overwrites``).
package enum ExistingFile: String, Sendable, Hashable, Codable, CaseIterable {
    /// The download fails.
    case fails
    /// The download completes, and nothing is fetched.
    case skips
    /// The file is replaced where the server has a newer version, or one of another size; otherwise the download
    /// completes. The server decides by `If-Modified-Since` with the file's time (RFC 9110, section 13.1.3); of one
    /// that ignores the field, `Last-Modified` and size are compared.
    case updates
    /// The next free name beside it is used: `disk-2.iso`.
    case keepsBoth

    package enum Usual: UsualValue { public static var value: ExistingFile { .fails } }
}
