// SPDX-License-Identifier: MIT

import SessionCore
import TransferModel

/// State that the runs of a transfer leave to later runs of the same process, besides the stored ``Checkpoint``.
struct RunMemory {
    /// The number of FileQ keys that were replaced because the server may hold other bytes under them.
    var keysGivenUp = 0
    /// The upload's key that the store has committed.
    var committedUpload: UploadCheckpoint?
    /// Uploads that no run continues, and that the server may have: the next run has them removed.
    var leftUploads: [LeftUpload] = []
    /// Whether the user lifted the restrictions on networks (`liftRestrictions`).
    var isUnrestricted = false
    /// The question that the latest failed attempt would have asked.
    var question: ConsentQuestion?
    /// From where a download to a stream may be resumed.
    var streamPoint: ResumePoint?
    /// A rename that an earlier process may have done, kept until the folder responds.
    var rename: PendingRename?
}
