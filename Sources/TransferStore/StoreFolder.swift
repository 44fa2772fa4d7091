// SPDX-License-Identifier: MIT

import Glibc
import TransferModel

/// The folder of one store and its files: this user's, closed to others.
struct StoreFolder: Sendable {
    let path: String

    var database: String { "\(path)/queue.sqlite" }
    var lock: String { "\(path)/queue.lock" }
    var credentials: String { "\(path)/credentials.json" }

    /// Makes the folders that are missing, for their owner alone. One that is there keeps its mode.
    /// - Throws: code `cannotWrite`: it cannot be made, is another user's, or others may write in it.
    func prepare() throws(TransferError) {
        var made = path.hasPrefix("/") ? "" : "."
        for name in path.split(separator: "/") {
            made += "/\(name)"
            guard mkdir(made, 0o700) != 0, errno != EEXIST else { continue }
            let code = errno
            // Some file systems say first that they are read-only.
            var status = stat()
            guard stat(made, &status) == 0 else { throw StoreFailure.cannotWrite(made, code) }
        }
        var status = stat()
        guard stat(path, &status) == 0 else { throw StoreFailure.cannotWrite(path, errno) }
        guard status.st_mode & S_IFMT == S_IFDIR else { throw TransferError(.cannotWrite, "\(path): is not a folder") }
        guard status.st_uid == geteuid() else { throw TransferError(.cannotWrite, "\(path): belongs to another user") }
        guard status.st_mode & 0o022 == 0 else {
            throw TransferError(.cannotWrite, "\(path): other users can write in this folder, so no queue is kept there; "
                + "'chmod 700' keeps it to yourself")
        }
    }

    /// Opens a file of the store, makes it where it is not there, and sees to it that nobody else may read it.
    /// - Throws: code `cannotWrite`: no permission, no regular file, or another user's.
    static func open(_ path: String) throws(TransferError) -> Int32 {
        let descriptor = Glibc.open(path, O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw StoreFailure.cannotWrite(path, errno) }
        do throws(TransferError) {
            try keepPrivate(descriptor, path)
            return descriptor
        } catch {
            close(descriptor)
            throw error
        }
    }

    /// - Throws: code `cannotWrite` for what is no regular file of this user.
    static func keepPrivate(_ descriptor: Int32, _ path: String) throws(TransferError) {
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            throw TransferError(.cannotWrite, "\(path): is not a regular file")
        }
        guard status.st_uid == geteuid() else { throw TransferError(.cannotWrite, "\(path): belongs to another user") }
        guard status.st_mode & 0o077 == 0 || fchmod(descriptor, 0o600) == 0 else {
            throw StoreFailure.cannotWrite(path, errno)
        }
    }

    /// Makes the folder's entries durable; a file system that cannot has nothing to lose by it.
    func sync() {
        let descriptor = Glibc.open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { return }
        fsync(descriptor)
        close(descriptor)
    }

    /// Gives damaged files a name under which they stay.
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
        // SQLite finds what belongs together by name: `-wal` stays at the end.
        for suffix in [""] + companions where lstat(path + suffix, &status) == 0 {
            guard rename(path + suffix, path + mark + suffix) == 0 else { throw StoreFailure.cannotWrite(path + suffix, errno) }
            moved.append(path + mark + suffix)
        }
        return moved
    }
}
