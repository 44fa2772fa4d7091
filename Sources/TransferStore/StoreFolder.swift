// SPDX-License-Identifier: MIT

import Glibc
import Platform
import TransferModel

/// The folder of one store and its files: owned by this user, closed to others.
struct StoreFolder: Sendable {
    let path: String

    var database: String { "\(path)/queue.sqlite" }
    var lock: String { "\(path)/queue.lock" }
    var credentials: String { "\(path)/credentials.json" }

    var device: UInt64? {
        var status = stat()
        return stat(database, &status) == 0 ? UInt64(status.st_dev) : nil
    }

    /// Creates missing folders, accessible to their owner only. An existing one keeps its mode.
    /// - Throws: code `cannotWrite`: it cannot be created, belongs to another user, or others may write in it.
    func prepare() throws(TransferError) {
        do {
            try PrivateFolder.prepare(path)
        } catch {
            switch error {
            case .failed(let error): throw StoreFailure.cannotWrite(error.path ?? path, error.errno)
            case .notAFolder: throw TransferError(.cannotWrite, file: .notFolder, path: path)
            case .foreign: throw TransferError(.cannotWrite, file: .otherUser, path: path)
            case .writableByOthers:
                throw TransferError(.cannotWrite, file: .writableByOthers, path: path, variant: .writableByOthers)
            }
        }
    }

    /// Opens a file of the store, creates it if needed, and removes the permissions of other users.
    /// - Throws: code `cannotWrite`: no permission, not a regular file, or another user's.
    static func open(_ path: String) throws(TransferError) -> Descriptor {
        let file: Descriptor
        do {
            file = try Descriptor.open(path, O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK, mode: 0o600)
        } catch {
            throw StoreFailure.cannotWrite(path, error.errno)
        }
        try restrictAccess(file, path)
        return file
    }

    /// - Throws: code `cannotWrite` if it is not a regular file of this user.
    static func restrictAccess(_ file: Descriptor, _ path: String) throws(TransferError) {
        guard let status = try? file.status(), status.st_mode & S_IFMT == S_IFREG else {
            throw TransferError(.cannotWrite, file: .notRegularFile, path: path)
        }
        guard status.st_uid == geteuid() else { throw TransferError(.cannotWrite, file: .otherUser, path: path) }
        guard status.st_mode & 0o077 == 0 || fchmod(file.number, 0o600) == 0 else {
            throw StoreFailure.cannotWrite(path, errno)
        }
    }

    /// Reads whole files.
    /// - Throws: code `cannotWrite` if the disk does not give their bytes now.
    func checkReading(_ path: String, with companions: [String]) throws(TransferError) {
        for name in [path] + companions.map({ path + $0 }) where access(name, F_OK) == 0 {
            do throws(SystemError) {
                let file = try Descriptor.open(name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK)
                while try !file.read(upTo: 1 << 16).isEmpty {}
            } catch {
                throw StoreFailure.unreadable(name, error.errno)
            }
        }
    }

    /// Makes the folder's entries durable; ignores file systems that cannot.
    func sync() { try? AtomicFile.syncFolder(of: lock) }

    /// Renames damaged files so that they stay.
    /// - Parameter time: seconds since 1970, for the name.
    /// - Returns: the new paths.
    func setAside(_ path: String, with companions: [String] = [], at time: Double) throws(TransferError) -> [String] {
        let stamp = CompactTime.stamp(Int64(time)).replacing(" ", with: "-").filter { $0 != ":" }
        var mark = ".damaged-\(stamp)"
        var status = stat()
        var count = 1
        while lstat(path + mark, &status) == 0 {
            count += 1
            mark = ".damaged-\(stamp)-\(count)"
        }
        var moved: [String] = []
        // SQLite finds companion files by name: `-wal` stays the suffix.
        for suffix in [""] + companions where lstat(path + suffix, &status) == 0 {
            guard rename(path + suffix, path + mark + suffix) == 0 else {
                throw StoreFailure.cannotWrite(path + suffix, errno)
            }
            moved.append(path + mark + suffix)
        }
        return moved
    }
}
