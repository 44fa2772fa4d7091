// SPDX-License-Identifier: MIT

import SessionCore
import TransferModel

/// What the runs of a transfer leave to later ones of the same process, besides its ``Checkpoint``.
struct RunMemory {
    /// Keys under which the server may hold something else.
    var keysGivenUp = 0
    /// The upload's key that the store has committed.
    var committedUpload: UploadCheckpoint?
    /// Uploads that no run continues, and that the server may have: the next run has them removed.
    var leftUploads: [LeftUpload] = []
    /// The user wants it now, whatever the network costs.
    var isUnrestricted = false
    /// What the latest failed attempt would have asked.
    var question: ConsentQuestion?
    /// From where a download to a stream may be resumed.
    var streamPoint: ResumePoint?
    /// What an earlier process may have done to the file, until its folder responds.
    var rename: PendingRename?
}
