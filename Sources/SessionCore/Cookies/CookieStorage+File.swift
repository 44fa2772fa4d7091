// SPDX-License-Identifier: MIT

import Synchronization
public import TransferModel

extension CookieStorage {
    /// Writes the file, whole or not at all; does nothing in a storage without one, or if the file says all already.
    ///
    /// What other processes changed in it meanwhile is taken in first, here and in the file: where both changed the
    /// same cookie, this storage's stays. Waits while another process saves, so it is not for a thread that must not
    /// wait. A new file is for its owner alone; one that was there keeps its permissions. Cookies that the format
    /// cannot hold (no name, or a tab) are not written.
    /// - Throws: code `cannotWrite`, or `cannotReadSource` where what is there cannot be read; file and cookies are as
    ///   before.
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
        } done: {
            if let written { guarded.withLock { $0.table.wrote(written) } }
        }
    }
}
