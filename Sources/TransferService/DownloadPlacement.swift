// SPDX-License-Identifier: MIT

import CLinux
import Glibc
import SessionCore
import TransferModel

/// Gives a whole download its final name: its time first, then one rename.
struct DownloadPlacement: Sendable {
    let partial: PartialFile
    let path: String
    let overwrites: Bool
    /// Seconds since 1970, as the server said.
    let modified: Int64?

    /// - Parameter syncs: whether the bytes and the folder's entry are made durable.
    /// - Returns: `nil` when the file has its name; then the partial name is gone.
    func place(syncs: Bool = false) -> TransferError? {
        if let modified {
            let time = timespec(tv_sec: Int(modified), tv_nsec: 0)
            futimens(partial.descriptor, [time, time])
        }
        if syncs, fsync(partial.descriptor) != 0 { return failure(errno) }
        let result = overwrites ? rename(partial.path, path) : clinux_rename_no_replace(partial.path, path)
        guard result == 0 else { return errno == EEXIST ? DownloadAdmission.existsError(path) : failure(errno) }
        if syncs { syncFolder() }
        return nil
    }

    private func failure(_ code: Int32) -> TransferError {
        TransferError(.cannotWrite, "\(path): cannot write: \(SystemCall.message(code))", systemErrno: code)
    }

    private func syncFolder() {
        let folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? "."
        let descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { return }
        fsync(descriptor)
        close(descriptor)
    }
}
