// SPDX-License-Identifier: MIT

import Glibc
import NIOCore

/// The server's own affairs, below the root so that a finished upload needs only a new name:
/// `partial/` what is on its way in, `index/` one JSON file for each FileQ upload, `session-key`, `lock`.
struct WorkFolder: Sendable {
    let partial: FolderDescriptor
    let index: FolderDescriptor
    let sessionKey: [UInt8]
    /// Held as long as the server lives: a second one would take away the first one's partial files.
    private let lock: FileDescriptor

    /// Opens or makes it, and clears what a server that was killed has left.
    /// - Throws: ``StartError`` where it cannot be made or another server holds it.
    init(in root: RootFolder) throws {
        let folder: FolderDescriptor
        do {
            folder = try Self.ensure(RequestTarget.workFolderName, in: root.folder)
            partial = try Self.ensure("partial", in: folder)
            index = try Self.ensure("index", in: folder)
            lock = FileDescriptor(try check(
                openat(folder.descriptor.raw, "lock", O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0o600), "open lock"))
        } catch {
            throw StartError(message: "cannot keep \(RequestTarget.workFolderName) in the served folder: \(error.message)")
        }
        guard Self.acquire(lock.raw) else { throw StartError(message: "another server serves this folder") }
        sessionKey = try Self.key(in: folder)
        for name in try partial.names() { try partial.remove(name) }
    }

    /// A server that ends lets go a moment later, and so does a process that was being started just then.
    private static func acquire(_ lock: Int32) -> Bool {
        for _ in 0..<100 {
            if flock(lock, LOCK_EX | LOCK_NB) == 0 { return true }
            var pause = timespec(tv_sec: 0, tv_nsec: 10_000_000)
            nanosleep(&pause, nil)
        }
        return flock(lock, LOCK_EX | LOCK_NB) == 0
    }

    /// A name that no other file in the work folder has.
    static func uniqueName() -> String {
        var generator = SystemRandomNumberGenerator()
        let (high, low) = (generator.next(), generator.next())
        return padded(high) + padded(low)
    }

    private static func padded(_ value: UInt64) -> String {
        let digits = String(value, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }

    private static func ensure(_ name: String, in folder: FolderDescriptor) throws(SystemError) -> FolderDescriptor {
        do throws(SystemError) { try folder.makeFolder(name, mode: 0o700) } catch {
            guard error.errno == EEXIST else { throw error }
        }
        return try folder.folder(name)
    }

    private static func key(in folder: FolderDescriptor) throws(SystemError) -> [UInt8] {
        let count = 32
        if let file = try? folder.openRegular("session-key"), let open = try? OpenFile(file), open.status.size == count,
            let bytes = try? open.read(0..<Int64(count)) { return Array(bytes.readableBytesView) }
        var generator = SystemRandomNumberGenerator()
        let key = (0..<count).map { _ in UInt8.random(in: 0...255, using: &generator) }
        try folder.replaceFile("session-key", with: key, syncing: true)
        return key
    }
}

/// Why a server could not start; one line.
public struct StartError: Error, Sendable, Hashable, CustomStringConvertible {
    public var message: String
    public var description: String { message }
}

extension FolderDescriptor {
    /// Writes a small file as a whole or not at all; for the owner alone.
    func replaceFile(_ name: String, with bytes: [UInt8], syncing: Bool) throws(SystemError) {
        let temporary = WorkFolder.uniqueName()
        let file = try create(temporary, mode: 0o600)
        do throws(SystemError) {
            var written = 0
            while written < bytes.count {
                let count = bytes[written...].withUnsafeBytes { write(file.raw, $0.baseAddress, $0.count) }
                if count < 0, errno != EINTR { throw SystemError(errno: errno, action: "write") }
                written += max(0, count)
            }
            if syncing { try file.sync() }
            try move(temporary, to: self, as: name)
            if syncing { try sync() }
        } catch {
            try? remove(temporary)
            throw error
        }
    }
}
