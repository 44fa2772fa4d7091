// SPDX-License-Identifier: MIT

public import TransferModel

/// What a transfer is when its queue is opened again, however the last process ended. Pure.
public struct RecoveryPolicy: Sendable {
    /// The kernel's boot id now; `nil` where it is not known, which counts as another boot.
    public var bootID: String?

    public init(bootID: String?) { self.bootID = bootID }

    /// What is found of a download's file.
    public struct FoundFiles: Sendable, Hashable {
        public var hasPartial: Bool
        /// The file that bears the final name, where there is one.
        public var finalLength: Int64?
        public var finalInode: UInt64?

        public init(hasPartial: Bool = false, finalLength: Int64? = nil, finalInode: UInt64? = nil) {
            self.hasPartial = hasPartial
            self.finalLength = finalLength
            self.finalInode = finalInode
        }
    }

    /// What is under way or waits is queued again: whatever it waited for may be over. What is paused or has ended stays so.
    public func state(of transfer: StoredTransfer, files: FoundFiles = .init()) -> TransferState {
        if isNamedAlready(transfer, files) { return .completed }
        return switch transfer.state {
        case .queued, .running, .waiting, .retrying, .verifying: .queued
        case .paused, .completed, .failed, .cancelled: transfer.state
        }
    }

    /// The process ended between giving the final name and saying so.
    private func isNamedAlready(_ transfer: StoredTransfer, _ files: FoundFiles) -> Bool {
        guard transfer.state == .verifying, !files.hasPartial, let resume = transfer.resume, let inode = resume.inode,
            inode == files.finalInode, let total = resume.data.total, total == files.finalLength else { return false }
        return isSameBoot(resume) || resume.data.ranges.prefixLength >= total
    }

    private func isSameBoot(_ resume: StoredResume) -> Bool { bootID != nil && resume.data.bootID == bootID }
}
