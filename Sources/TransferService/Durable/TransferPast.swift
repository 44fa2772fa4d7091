// SPDX-License-Identifier: MIT

import SessionCore
import TransferModel
import TransferStore

/// What this process knows of a transfer beside its record. Only those that have begun have one.
struct TransferPast {
    /// What of it is stored.
    var checkpoint = Checkpoint()
    /// Keys under which the server may hold something else.
    var keysGivenUp = 0
    /// The attempt that runs, as it is known so far.
    var attempt: TransferAttempt?
    /// What must be on the disk before the transfer is written down as completed: of one that an earlier process
    /// renamed.
    var syncing: [SyncTarget] = []
    /// The upload's key that the store has committed.
    var committedUpload: UploadCheckpoint?
    /// Its owner wants it now, whatever the network costs.
    var isUnrestricted = false
    /// What the latest attempt that failed would have asked a person.
    var question: ConsentQuestion?
    /// From where a download to a stream may go on.
    var streamPoint: ResumePoint?
    /// What an earlier process may have done to the file, until its folder responds.
    var rename: PendingRename?

    mutating func forgetRename() {
        rename = nil
        checkpoint.download = nil
    }
}

extension Transfer {
    /// As it is stored.
    func with(_ past: TransferPast?) -> Transfer {
        var transfer = self
        transfer.checkpoint = past?.checkpoint
        return transfer
    }
}
