// SPDX-License-Identifier: MIT

import SessionCore
import TransferModel
import TransferStore

/// What this process knows of a started transfer beside its record.
struct TransferPast {
    /// The stored part.
    var checkpoint = Checkpoint()
    /// Upload keys abandoned because the server may hold other bytes under them.
    var keysGivenUp = 0
    /// The current attempt so far.
    var attempt: TransferAttempt?
    /// What must be synced before the transfer is committed as completed, after an earlier process renamed its file.
    var syncing: [SyncTarget] = []
    /// The upload's key that the store has committed.
    var committedUpload: UploadCheckpoint?
    /// The user lifted its network restrictions.
    var isUnrestricted = false
    /// The question of the latest failed attempt.
    var question: ConsentQuestion?
    /// Where a download to a stream may resume.
    var streamPoint: ResumePoint?
}

extension Transfer {
    /// The record as it is stored.
    func with(_ past: TransferPast?) -> Transfer {
        var transfer = self
        transfer.checkpoint = past?.checkpoint
        return transfer
    }
}
