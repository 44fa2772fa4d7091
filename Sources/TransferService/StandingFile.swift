// SPDX-License-Identifier: MIT

import CLinux
import Glibc
import HTTPTypes
import SessionCore
import TransferModel

/// A regular file that bears a download's final name before the download begins.
struct StandingFile: Sendable, Equatable {
    var size: Int64
    /// Whole seconds since 1970.
    var modified: Int64

    /// `nil` where nothing bears the name, or something that is no regular file.
    init?(_ path: String) {
        var status = stat()
        guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
        size = Int64(status.st_size)
        modified = Int64(status.st_mtim.tv_sec)
    }

    /// What the server is asked to compare its version with. Fractions of a second are dropped, so a file that was
    /// written in the second of the server's version is not taken for older.
    var validator: Validator { Validator(lastModified: HTTPDate.format(modified)) }

    /// Whether a response that the server sent in spite of the question is the version that is here: not newer, and of
    /// the same size where the response says its size.
    func isCurrent(against head: HTTPResponse) -> Bool {
        guard head.status.code == 200,
            let date = head.headerFields.first(.lastModified).flatMap({ HTTPDate.parse($0) }),
            date <= modified
        else { return false }
        return head.headerFields.first(.contentLength).flatMap { Int64($0) }.map { $0 == size } ?? true
    }
}
