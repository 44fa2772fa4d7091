// SPDX-License-Identifier: MIT

import Synchronization
public import TransferModel

extension CookieStorage {
    func read(_ file: CookieFile) throws(TransferError) {
        let (bytes, stamp) = try file.read()
        let (cookies, now) = (CookieFileFormat.parse(bytes), scheduler.wallNow)
        guarded.withLock { guarded in
            guarded.table.merge(cookies, now: now)
            guarded.stamp = stamp
        }
    }

    /// Merges the changes of other programs since the file was last read or written. Blocks.
    /// - Throws: code `cannotReadSource` for an unreadable file.
    func refresh() throws(TransferError) {
        guard let file, file.stamp != guarded.withLock({ $0.stamp }) else { return }
        try read(file)
    }

    /// Writes the file atomically; does nothing in a storage without one, or if the file is up to date.
    ///
    /// First merges the changes of other processes, in memory and in the file: if both changed the same cookie, this
    /// storage's stays. Waits some seconds while another program holds the file's lock, so it must not be called on a
    /// thread that must not block. A new file is private; an existing one keeps its permissions. Cookies that the
    /// format cannot represent (no name, or a tab) are not written.
    /// - Throws: code `cannotWrite`, also if the lock is still held, or `cannotReadSource` for an unreadable file; file
    ///   and cookies are unchanged.
    public func save() throws(TransferError) {
        guard let file else { return }
        let now = scheduler.wallNow
        let isWritten = { [keepsSessionCookies] (cookie: StoredCookie) in
            (keepsSessionCookies || cookie.expires != nil) && !cookie.isExpired(at: now)
                && CookieFileFormat.canHold(cookie)
        }
        var written: CookieTable.Snapshot?
        try file.update { bytes in
            let theirs = CookieFileFormat.parse(bytes)
            written = guarded.withLock { guarded in
                guarded.table.merge(theirs, now: now)
                guard bytes.isEmpty || guarded.table.differsFromFile(isWritten) else { return nil }
                return guarded.table.snapshot(isWritten)
            }
            return (written?.cookies).map(CookieFileFormat.print)
        } done: { stamp in
            guard let written else { return }
            guarded.withLock { guarded in
                guarded.table.wrote(written)
                guarded.stamp = stamp
            }
        }
    }
}
