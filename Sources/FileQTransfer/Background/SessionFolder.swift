// SPDX-License-Identifier: MIT

import Glibc
import Platform
import Synchronization
import TransferModel

/// The files of a background session: downloads before the delegate receives them, and the lock that restricts it to
/// one program.
///
/// A private folder, `background/IDENTIFIER` below the sessions' state, with the identifier percent-encoded. The kernel
/// releases the lock with the process.
final class SessionFolder: Sendable {
    /// Absolute.
    let path: String
    /// `nil` once unlocked.
    private let lock: Mutex<Descriptor?>

    /// Creates the folder and locks it.
    /// - Throws: code `usage` for an invalid identifier, for a session that is already open, and for a folder that
    ///   others can write; `cannotWrite` if it cannot be created.
    init(identifier: String, places: SessionPlaces) throws(TransferError) {
        let name = try Self.name(of: identifier)
        let state = Folders.absolute(places.state)
        path = "\(state)/background/\(name)"
        do {
            try PrivateFolder.prepare(path)
        } catch {
            switch error {
            case .failed(let error): throw Self.failure(error.path ?? path, error.errno)
            case .notAFolder: throw Self.failure(path, ENOTDIR)
            case .foreign, .writableByOthers:
                throw TransferError(.backgroundSharedFolder, path)
            }
        }
        let (file, isHeld): (Descriptor, Bool)
        do {
            file = try Descriptor.open("\(path)/lock", O_RDWR | O_CREAT | O_NOFOLLOW, mode: 0o600)
            // A child being spawned releases the inherited lock a moment later.
            isHeld = try FileLock.take(file, patience: 0.5, interval: 0.01)
        } catch {
            throw Self.failure("\(path)/lock", error.errno)
        }
        guard isHeld else {
            throw TransferError(.backgroundOpen, name)
        }
        lock = Mutex(file)
    }

    deinit { unlock() }

    /// From now on another process may open the session.
    func unlock() {
        lock.withLock { lock in
            if let lock { FileLock.release(lock) }
            lock = nil
        }
    }

    /// The destination of a download.
    /// - Parameter token: unique per download.
    func file(task: Int, token: String) -> String { "\(path)/\(task)-\(token).download" }

    /// Whether a file is one of this folder's downloads, and thus owned by the session.
    func owns(_ file: String) -> Bool {
        guard file.hasPrefix(path + "/"), file.hasSuffix(".download") else { return false }
        return !file.utf8.dropFirst(path.utf8.count + 1).contains(UInt8(ascii: "/"))
    }

    /// The folder's name: one component for any identifier.
    static func name(of identifier: String) throws(TransferError) -> String {
        guard !identifier.isEmpty else { throw TransferError(.backgroundNoIdentifier) }
        var name = PercentCoding.encode(identifier)
        if name.hasPrefix(".") { name = "%2E" + name.dropFirst() }
        guard name.utf8.count <= 200 else {
            throw TransferError(.backgroundLongIdentifier, name.utf8.count, 200)
        }
        return name
    }

    private static func failure(_ path: String, _ code: Int32) -> TransferError {
        TransferError(.cannotWrite, file: .useInBackground, path: path, systemErrno: code)
    }
}
