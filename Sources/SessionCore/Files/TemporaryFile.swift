// SPDX-License-Identifier: MIT

import Glibc
import TransferModel

/// Temporary files of downloads without a target.
enum TemporaryFile {
    /// - Parameter folder: `nil`: `$TMPDIR`, else `/tmp`.
    static func make(in folder: String?) throws(TransferError) -> PartialFile {
        let parent = folder ?? getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
        let name = String(UInt64.random(in: .min ... .max), radix: 36)
        return try PartialFile(path: "\(parent)/fileq-\(name).download", permissions: 0o600)
    }

    /// Removes the file unless it was moved meanwhile.
    static func discard(_ file: PartialFile) {
        var here = stat()
        var opened = stat()
        guard lstat(file.path, &here) == 0, fstat(file.descriptor, &opened) == 0, here.st_ino == opened.st_ino,
            here.st_dev == opened.st_dev
        else { return }
        unlink(file.path)
    }
}
