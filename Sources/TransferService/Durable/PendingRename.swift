// SPDX-License-Identifier: MIT

import CLinux
import Glibc
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

    var total: Int64? { transfer.checkpoint?.download?.data.total }

    /// Checks whether the file was renamed, and removes what lies beside it. A file of which a power cut may have taken
    /// bytes gets its partial name again. May wait for the file system.
    func resolve() -> Outcome {
        guard let download = transfer.checkpoint?.download else { return .unfinished }
        let (partial, named) = (download.data.partialPath, Self.status(path))
        let files = RecoveryPolicy.FoundFiles(
            hasPartial: Self.status(partial) != nil, finalLength: named.map { Int64($0.st_size) },
            finalInode: named.map { UInt64($0.st_ino) })
        if policy.state(of: transfer, files: files) == .completed {
            PartialFiles.removeLeftovers(of: partial)
            return .completed(syncing: named.map { SyncTarget(path: path, device: UInt64($0.st_dev)) })
        }
        if !files.hasPartial, download.inode == files.finalInode { _ = clinux_rename_no_replace(path, partial) }
        return .unfinished
    }

    private static func status(_ path: String) -> stat? {
        var status = stat()
        return lstat(path, &status) == 0 ? status : nil
    }
}
