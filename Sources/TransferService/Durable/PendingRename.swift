// SPDX-License-Identifier: MIT

import CLinux
import Glibc
import Platform
import TransferModel
import TransferStore

/// A download that an earlier process was about to rename into place: it ended before it could record the result.
final class PendingRename: Sendable {
    enum Outcome: Sendable, Equatable {
        /// The file has its name.
        /// - Parameter syncing: what may not be on the disk yet.
        case completed(syncing: SyncTarget?)
        /// What there is of it is in the partial file.
        case unfinished
    }

    private let transfer: Transfer
    private let policy: RecoveryPolicy

    /// - Returns: `nil` if the store holds no such intention.
    init?(_ stored: Transfer, _ policy: RecoveryPolicy) {
        guard stored.checkpoint?.download?.inode != nil else { return nil }
        var transfer = stored
        transfer.status = .verifying()
        (self.transfer, self.policy) = (transfer, policy)
    }

    /// The final path.
    var path: String { transfer.file }

    var total: Int64? { download?.data.total }

    /// What the store has to hold as long as this is pending.
    var download: DownloadCheckpoint? { transfer.checkpoint?.download }

    /// Checks whether the file was renamed, and removes what lies beside it. A file of which a power cut may have taken
    /// bytes gets its partial name again. May wait for the file system.
    /// - Parameter sharing: whose partial files they are: those of other transfers stay.
    /// - Throws: if a file cannot be checked now; then nothing is decided.
    func resolve(leaving sharing: PartialSharing) throws(TransferError) -> Outcome {
        guard let download else { return .unfinished }
        let (partial, named) = (download.data.partialPath, try Self.status(path))
        let files = RecoveryPolicy.FoundFiles(
            hasPartial: try Self.status(partial) != nil, finalLength: named.map { Int64($0.st_size) },
            finalInode: named.map { UInt64($0.st_ino) })
        if policy.state(of: transfer, files: files) == .completed {
            PartialFiles.removeLeftovers(of: partial, leaving: sharing)
            // After another boot the name was read from the disk, so it is there, and its bytes were synced before. It
            // may have been reported as completed, too, which a failing sync must not revert.
            if isOfAnotherBoot(download) { return .completed(syncing: nil) }
            guard try isNamedAgain(partial) else { return .unfinished }
            return .completed(syncing: named.map { SyncTarget(path: path, device: UInt64($0.st_dev)) })
        }
        if !files.hasPartial, download.inode == files.finalInode { _ = clinux_rename_no_replace(path, partial) }
        return .unfinished
    }

    /// Unknown boots may be the present one.
    private func isOfAnotherBoot(_ download: DownloadCheckpoint) -> Bool {
        guard let present = policy.bootID, let earlier = download.data.bootID else { return false }
        return present != earlier
    }

    /// Gives the file its name once more, so that the sync that follows makes it durable.
    ///
    /// The folder may have been synced without success, by this process or an earlier one. Linux reports such an error
    /// once (fsync(2)): the pages that could not be written count as clean from then on, and the next fsync succeeds
    /// without them. Only a change writes the entry again. A process that is killed may not have noted the error.
    /// - Returns: false if the name belongs to another file now, and the file has its partial name.
    /// - Throws: if the folder refuses the change.
    private func isNamedAgain(_ partial: String) throws(TransferError) -> Bool {
        guard clinux_rename_no_replace(path, partial) == 0 else {
            let code = errno
            throw TransferError(.cannotWrite, file: .rename, path: path, systemErrno: code)
        }
        return clinux_rename_no_replace(partial, path) == 0
    }

    /// - Returns: `nil` if there is no such file.
    private static func status(_ path: String) throws(TransferError) -> stat? {
        var status = stat()
        guard lstat(path, &status) != 0 else { return status }
        let code = errno
        guard !SystemError.isMissing(code) else { return nil }
        throw TransferError(.cannotWrite, file: .check, path: path, systemErrno: code)
    }
}
