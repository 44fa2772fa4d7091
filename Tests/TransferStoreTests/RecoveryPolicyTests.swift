// SPDX-License-Identifier: MIT

import Testing
import TransferModel
@testable import TransferStore

@Suite struct RecoveryPolicyTests {
    private func transfer(_ state: TransferState, kind: TransferKind = .download, sequential: Bool = false, inode: UInt64? = nil,
                          synced: ByteRangeSet = .init(0..<10), total: Int64? = 100) -> StoredTransfer {
        var transfer = StoredTransfer(id: TransferID(rawValue: 1), rank: 0, session: "s", kind: kind, url: "u", addedAt: 0,
                                      file: "f", state: state)
        transfer.retryAt = 55
        let data = ResumeData(url: "u", validator: .init(), ranges: synced, total: total, partialPath: "p", bootID: "this")
        transfer.resume = StoredResume(data, written: .init([0..<20, 40..<60]), isSequential: sequential, inode: inode)
        return transfer
    }

    @Test(arguments: [
        (TransferState.queued, TransferState.queued), (.running, .queued), (.waiting, .queued), (.verifying, .queued),
        (.retrying, .retrying), (.paused, .paused), (.completed, .completed), (.failed, .failed), (.cancelled, .cancelled),
    ]) func statesAfterAStart(_ before: TransferState, _ after: TransferState) {
        for bootID in ["this", "other", nil] {
            let recovery = RecoveryPolicy(bootID: bootID).recovery(of: transfer(before))
            #expect(recovery.state == after)
            #expect(recovery.retryAt == (after == .retrying ? 55 : nil))
        }
    }

    struct Case: Sendable {
        var bootID: String?
        var length: Int64?
        var sequential = false
        var total: Int64? = 100
        var trusted: [Range<Int64>]
    }

    @Test(arguments: [
        Case(bootID: "this", length: 80, trusted: [0..<20, 40..<60]),
        Case(bootID: "this", length: 50, trusted: [0..<20, 40..<50]),
        Case(bootID: "this", length: 15, trusted: [0..<15]),
        Case(bootID: "this", length: 80, sequential: true, trusted: [0..<80]),
        Case(bootID: "this", length: 180, sequential: true, trusted: [0..<100]),
        Case(bootID: "this", length: 180, sequential: true, total: nil, trusted: [0..<180]),
        Case(bootID: "other", length: 80, trusted: [0..<10]),
        Case(bootID: "other", length: 80, sequential: true, trusted: [0..<10]),
        Case(bootID: "other", length: 5, trusted: [0..<5]),
        Case(bootID: nil, length: 80, sequential: true, trusted: [0..<10]),
        Case(bootID: "this", length: 0, trusted: []),
        Case(bootID: "this", length: nil, trusted: []),
    ]) func bytesThatMayBeKept(_ row: Case) {
        let recovery = RecoveryPolicy(bootID: row.bootID).recovery(
            of: transfer(.running, sequential: row.sequential, total: row.total), files: .init(partialLength: row.length))
        #expect(recovery.trusted.ranges == row.trusted)
    }

    @Test func neitherUploadsNorNewDownloadsHaveBytesHere() {
        let policy = RecoveryPolicy(bootID: "this")
        #expect(policy.recovery(of: transfer(.running, kind: .upload), files: .init(partialLength: 80)) == .init(.queued))
        var fresh = transfer(.running)
        fresh.resume = nil
        #expect(policy.recovery(of: fresh, files: .init(partialLength: 80)) == .init(.queued))
    }

    /// The process ended after the rename, before the journal said so.
    @Test(arguments: [
        (TransferState.verifying, "this", UInt64(7), Int64(100), nil as Int64?, true),
        (.verifying, "other", 7, 100, nil, false), (.verifying, "this", 8, 100, nil, false), (.verifying, "this", 7, 99, nil, false),
        (.verifying, "this", 7, 100, 50, false), (.running, "this", 7, 100, nil, false),
    ]) func aFileThatHasItsNameIsDone(_ state: TransferState, _ boot: String, _ inode: UInt64, _ length: Int64, _ partial: Int64?,
                                      _ isDone: Bool) {
        let files = RecoveryPolicy.FoundFiles(partialLength: partial, finalLength: length, finalInode: inode)
        let recovery = RecoveryPolicy(bootID: boot).recovery(of: transfer(state, inode: 7), files: files)
        #expect((recovery.state == .completed) == isDone)
    }

    @Test func syncedBytesAreDoneAfterAnotherBootToo() {
        let files = RecoveryPolicy.FoundFiles(finalLength: 100, finalInode: 7)
        let whole = transfer(.verifying, inode: 7, synced: .init(0..<100))
        #expect(RecoveryPolicy(bootID: "other").recovery(of: whole, files: files).state == .completed)
    }
}
