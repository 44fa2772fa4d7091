// SPDX-License-Identifier: MIT

import Glibc
import NIOCore
import Platform

/// The server's own folder, below the root so that a finished upload only needs a rename: `partial/` has uploads in
/// progress, `index/` one JSON file per FileQ upload, `uploads/` the resumable ones, `shares/` one JSON file per link,
/// `session-key`, `lock`.
struct WorkFolder: Sendable {
    let partial: FolderDescriptor
    let index: FolderDescriptor
    let uploads: FolderDescriptor
    let shares: FolderDescriptor
    let sessionKey: [UInt8]
    /// Held while the server runs: a second one would remove the partial files of the first.
    private let lock: Descriptor

    /// Opens or creates it, and removes the remains of a killed server.
    /// - Throws: ``StartError`` if it cannot be created, is not this user's alone, or another server holds the lock.
    init(in root: RootFolder) throws {
        let folder: FolderDescriptor
        let name = RequestTarget.workFolderName
        do {
            folder = try Self.ensure(name, in: root.folder)
            partial = try Self.ensure("partial", in: folder)
            index = try Self.ensure("index", in: folder)
            uploads = try Self.ensure("uploads", in: folder)
            shares = try Self.ensure("shares", in: folder)
            lock = try Descriptor.open("lock", O_RDWR | O_CREAT | O_NOFOLLOW, mode: 0o600, in: folder.descriptor)
            guard try Self.isOwn(lock.status()) else { throw Foreign(name: "lock") }
        } catch let foreign as Foreign {
            let path = foreign.name == name ? name : "\(name)/\(foreign.name)"
            throw StartError(
                .foreign, "\(path) in the served folder belongs to another user, or others can write in it")
        } catch {
            let cause = (error as? SystemError)?.text ?? "\(error)"
            throw StartError(.folder, "cannot create \(name) in the served folder: \(cause)")
        }
        // A stopping server releases it a moment later, as does a process that was just being spawned.
        guard (try? FileLock.take(lock, patience: 1, interval: 0.01)) == true else {
            throw StartError(.locked, "another server serves this folder")
        }
        sessionKey = try Self.key(in: folder)
        for name in try partial.names() { try partial.remove(name) }
    }

    /// Another user could have put records into it, which open files of this one.
    private struct Foreign: Error {
        var name: String
    }

    /// Opens or creates a folder that only this user can read and write.
    /// - Throws: ``Foreign``, `SystemError`
    private static func ensure(_ name: String, in folder: FolderDescriptor) throws -> FolderDescriptor {
        do throws(SystemError) { try folder.makeFolder(name, mode: 0o700) } catch {
            guard error.errno == EEXIST else { throw error }
        }
        let made = try folder.folder(name)
        let found = try made.descriptor.status()
        guard isOwn(found) else { throw Foreign(name: name) }
        // Not all file systems can: what counts is the result.
        if found.st_mode & 0o077 != 0 { fchmod(made.descriptor.number, 0o700) }
        guard try made.descriptor.status().st_mode & 0o022 == 0 else { throw Foreign(name: name) }
        return made
    }

    private static func isOwn(_ found: stat) -> Bool { found.st_uid == geteuid() }

    private static func key(in folder: FolderDescriptor) throws(SystemError) -> [UInt8] {
        let count = 32
        if let file = try? folder.openOwn("session-key"), let open = try? OpenFile(file), open.status.size == count,
            let bytes = try? open.read(0..<Int64(count))
        {
            return Array(bytes.readableBytesView)
        }
        var generator = SystemRandomNumberGenerator()
        let key = (0..<count).map { _ in UInt8.random(in: 0...255, using: &generator) }
        try folder.replaceFile("session-key", with: key, syncing: true)
        return key
    }
}

/// Why a server could not start; one line.
package struct StartError: Error, Sendable, Hashable, CustomStringConvertible {
    package enum Cause: Sendable, Hashable {
        /// It cannot listen: an `errno`.
        case listening(Int32)
        /// The address is no address of this machine.
        case address
        /// The folder cannot be read or written.
        case folder
        /// The server's own folder is not its own alone.
        case foreign
        /// Another server has the folder.
        case locked
        /// The records of uploads cannot be read.
        case uploads
        case certificate
    }

    package var cause: Cause
    package var message: String

    package init(_ cause: Cause, _ message: String) { (self.cause, self.message) = (cause, message) }

    package var description: String { message }
}

extension FolderDescriptor {
    /// Writes a small file atomically; mode 0600.
    func replaceFile(_ name: String, with bytes: [UInt8], syncing: Bool) throws(SystemError) {
        let temporary = UniqueName.make()
        let file = try create(temporary, mode: 0o600)
        do throws(SystemError) {
            try file.write(bytes)
            if syncing { try file.sync() }
            try move(temporary, to: self, as: name)
            if syncing { try sync() }
        } catch {
            try? remove(temporary)
            throw error
        }
    }
}
