// SPDX-License-Identifier: MIT

import Glibc
import TransferModel

/// Symbolic links at a destination path.
enum TrustedLink {
    /// Resolves `path` as long as it is a link created by the user or root, or in a folder where no other user can
    /// create
    /// links.
    ///
    /// In a folder that others can write, their link would redirect the bytes to a file of their choice. The kernel's
    /// `fs.protected_symlinks` does not cover renames, only opening.
    /// - Returns: the path without links; `nil` if it is not a link, or a broken one.
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
            let folder = place.throughLastSlash.map(String.init) ?? "./"
            guard isTrusted(status.st_uid) || isClosed(folder) else {
                throw TransferError(
                    .cannotWrite, option: option,
                    "'\(place)' is a link that another user created; fileq does not follow it; "
                        + "use another name, or the link's target")
            }
            var bytes = [CChar](repeating: 0, count: Int(PATH_MAX))
            let count = readlink(place, &bytes, bytes.count - 1)
            guard count > 0 else { return nil }
            let next = String(decoding: bytes[..<count].map(UInt8.init(bitPattern:)), as: UTF8.self)
            place = next.beginsWithSlash ? next : folder + next
        }
        return nil
    }

    private static func isTrusted(_ user: uid_t) -> Bool { user == geteuid() || user == 0 }

    /// Whether only the owner, the user or root can create links there.
    private static func isClosed(_ folder: String) -> Bool {
        var status = stat()
        guard stat(folder, &status) == 0 else { return false }
        return isTrusted(status.st_uid) && status.st_mode & 0o022 == 0
    }
}
