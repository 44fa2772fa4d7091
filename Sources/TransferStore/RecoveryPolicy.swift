// SPDX-License-Identifier: MIT

public import TransferModel

/// What a transfer is when its queue is opened again, however the last process ended. Pure.
public struct RecoveryPolicy: Sendable {
    /// The kernel's boot id now; `nil` where it is not known, which counts as another boot.
    public var bootID: String?

    public init(bootID: String?) { self.bootID = bootID }

    /// What is found of a download's file.
    public struct FoundFiles: Sendable, Hashable {
        /// Length of the partial file; `nil` where there is none.
        public var partialLength: Int64?
        /// The file that bears the final name, where there is one.
        public var finalLength: Int64?
        public var finalInode: UInt64?

        public init(partialLength: Int64? = nil, finalLength: Int64? = nil, finalInode: UInt64? = nil) {
            self.partialLength = partialLength
            self.finalLength = finalLength
            self.finalInode = finalInode
        }
    }

    public struct Recovery: Sendable, Hashable {
        public var state: TransferState
        /// When the next try starts, while retrying.
        public var retryAt: Double?
        /// Which bytes of the partial file may be kept.
        public var trusted: ByteRangeSet

        public init(_ state: TransferState, retryAt: Double? = nil, trusted: ByteRangeSet = .init()) {
            self.state = state
            self.retryAt = retryAt
            self.trusted = trusted
        }
    }

    public func recovery(of transfer: StoredTransfer, files: FoundFiles = .init()) -> Recovery {
        if isNamedAlready(transfer, files) { return Recovery(.completed) }
        let trusted = trustedRanges(transfer, files)
        switch transfer.state {
        case .running, .verifying, .waiting, .queued: return Recovery(.queued, trusted: trusted)
        case .retrying: return Recovery(.retrying, retryAt: transfer.retryAt, trusted: trusted)
        case .paused, .completed, .failed, .cancelled: return Recovery(transfer.state, trusted: trusted)
        }
    }

    /// The process ended between giving the final name and saying so.
    private func isNamedAlready(_ transfer: StoredTransfer, _ files: FoundFiles) -> Bool {
        guard transfer.state == .verifying, files.partialLength == nil, let resume = transfer.resume, let inode = resume.inode,
            inode == files.finalInode, let total = resume.data.total, total == files.finalLength else { return false }
        return isSameBoot(resume) || resume.data.ranges.prefixLength >= total
    }

    /// In the boot that wrote them, written bytes; after another, only those that were synced before they were stored.
    private func trustedRanges(_ transfer: StoredTransfer, _ files: FoundFiles) -> ByteRangeSet {
        guard transfer.kind == .download, let resume = transfer.resume, let length = files.partialLength, length > 0 else {
            return ByteRangeSet()
        }
        var ranges = resume.data.ranges.ranges
        if isSameBoot(resume) {
            ranges += resume.written.ranges
            if resume.isSequential { ranges.append(0..<length) }
        }
        let limit = min(length, resume.data.total ?? .max)
        return ByteRangeSet(ranges.map { $0.clamped(to: 0..<limit) })
    }

    private func isSameBoot(_ resume: StoredResume) -> Bool { bootID != nil && resume.data.bootID == bootID }
}
