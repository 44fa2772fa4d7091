// SPDX-License-Identifier: MIT

import Glibc
import NIOCore
import Platform

/// The server's own folder, below the root so that a finished upload only needs a rename: `partial/` has uploads in
/// progress, `index/` one JSON file per FileQ upload, `uploads/` the resumable ones, `shares/` one JSON file per link,
/// `session-key`, `lock`, `logins.json`.
struct WorkFolder: Sendable {
    let partial: FolderDescriptor
    let index: FolderDescriptor
    let uploads: FolderDescriptor
    let shares: FolderDescriptor
    /// The work folder itself.
    let folder: FolderDescriptor
    let sessionKey: [UInt8]
    /// Held while the server runs: a second one would remove the partial files of the first.
    private let lock: Descriptor

    /// Opens or creates it, and removes the remains of a killed server.
    /// - Throws: ``StartError`` if it cannot be created, is not this user's alone, or another server holds the lock.
    init(in root: RootFolder) throws {
        let folder: FolderDescriptor
        let name = RequestTarget.workFolderName
        do {
            folder = try Self.make(name, in: root.folder)
            let owner = try folder.owner()
            guard Self.isOwn(owner, effective: geteuid(), created: { try? Self.creator(in: folder) }) else {
                throw Foreign(name: name)
            }
            try Self.narrow(folder, name)
            func ensure(_ name: String) throws -> FolderDescriptor {
                let made = try Self.make(name, in: folder)
                guard try made.owner() == owner else { throw Foreign(name: name) }
                try Self.narrow(made, name)
                return made
            }
            partial = try ensure("partial")
            index = try ensure("index")
            uploads = try ensure("uploads")
            shares = try ensure("shares")
            lock = try Descriptor.open("lock", O_RDWR | O_CREAT | O_NOFOLLOW, mode: 0o600, in: folder.descriptor)
            guard try lock.status().st_uid == owner else { throw Foreign(name: "lock") }
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
        self.folder = folder
        sessionKey = try Self.key(in: folder)
        for name in try partial.names() { try partial.remove(name) }
    }

    /// Another user could have put records into it, which open files of this one.
    private struct Foreign: Error {
        var name: String
    }

    /// Opens or creates a folder.
    private static func make(_ name: String, in folder: FolderDescriptor) throws(SystemError) -> FolderDescriptor {
        do throws(SystemError) { try folder.makeFolder(name, mode: 0o700) } catch {
            guard error.errno == EEXIST else { throw error }
        }
        return try folder.folder(name)
    }

    /// Lets only this user read and write a folder of its own.
    /// - Throws: ``Foreign``, `SystemError`
    private static func narrow(_ folder: FolderDescriptor, _ name: String) throws {
        // Not all file systems can: what counts is the result.
        if try folder.descriptor.status().st_mode & 0o077 != 0 { fchmod(folder.descriptor.number, 0o700) }
        guard try folder.descriptor.status().st_mode & 0o022 == 0 else { throw Foreign(name: name) }
    }

    /// Whether a folder of `owner` is this process's own. Some file systems have an owner of their own for everything,
    /// or for what root creates: FAT, CIFS, NFS with root_squash.
    /// - Parameter created: the owner of what this process creates in the folder.
    static func isOwn(_ owner: uid_t, effective: uid_t, created: () -> uid_t?) -> Bool {
        owner == effective || owner == created()
    }

    /// The owner of a file that this process creates.
    static func creator(in folder: FolderDescriptor) throws(SystemError) -> uid_t {
        let name = UniqueName.make()
        let file = try folder.create(name, mode: 0o600)
        defer { try? folder.remove(name) }
        return try file.status().st_uid
    }

    private static func key(in folder: FolderDescriptor) throws(SystemError) -> [UInt8] {
        let count = 32
        // Another key ends all sessions: not for a file that cannot be read now.
        if try folder.statusIfPresent("session-key") != nil, let file = try folder.ownIfAny("session-key") {
            let bytes = try file.read(count + 1, at: 0)
            if bytes.count == count { return bytes }
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
