// SPDX-License-Identifier: MIT

/// The name of an incomplete download beside its file: `NAME.fileq-part`.
package enum PartialName {
    package static let ending = ".fileq-part"

    /// The partial file of a download to `path`.
    ///
    /// A name that leaves no room for the endings of partial files and their records is shortened and gets a hash of
    /// the whole name: two long names have two partial files. One that no file can have stays, so that the first file
    /// that is created reports it.
    package static func path(for path: String) -> String {
        let name = String(path.afterLastSlash)
        let most = SafeFileName.bytesBeforeSuffixes
        guard name.utf8.count > most, name.utf8.count <= SafeFileName.maximumBytes else { return path + ending }
        let mark = SafeFileName.mark(of: name)
        let stem = SafeFileName.shortened(name, to: most - mark.utf8.count)
        return (path.throughLastSlash ?? "") + stem + mark + ending
    }
}
