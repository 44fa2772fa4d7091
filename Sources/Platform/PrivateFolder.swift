// SPDX-License-Identifier: MIT

import Glibc

/// Folders that only this user can write.
package enum PrivateFolder {
    /// Why a folder is rejected.
    package enum Refusal: Error, Equatable, Sendable {
        /// It cannot be created or checked; the error has the path.
        case failed(SystemError)
        case notAFolder
        /// It belongs to another user.
        case foreign
        /// Other users can write in it.
        case writableByOthers
    }

    /// Creates `path` and missing parents with mode 0700, and checks the last one. Existing folders keep their mode.
    package static func prepare(_ path: String) throws(Refusal) {
        do throws(SystemError) { try makeMissing(path) } catch { throw .failed(error) }
        try check(path)
    }

    /// Checks that `path` is a folder of this user that no other user can write in.
    package static func check(_ path: String) throws(Refusal) {
        var status = stat()
        guard stat(path, &status) == 0 else { throw .failed(SystemError("stat", path: path, errno: errno)) }
        guard status.st_mode & S_IFMT == S_IFDIR else { throw .notAFolder }
        guard status.st_uid == geteuid() else { throw .foreign }
        guard status.st_mode & 0o022 == 0 else { throw .writableByOthers }
    }

    /// Creates `path` and missing parents with mode 0700.
    /// - Throws: with the path of the folder that cannot be created.
    package static func makeMissing(_ path: String) throws(SystemError) {
        var made = path.utf8.first == UInt8(ascii: "/") ? "" : "."
        for name in path.utf8.split(separator: UInt8(ascii: "/")) {
            made += "/\(Substring(name))"
            guard mkdir(made, 0o700) != 0, errno != EEXIST else { continue }
            let code = errno
            // Some file systems report `EROFS` before `EEXIST`.
            var status = stat()
            guard stat(made, &status) == 0 else { throw SystemError("mkdir", path: made, errno: code) }
        }
    }
}
