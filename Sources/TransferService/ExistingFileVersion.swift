// SPDX-License-Identifier: MIT

import CLinux
import Glibc
import HTTPTypes
import SessionCore
import TransferModel

/// A regular file that has a download's final name before the download starts.
struct ExistingFileVersion: Sendable, Equatable {
    var size: Int64
    /// Whole seconds since 1970.
    var modified: Int64

    /// `nil` if nothing has the name, or something that is not a regular file.
    init?(_ path: String) {
        var status = stat()
        guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
        size = Int64(status.st_size)
        modified = Int64(status.st_mtim.tv_sec)
    }

    /// The validator of the conditional request. Fractions of a second are dropped, so a file written in the same
    /// second as the server's version does not count as older.
    var validator: Validator { Validator(lastModified: HTTPDate.format(modified)) }

    /// Whether a complete response, in spite of the condition, is the version on disk: not newer, and of the same size
    /// if the response states its size.
    func isCurrent(against head: HTTPResponse) -> Bool {
        guard head.status.code == 200,
            let date = head.headerFields.first(.lastModified).flatMap({ HTTPDate.parse($0) }),
            date <= modified
        else { return false }
        return head.headerFields.first(.contentLength).flatMap { Int64($0) }.map { $0 == size } ?? true
    }
}
