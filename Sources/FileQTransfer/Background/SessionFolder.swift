// SPDX-License-Identifier: MIT

import Glibc
import Synchronization
import TransferModel

/// The files of one background session: its downloads before the delegate has them, and the lock that makes it one program's at a time.
///
/// A folder for its owner alone, `background/IDENTIFIER` below the state of sessions, the identifier percent-encoded. The kernel lets
/// the lock go with the process.
final class SessionFolder: Sendable {
    /// Absolute.
    let path: String
    /// `nil` once unlocked.
    private let lock: Mutex<Int32?>

    /// Makes the folder and locks it.
    /// - Throws: code `usage` for a name that none can have, for a session that is open already, and for a folder that others can write;
    ///   `cannotWrite` where there can be none.
    init(identifier: String, places: SessionPlaces) throws(TransferError) {
        let name = try Self.name(of: identifier)
        let state = Self.absolute(places.state)
        path = "\(state)/background/\(name)"
        try SessionPlaces(state: path, cache: places.cache).makeState()
        try Self.check(path)
        let file = "\(path)/lock"
        let descriptor = open(file, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw Self.failure(file, errno) }
        var patience = 50
        while flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
            let code = errno
            if code == EINTR { continue }
            // A program that was being started just then lets go a moment later of what it was born with.
            if code == EWOULDBLOCK, patience > 0 {
                patience -= 1
                usleep(10_000)
                continue
            }
            close(descriptor)
            guard code == EWOULDBLOCK else { throw Self.failure(file, code) }
            throw TransferError(.usage, "the background session '\(name)' is open already, in this program or another one; end that "
                + "one first, or choose another identifier")
        }
        lock = Mutex(descriptor)
    }

    deinit { unlock() }

    /// From now on another process may have the session.
    func unlock() {
        lock.withLock { lock in
            if let lock {
                // At once, even where a program that is just being started holds a copy.
                flock(lock, LOCK_UN)
                close(lock)
            }
            lock = nil
        }
    }

    /// Where a download goes.
    /// - Parameter token: what no other download has.
    func file(task: Int, token: String) -> String { "\(path)/\(task)-\(token).download" }

    /// Whether a file is one of this folder's downloads, and so nobody's but the session's.
    func owns(_ file: String) -> Bool {
        guard file.hasPrefix(path + "/"), file.hasSuffix(".download") else { return false }
        return !file.utf8.dropFirst(path.utf8.count + 1).contains(UInt8(ascii: "/"))
    }

    /// The folder's name: one component, whatever the identifier holds.
    static func name(of identifier: String) throws(TransferError) -> String {
        guard !identifier.isEmpty else { throw TransferError(.usage, "a background session needs an identifier") }
        var name = PercentCoding.encode(identifier)
        if name.hasPrefix(".") { name = "%2E" + name.dropFirst() }
        guard name.utf8.count <= 200 else {
            throw TransferError(.usage, "the identifier of a background session is too long: percent-encoded it has "
                + "\(name.utf8.count) bytes, and 200 at most")
        }
        return name
    }

    private static func absolute(_ path: String) -> String {
        guard !path.hasPrefix("/"), let folder = getcwd(nil, 0) else { return path }
        defer { free(folder) }
        return "\(String(cString: folder))/\(path)"
    }

    private static func check(_ path: String) throws(TransferError) {
        var status = stat()
        guard stat(path, &status) == 0 else { throw failure(path, errno) }
        guard status.st_mode & S_IFMT == S_IFDIR else { throw failure(path, ENOTDIR) }
        guard status.st_uid == geteuid(), status.st_mode & 0o022 == 0 else {
            throw TransferError(.usage, "\(path): other users can write this folder, so it is not used; 'chmod 700' makes it yours alone")
        }
    }

    private static func failure(_ path: String, _ code: Int32) -> TransferError {
        TransferError(.cannotWrite, "\(path): cannot be used for a background session: \(String(cString: strerror(code)))", systemErrno: code)
    }
}
