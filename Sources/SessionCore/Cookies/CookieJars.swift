// SPDX-License-Identifier: MIT

import Synchronization
import TransferModel

/// The cookie files that requests name (``TransferModel/TransferOptions/cookieJar``): each is shared by all that name
/// it, and read again once another program has changed it. Used from any thread.
public final class CookieJars: Sendable {
    private let publicSuffixes: any PublicSuffixes
    private let storages = Mutex<[String: CookieStorage]>([:])

    public init(publicSuffixes: any PublicSuffixes) { self.publicSuffixes = publicSuffixes }

    /// A storage without a file.
    func ofTask() -> CookieStorage { CookieStorage(publicSuffixes: publicSuffixes) }

    /// The storage of one file, with its current content. Waits for its file system for a few seconds at most.
    /// - Throws: code `cannotReadSource` if the file exists and cannot be read, `folderNotResponding` if its folder
    ///   does not respond.
    func storage(_ path: String) throws(TransferError) -> CookieStorage {
        let result = PromptRead.value(of: path) { Result { () throws(TransferError) in try self.current(path) } }
        guard let result else { throw TransferError(.folderNotResponding, file: .unresponsive, path: path) }
        return try result.get()
    }

    private func current(_ path: String) throws(TransferError) -> CookieStorage {
        if let known = storages.withLock({ $0[path] }) {
            try known.refresh()
            return known
        }
        let read = try CookieStorage(file: path, keepsSessionCookies: true, publicSuffixes: publicSuffixes)
        return storages.withLock { storages in
            let storage = storages[path] ?? read
            storages[path] = storage
            return storage
        }
    }

    /// Writes every file. Blocks.
    /// - Throws: as ``CookieStorage/save()``: the first failure; the others were written all the same.
    func save() throws(TransferError) {
        var failure: TransferError?
        for storage in storages.withLock({ Array($0.values) }) {
            do throws(TransferError) { try storage.save() } catch { failure = failure ?? error }
        }
        if let failure { throw failure }
    }
}
