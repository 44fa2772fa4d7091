// SPDX-License-Identifier: MIT

import Glibc

/// Folders that only this user may change.
package enum PrivateFolder {
    /// Why a folder is not used.
    package enum Refusal: Error, Equatable, Sendable {
        /// It cannot be made or examined; the error has the path.
        case failed(SystemError)
        case notAFolder
        /// It belongs to another user.
        case foreign
        /// Users other than the owner may write in it.
        case writableByOthers
    }

    /// Makes `path` and the folders above it that are missing, with mode 0700, and checks the last one. Existing
    /// folders keep their mode.
    package static func prepare(_ path: String) throws(Refusal) {
        do throws(SystemError) { try makeMissing(path) } catch { throw .failed(error) }
        try check(path)
    }

    /// Checks that `path` leads to a folder of this user that no other user may write in.
    package static func check(_ path: String) throws(Refusal) {
        var status = stat()
        guard stat(path, &status) == 0 else { throw .failed(SystemError("stat", path: path, errno: errno)) }
        guard status.st_mode & S_IFMT == S_IFDIR else { throw .notAFolder }
        guard status.st_uid == geteuid() else { throw .foreign }
        guard status.st_mode & 0o022 == 0 else { throw .writableByOthers }
    }

    /// Makes `path` and the folders above it that are missing, with mode 0700.
    /// - Throws: with the path of the folder that cannot be made.
    package static func makeMissing(_ path: String) throws(SystemError) {
        var made = path.hasPrefix("/") ? "" : "."
        for name in path.split(separator: "/") {
            made += "/\(name)"
            guard mkdir(made, 0o700) != 0, errno != EEXIST else { continue }
            let code = errno
            // Some file systems report first that they are read-only.
            var status = stat()
            guard stat(made, &status) == 0 else { throw SystemError("mkdir", path: made, errno: code) }
        }
    }
}
