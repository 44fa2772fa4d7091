// SPDX-License-Identifier: MIT

import Glibc
import Platform
import TransferModel

/// Finds the regular files in a folder, sorted by name.
///
/// Never walks a folder inside itself, wherever links lead; skips other file types with a warning. What cannot be read
/// does not keep the rest from being found.
struct FolderWalk {
    /// Whether to follow symbolic links; otherwise they are skipped.
    let follows: Bool
    let warn: @Sendable (String) -> Void
    private var found: [UploadSource] = []
    /// Code `cannotReadSource`: unreadable folders and files, and names that are not UTF-8; each with the number of
    /// files found before.
    private(set) var failures: [TransferPlan.Failure] = []

    init(follows: Bool, warn: @escaping @Sendable (String) -> Void) {
        self.follows = follows
        self.warn = warn
    }

    /// Paths begin with the folder's name; without it if `folder` ends in `/` or is `.` or `..`.
    mutating func files(under folder: String) -> [UploadSource] {
        (found, failures) = ([], [])
        let name = String(folder.afterLastSlash)
        let prefix = ["", ".", ".."].contains(name) ? "" : "\(name)/"
        walk(folder.endsWithSlash ? String(folder) : "\(folder)/", as: prefix, inside: [])
        return found
    }

    private mutating func walk(
        _ folder: String, as prefix: String,
        inside ancestors: Set<FileStatus.Identity>
    ) {
        guard let status = FileStatus(folder) else { return fail(folder) }
        guard !ancestors.contains(status.identity) else {
            warn("'\(folder)' links to a folder that contains it; skipped")
            return
        }
        let around = ancestors.union([status.identity])
        for name in names(in: folder) {
            let path = folder + name
            guard let own = FileStatus(path, followingLinks: false) else {
                fail(path)
                continue
            }
            if own.isLink, !follows { continue }
            guard let status = own.isLink ? FileStatus(path) : own else {
                warn("'\(path)' is a broken link; skipped")
                continue
            }
            if status.isFolder {
                walk("\(path)/", as: "\(prefix)\(name)/", inside: around)
            } else if status.isRegular {
                guard access(path, R_OK) == 0 else {
                    fail(path)
                    continue
                }
                found.append(UploadSource(source: .file(path: path), path: prefix + name))
            } else {
                warn("'\(path)' is not a regular file; skipped")
            }
        }
    }

    private mutating func names(in folder: String) -> [String] {
        guard let stream = opendir(folder) else {
            fail(folder)
            return []
        }
        defer { closedir(stream) }
        var names: [String] = []
        var others: [[UInt8]] = []
        while let entry = readdir(stream) {
            let bytes = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                pointer.withMemoryRebound(to: UInt8.self, capacity: 256) { (name: UnsafePointer<UInt8>) -> [UInt8] in
                    var end = 0
                    while end < 256, name[end] != 0 { end += 1 }
                    return [UInt8](UnsafeBufferPointer(start: name, count: end))
                }
            }
            guard let name = String(validating: bytes, as: UTF8.self) else {
                others.append(bytes)
                continue
            }
            if name != ".", name != ".." { names.append(name) }
        }
        for name in others.map({ LineText.escaped(bytes: $0) }).sorted() {
            note(
                TransferError(
                    .cannotReadSource, "'\(folder)\(name)': the name is not UTF-8; rename it to upload it"))
        }
        return names.sorted()
    }

    private mutating func fail(_ path: String) {
        let code = errno
        note(TransferError(.cannotReadSource, "'\(path)': \(TransferError.phrase(errno: code))", systemErrno: code))
    }

    private mutating func note(_ error: TransferError) {
        failures.append(TransferPlan.Failure(position: found.count, error: error))
    }
}
