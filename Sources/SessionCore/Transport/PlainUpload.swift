// SPDX-License-Identifier: MIT

import Glibc

/// The body of a small upload without a task: a file that is opened and read as a whole just before its request is
/// sent, and stays open until its end.
package final class PlainUpload: @unchecked Sendable {
    // Used by one thread at a time: by the transport until the upload is reported, then by the receiver.
    package let path: String
    /// Bytes, before it was opened.
    package let size: Int64
    /// Once it has been opened, for the task that continues the request.
    package private(set) var source: UploadSourceFile?
    private var bytes: UnsafeMutableRawBufferPointer?

    /// - Returns: `nil` unless `path` is a regular file, no link, of at most ``PlainFetch/maximumBody`` bytes.
    package init?(path: String) {
        var status = stat()
        guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
            status.st_size <= PlainFetch.maximumBody
        else { return nil }
        self.path = path
        size = Int64(status.st_size)
    }

    deinit { bytes?.deallocate() }

    /// Opens the file and reads it.
    /// - Returns: `nil` if it is not, or no longer, what it was: a task reports why. Else the bytes, which live as long
    ///   as this object; not null, also if there are none.
    package func load() -> UnsafeRawBufferPointer? {
        guard source == nil else { return nil }
        guard let source = try? UploadSourceFile(path: path, followsLink: false), source.size == size,
            let bytes = source.readWhole()
        else { return nil }
        (self.source, self.bytes) = (source, bytes)
        return UnsafeRawBufferPointer(rebasing: bytes[..<Int(size)])
    }
}
