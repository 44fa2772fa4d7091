// SPDX-License-Identifier: MIT

import Glibc

/// Replaces a file atomically: readers see the old bytes or the new ones, and a failure leaves the old file unchanged.
package enum AtomicFile {
    /// The name of the new file until it is complete, in the same folder.
    package enum Temporary: Sendable {
        /// `PATH.new`, for writers that hold a lock: an existing one is left from a crash, and is removed.
        case fixed
        /// `PATH.RANDOM.new`, for writers without a lock.
        case unique
    }

    /// The guarantee after a power cut once the call has returned.
    package enum Durability: Sendable {
        case none
        /// The new bytes are synced before the rename: one of the two versions survives.
        case file
        /// The new file.
        case name
    }

    /// Writes a new file with mode 0600, and renames it to `path`. Blocks.
    /// - Parameter prepare: receives the new file, written and not yet synced.
    /// - Returns: the new file.
    /// - Throws: the failed call, with the temporary path if that could not be created, with the folder if that could
    ///   not be synced (the file is then already replaced), else with `path`.
    @discardableResult
    package static func replace(
        _ path: String, with bytes: [UInt8], temporary: Temporary, durability: Durability,
        prepare: (Descriptor) throws(SystemError) -> Void = { (_) throws(SystemError) in }
    ) throws(SystemError) -> Descriptor {
        let name =
            switch temporary {
            case .fixed: path + ".new"
            case .unique: "\(path).\(String(UInt64.random(in: .min ... .max), radix: 36)).new"
            }
        if case .fixed = temporary { unlink(name) }
        let file = try Descriptor.open(name, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW, mode: 0o600)
        do throws(SystemError) {
            try file.write(bytes)
            try prepare(file)
            if durability != .none { try file.sync() }
            try file.flush()
            guard rename(name, path) == 0 else { throw SystemError("rename", errno: errno) }
        } catch {
            unlink(name)
            throw SystemError(error.call, path: path, errno: error.errno)
        }
        if durability == .name { try syncFolder(of: path) }
        return file
    }

    /// Syncs a new name in the folder of `path`. File systems that cannot sync folders persist names anyway.
    package static func syncFolder(of path: String) throws(SystemError) {
        let folder = ParentFolder.path(of: path)
        let descriptor = try Descriptor.open(folder, O_RDONLY | O_DIRECTORY)
        do throws(SystemError) { try descriptor.sync() } catch {
            guard error.errno == EINVAL || error.errno == EOPNOTSUPP else {
                throw SystemError(error.call, path: folder, errno: error.errno)
            }
        }
    }
}
