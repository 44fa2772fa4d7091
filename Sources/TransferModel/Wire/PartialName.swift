// SPDX-License-Identifier: MIT

/// The name of an incomplete download beside its file: `NAME.fileq-part`.
package enum PartialName {
    package static let ending = ".fileq-part"

    /// Bytes of a name on common file systems.
    private static let limit = 255

    /// The partial file of a download to `path`.
    ///
    /// A name that leaves no room for the endings of partial files and their records is shortened and gets a hash of
    /// the whole name: two long names have two partial files. One that no file can have stays, so that the first file
    /// that is created reports it.
    package static func path(for path: String) -> String {
        let name = String(path.afterLastSlash)
        guard name.utf8.count > SafeFileName.maximumBytes, name.utf8.count <= limit else { return path + ending }
        let mark = "~" + hash(of: name)
        let stem = SafeFileName.shortened(name, to: SafeFileName.maximumBytes - mark.utf8.count)
        return (path.throughLastSlash ?? "") + stem + mark + ending
    }

    /// FNV-1a with 64 bits, as 16 hexadecimal digits.
    private static func hash(of name: String) -> String {
        let hash = name.utf8.reduce(0xcbf2_9ce4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
        let digits = String(hash, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }
}
