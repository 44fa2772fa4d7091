// SPDX-License-Identifier: MIT

import CLinux
import Glibc
import Platform
import SessionCore
import TransferModel

/// Gives a whole download its final name: its time first, then one rename.
///
/// The rename goes by the partial file's path, because it alone replaces and works on file systems without hard links.
/// What it names is what was received and checked: the path must lead to the open file right before. Who could swap the
/// two in between could as well swap the named file right after.
struct DownloadPlacement: Sendable {
    let partial: PartialFile
    let path: String
    let overwrites: Bool
    /// Seconds since 1970, as the server said.
    let modified: Int64?
    /// Length of the whole file.
    let total: Int64
    /// Whether a record may lie beside the partial file: its opening removed any other.
    let mayHaveRecord: Bool

    enum Outcome: Sendable {
        /// The file has its name; the partial name and the record are gone.
        case named
        /// It has not, and the partial file is as it was.
        case refused(TransferError)
        /// Another program has deleted, replaced or cut the partial file.
        case lost(TransferError)
    }

    /// Sets the server's time. Before the bytes are synced, so that the time is durable with them.
    func setTime() {
        guard let modified else { return }
        let time = timespec(tv_sec: Int(modified), tv_nsec: 0)
        futimens(partial.descriptor, [time, time])
    }

    /// Quick calls of the file system alone; nothing is synced.
    func place() -> Outcome {
        if let trouble = PartialCheck.trouble(with: partial, holding: total, isWhole: true) { return .lost(trouble) }
        let result = overwrites ? rename(partial.path, path) : clinux_rename_no_replace(partial.path, path)
        if result == 0 {
            // Before the folder is synced, so that it does not come back.
            if mayHaveRecord { PartialRecord.remove(partial.path) }
            return .named
        }
        return .refused(errno == EEXIST ? DownloadAdmission.existsError(path) : failure(errno))
    }

    func failure(_ code: Int32) -> TransferError {
        TransferError(.cannotWrite, "\(path): cannot write: \(SystemError.phrase(code))", systemErrno: code)
    }
}
