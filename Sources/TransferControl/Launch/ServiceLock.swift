// SPDX-License-Identifier: MIT

import Glibc
import Platform
package import TransferModel

/// One service per queue, whatever its socket. The kernel releases the lock with the process; the file stays, and names
/// the holder.
package final class ServiceLock: Sendable {
    /// The file's data about the process that holds the lock.
    package struct Holder: Sendable, Hashable {
        package var pid: Int32?
        /// Its socket; `nil` before it listens.
        package var socket: String?

        package init(pid: Int32? = nil, socket: String? = nil) {
            self.pid = pid
            self.socket = socket
        }
    }

    private static let maximumBytes = 4096
    private let file: Descriptor

    /// Takes the lock.
    /// - Throws: code `other`, naming the process, if another one has it; `cannotWrite` if the file cannot be created.
    package init(path: String) throws(TransferError) {
        let isHeld: Bool
        do {
            file = try Descriptor.open(path, O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK, mode: 0o600)
            // A query for the holder takes the lock for a moment.
            isHeld = try FileLock.take(file, patience: 0.3, interval: 0.01)
        } catch {
            throw ServicePlaces.cannotWrite(path, error.errno)
        }
        guard isHeld else {
            let holder = Self.read(file)
            throw TransferError(
                .other, .serviceRunning, holder.pid, systemErrno: EWOULDBLOCK, path: path, variant: .serviceRunning)
        }
        write(Holder(pid: getpid()))
    }

    /// Publishes the socket's path, for processes with a different environment.
    package func announce(socket: String) { write(Holder(pid: getpid(), socket: socket)) }

    private func write(_ holder: Holder) {
        let text = Array("\(holder.pid ?? 0)\n\(holder.socket.map { "\($0)\n" } ?? "")".utf8)
        // A full disk leaves the file empty, but the lock is valid.
        if ftruncate(file.number, 0) == 0 { try? file.write(text, at: 0) }
    }

    /// The lock's holder; `nil` if there is none, or it is unknown.
    package static func holder(of path: String) -> Holder? {
        guard let file = try? Descriptor.open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK),
            let status = try? file.status(),
            status.st_mode & S_IFMT == S_IFREG, status.st_uid == geteuid()
        else { return nil }
        return (try? FileLock.take(file, .shared)) == false ? read(file) : nil
    }

    /// Whether process `pid` has the lock's file open: the ID alone may have been reused, or belong to another machine.
    package static func isHeld(_ path: String, by pid: Int32) -> Bool {
        var lock = stat()
        guard stat(path, &lock) == 0, lock.st_uid == geteuid(), let folder = opendir("/proc/\(pid)/fd") else {
            return false
        }
        defer { closedir(folder) }
        while let entry = readdir(folder) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            var file = stat()
            if stat("/proc/\(pid)/fd/\(name)", &file) == 0, file.st_dev == lock.st_dev, file.st_ino == lock.st_ino {
                return true
            }
        }
        return false
    }

    private static func read(_ file: Descriptor) -> Holder {
        parse(String(decoding: (try? file.read(maximumBytes, at: 0)) ?? [], as: UTF8.self))
    }

    /// No I/O. An incomplete line was being written.
    static func parse(_ text: String) -> Holder {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
        let pid = lines.first.flatMap { Int32($0) }.flatMap { $0 > 0 ? $0 : nil }
        let socket = lines.dropFirst().first.flatMap { $0.beginsWithSlash ? String($0) : nil }
        return Holder(pid: pid, socket: socket)
    }
}

/// Serializes the start of a service: of many concurrent commands, one.
final class StartLock: Sendable {
    private let file: Descriptor

    /// `nil` if another command holds it.
    /// - Throws: code `cannotWrite` if the file cannot be created.
    init?(path: String) throws(TransferError) {
        do {
            file = try Descriptor.open(path, O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK, mode: 0o600)
            guard try FileLock.take(file) else { return nil }
        } catch {
            throw ServicePlaces.cannotWrite(path, error.errno)
        }
    }
}
