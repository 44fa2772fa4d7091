// SPDX-License-Identifier: MIT

import SessionCore
import TransferModel
import TransferStore

extension TransferSnapshot {
    init(_ stored: StoredTransfer) {
        self.init(id: stored.id, kind: stored.kind, url: stored.url, file: stored.file, state: stored.state)
        (bytes, total, confirmed) = (stored.bytes, stored.total, stored.confirmed)
        (attempt, reason, retryAt, status) = (stored.attempt, stored.reason, stored.retryAt, stored.status)
        (error, rateLimit, addedAt, endedAt) = (stored.error, stored.rateLimit, stored.addedAt, stored.endedAt)
        pausedBy = stored.pausedBy
        priority = stored.priority == 0.5 ? nil : stored.priority
        earliestBegin = stored.earliestBeginAt
        isDiscretionary = stored.isDiscretionary ? true : nil
        session = stored.session.isEmpty ? nil : stored.session
        taskDescription = stored.taskDescription
    }
}

extension StoredTransfer {
    /// As it is written over what is stored; its rank stays.
    init(_ transfer: TransferSnapshot, _ past: TransferPast?) {
        self.init(
            id: transfer.id, session: transfer.session ?? "", kind: transfer.kind, url: transfer.url,
            addedAt: transfer.addedAt,
            file: transfer.file, state: transfer.state)
        (bytes, total, confirmed) = (transfer.bytes, transfer.total, transfer.confirmed)
        (attempt, reason, retryAt, status) = (transfer.attempt, transfer.reason, transfer.retryAt, transfer.status)
        (error, rateLimit, endedAt) = (transfer.error, transfer.rateLimit, transfer.endedAt)
        pausedBy = transfer.pausedBy
        priority = transfer.priority ?? 0.5
        earliestBeginAt = transfer.earliestBegin
        isDiscretionary = transfer.isDiscretionary ?? false
        taskDescription = transfer.taskDescription
        guard let past else { return }
        (failures, startedAt, resume, upload) = (past.failures, past.startedAt, past.resume, past.upload)
    }
}

extension NewTransfer {
    init(_ description: Spec, file: String, addedAt: Double, session: String?) {
        self.init(description, session: session ?? "", file: file, addedAt: addedAt)
        priority = description.options.priority
    }
}

/// What a transfer has behind it, beside its snapshot. Only those that have begun have one.
struct TransferPast {
    /// When its resource timeout began to count; moves on with each pause.
    var startedAt: Double?
    var failures = 0
    var resume: StoredResume?
    var upload: StoredUpload?
    /// Keys under which the server may hold something else.
    var keysGivenUp = 0
    /// The try that runs, as it is known so far.
    var attempt: StoredAttempt?
    /// What must be on the disk before the transfer is written down as completed: of one that an earlier process
    /// renamed.
    var syncing: [SyncTarget] = []
    // What follows is not stored.
    /// The upload's key that the store has committed.
    var committedUpload: StoredUpload?
    /// Its owner wants it now, whatever the network costs.
    var isUnrestricted = false
    /// What the latest attempt that failed would have asked a person.
    var question: ConsentQuestion?
    /// From where a download to a stream may go on.
    var streamPoint: ResumePoint?

    init() {}

    /// `nil` for one that never began.
    init?(_ stored: StoredTransfer) {
        guard stored.startedAt != nil || stored.upload != nil || stored.resume != nil || stored.failures > 0 else {
            return nil
        }
        (startedAt, failures, resume, upload) = (stored.startedAt, stored.failures, stored.resume, stored.upload)
    }
}
