// SPDX-License-Identifier: MIT

package import TransferModel

/// The state of a transfer when its queue is opened again, however the last process ended. Pure.
package struct RecoveryPolicy: Sendable {
    /// The kernel's current boot ID; `nil` if unknown, which counts as another boot.
    package var bootID: String?

    package init(bootID: String?) { self.bootID = bootID }

    /// What exists of a download's file.
    package struct FoundFiles: Sendable, Hashable {
        package var hasPartial: Bool
        /// Of the file under the final name, if there is one.
        package var finalLength: Int64?
        package var finalInode: UInt64?

        package init(hasPartial: Bool = false, finalLength: Int64? = nil, finalInode: UInt64? = nil) {
            self.hasPartial = hasPartial
            self.finalLength = finalLength
            self.finalInode = finalInode
        }
    }

    /// Active and waiting transfers are queued again: the reason for waiting may be gone. Paused and finished ones do
    /// not change.
    package func state(of transfer: Transfer, files: FoundFiles = .init()) -> TransferState {
        if isNamedAlready(transfer, files) { return .completed }
        return switch transfer.state {
        case .queued, .running, .waiting, .retrying, .verifying: .queued
        case .paused, .completed, .failed, .cancelled: transfer.state
        }
    }

    /// The process ended between the rename and the commit of the completion.
    private func isNamedAlready(_ transfer: Transfer, _ files: FoundFiles) -> Bool {
        guard transfer.state == .verifying, !files.hasPartial, let resume = transfer.checkpoint?.download,
            let inode = resume.inode,
            inode == files.finalInode, let total = resume.data.total, total == files.finalLength
        else { return false }
        return isSameBoot(resume) || resume.data.ranges.prefixLength >= total
    }

    private func isSameBoot(_ resume: DownloadCheckpoint) -> Bool { bootID != nil && resume.data.bootID == bootID }
}
