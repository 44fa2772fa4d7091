// SPDX-License-Identifier: MIT

import Glibc
import TransferModel

/// Symbolic links in the place of a file that is to be written.
enum OwnLink {
    /// Follows `path` as far as it is a link, over links that the user or root made, or that lie in folders where
    /// nobody else can make any.
    ///
    /// In a folder that others can write, a link of theirs would send the bytes to a file of their choice. The kernel's
    /// `fs.protected_symlinks` does not help, since it looks at the opening of a link alone.
    /// - Returns: the path without links; `nil` where it is no link, or leads nowhere.
    /// - Throws: code `cannotWrite` for another user's link.
    static func target(of path: String, option: String) throws(TransferError) -> String? {
        var place = path
        for step in 0..<40 {
            var status = stat()
            guard lstat(place, &status) == 0 else { return nil }
            guard status.st_mode & S_IFMT == S_IFLNK else {
                guard step > 0, let whole = realpath(place, nil) else { return nil }
                defer { free(whole) }
                return String(cString: whole)
            }
            let folder = place.lastIndex(of: "/").map { String(place[...$0]) } ?? "./"
            guard isTrusted(status.st_uid) || isClosed(folder) else {
                throw TransferError(
                    .cannotWrite, option: option,
                    "'\(place)' is a link that another user made, and is not followed; "
                        + "choose another name, or name the file that is meant")
            }
            var bytes = [CChar](repeating: 0, count: Int(PATH_MAX))
            let count = readlink(place, &bytes, bytes.count - 1)
            guard count > 0 else { return nil }
            let next = String(decoding: bytes[..<count].map(UInt8.init(bitPattern:)), as: UTF8.self)
            place = next.hasPrefix("/") ? next : folder + next
        }
        return nil
    }

    private static func isTrusted(_ user: uid_t) -> Bool { user == geteuid() || user == 0 }

    /// Whether nobody but its owner, the user or root, can make links there.
    private static func isClosed(_ folder: String) -> Bool {
        var status = stat()
        guard stat(folder, &status) == 0 else { return false }
        return isTrusted(status.st_uid) && status.st_mode & 0o022 == 0
    }
}
