// SPDX-License-Identifier: MIT

import Glibc
import Platform
import TransferModel

/// Finds the regular files in a folder, sorted by name.
///
/// Never walks a folder inside itself, wherever links lead; skips other file types with a warning.
struct FolderWalk {
    /// Whether to follow symbolic links; otherwise they are skipped.
    let follows: Bool
    let warn: @Sendable (String) -> Void
    private var found: [UploadSource] = []

    init(follows: Bool, warn: @escaping @Sendable (String) -> Void) {
        self.follows = follows
        self.warn = warn
    }

    /// Paths begin with the folder's name; without it if `folder` ends in `/` or is `.` or `..`.
    /// - Throws: code `cannotReadSource` for an unreadable folder or file; then nothing should be uploaded.
    mutating func files(under folder: String) throws(TransferError) -> [UploadSource] {
        found = []
        let name = String(folder.afterLastSlash)
        let prefix = ["", ".", ".."].contains(name) ? "" : "\(name)/"
        try walk(folder.endsWithSlash ? String(folder) : "\(folder)/", as: prefix, inside: [])
        return found
    }

    private mutating func walk(
        _ folder: String, as prefix: String,
        inside ancestors: Set<FileStatus.Identity>
    ) throws(TransferError) {
        guard let status = FileStatus(folder) else { throw failure(folder) }
        guard !ancestors.contains(status.identity) else {
            warn("'\(folder)' links to a folder that contains it; skipped")
            return
        }
        let around = ancestors.union([status.identity])
        for name in try names(in: folder) {
            let path = folder + name
            guard let own = FileStatus(path, followingLinks: false) else { throw failure(path) }
            if own.isLink, !follows { continue }
            guard let status = own.isLink ? FileStatus(path) : own else {
                warn("'\(path)' is a broken link; skipped")
                continue
            }
            if status.isFolder {
                try walk("\(path)/", as: "\(prefix)\(name)/", inside: around)
            } else if status.isRegular {
                guard access(path, R_OK) == 0 else { throw failure(path) }
                found.append(UploadSource(source: .file(path: path), path: prefix + name))
            } else {
                warn("'\(path)' is not a regular file; skipped")
            }
        }
    }

    private func names(in folder: String) throws(TransferError) -> [String] {
        guard let stream = opendir(folder) else { throw failure(folder) }
        defer { closedir(stream) }
        var names: [String] = []
        while let entry = readdir(stream) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(validatingCString: $0) }
            }
            guard let name else {
                throw TransferError(
                    .cannotReadSource, "'\(folder)' contains a name that is not UTF-8; rename it to upload it")
            }
            if name != ".", name != ".." { names.append(name) }
        }
        return names.sorted()
    }

    private func failure(_ path: String) -> TransferError {
        let code = errno
        return TransferError(.cannotReadSource, "'\(path)': \(SystemError.phrase(code))", systemErrno: code)
    }
}
