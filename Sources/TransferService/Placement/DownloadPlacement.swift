// SPDX-License-Identifier: MIT

import CLinux
import Glibc
import SessionCore
import TransferModel
import TransferStore

/// Gives a complete download its final name: sets its attributes, then renames once.
///
/// The rename uses the partial file's path, because only that replaces files and works on file systems without hard
/// links. The file renamed must be the one that was received and checked: right before, the path must lead to the open
/// file. An attacker who could swap the two in between could as well replace the renamed file right after.
struct DownloadPlacement: Sendable {
    let partial: PartialFile
    var path: String
    let overwrites: Bool
    let permissions: FilePermissions
    /// Seconds since 1970, from the server.
    let modified: Int64?
    /// Length of the complete file.
    let total: Int64
    /// Whether a record may exist beside the partial file: opening it removed any other.
    let mayHaveRecord: Bool

    enum Outcome: Sendable {
        /// The file has its final name; the partial name and the record are removed.
        case named
        /// It has not, and the partial file is unchanged.
        case refused(TransferError)
        /// Another program has deleted, replaced or truncated the partial file.
        case lost(TransferError)
    }

    /// Gives the file the server's modification time, and permissions and owner of the file that it replaces, or the
    /// permissions that the transfer asks for. Before the bytes are synced, so that these are durable with them.
    func setAttributes() {
        if overwrites, let old = Self.replaceable(path) {
            let (file, owner, group) = (partial.descriptor, old.st_uid, old.st_gid)
            // Only root may give files away.
            if fchown(file, owner, group) != 0 { _ = fchown(file, uid_t.max, group) }
            fchmod(file, old.st_mode & 0o777)
        } else if let mode = permissions.atLast(isOfEarlierProcess: partial.lengthAtOpening > 0) {
            fchmod(partial.descriptor, mode)
        }
        guard let modified else { return }
        let time = timespec(tv_sec: Int(modified), tv_nsec: 0)
        futimens(partial.descriptor, [time, time])
    }

    /// Writes again what an earlier process may not have brought to the disk (``PartialFile/rewrite()``), which takes
    /// long, and changes the file's time.
    /// - Parameter setsAttributes: whether they are not set yet.
    /// - Returns: 0 or an errno.
    func prepareSync(setsAttributes: Bool) -> Int32 {
        let code = partial.rewrite()
        if setsAttributes || partial.wasRewritten { setAttributes() }
        return code
    }

    /// The errno of an earlier sync that failed, for a record: the system reports lost bytes to that one alone.
    var earlierFailure: Int32? {
        let code = partial.syncFailure
        return code == 0 || FileSync.isNeedless(code) ? nil : code
    }

    /// The regular file at `path`.
    static func replaceable(_ path: String) -> stat? {
        var status = stat()
        return lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG ? status : nil
    }

    /// Makes only quick file system calls; syncs nothing.
    func place() -> Outcome {
        // What is not synced is not written again either, and nothing is once the file has its name.
        partial.stopRewriting()
        if let problem = PartialCheck.problem(with: partial, holding: total, isWhole: true) { return .lost(problem) }
        let result = overwrites ? rename(partial.path, path) : clinux_rename_no_replace(partial.path, path)
        if result == 0 {
            // Before the folder is synced, so that the record does not reappear.
            if mayHaveRecord { PartialRecord.remove(partial.path) }
            return .named
        }
        return .refused(errno == EEXIST ? DownloadAdmission.existsError(path) : failure(errno))
    }

    func failure(_ code: Int32) -> TransferError {
        TransferError(.cannotWrite, file: .write, path: path, systemErrno: code)
    }
}

extension Download {
    /// Whether an existing file may be replaced.
    var replaces: Bool { overwrites || existing == .updates }
}
