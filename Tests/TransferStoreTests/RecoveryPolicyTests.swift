// SPDX-License-Identifier: MIT

import Testing
import TransferModel
import TransferTesting
@testable import TransferStore

@Suite struct RecoveryPolicyTests {
    private func transfer(
        _ state: TransferState, inode: UInt64? = nil,
        synced: ByteRangeSet = .init(0..<10), total: Int64? = 100
    ) -> Transfer {
        var transfer = Transfer(id: TransferID(rawValue: 1), kind: .download, url: "u", file: "f", state: state)
        let data = ResumeData(
            url: "u", validator: .init(), ranges: synced, total: total, partialPath: "p", bootID: "this")
        var checkpoint = Checkpoint()
        checkpoint.download = DownloadCheckpoint(data, inode: inode)
        transfer.checkpoint = checkpoint
        return transfer
    }

    @Test(arguments: [
        (TransferState.queued, TransferState.queued), (.running, .queued), (.waiting, .queued), (.verifying, .queued),
        (.retrying, .queued), (.paused, .paused), (.completed, .completed), (.failed, .failed),
        (.cancelled, .cancelled),
    ]) func statesAfterARestart(_ before: TransferState, _ after: TransferState) {
        for bootID in ["this", "other", nil] {
            #expect(RecoveryPolicy(bootID: bootID).state(of: transfer(before)) == after)
        }
    }

    /// The process ended after the rename, before the journal said so.
    @Test(arguments: [
        (TransferState.verifying, "this", UInt64(7), Int64(100), false, true),
        (.verifying, "other", 7, 100, false, false), (.verifying, "this", 8, 100, false, false),
        (.verifying, "this", 7, 99, false, false),
        (.verifying, "this", 7, 100, true, false), (.running, "this", 7, 100, false, false),
    ]) func completesARenamedFile(
        _ state: TransferState, _ boot: String, _ inode: UInt64, _ length: Int64, _ hasPartial: Bool,
        _ isDone: Bool
    ) {
        let files = RecoveryPolicy.FoundFiles(hasPartial: hasPartial, finalLength: length, finalInode: inode)
        #expect(
            (RecoveryPolicy(bootID: boot).state(of: transfer(state, inode: 7), files: files) == .completed) == isDone)
    }

    @Test func syncedFilesCompleteAfterAnotherBoot() {
        let files = RecoveryPolicy.FoundFiles(finalLength: 100, finalInode: 7)
        let whole = transfer(.verifying, inode: 7, synced: .init(0..<100))
        #expect(RecoveryPolicy(bootID: "other").state(of: whole, files: files) == .completed)
    }
}
