// SPDX-License-Identifier: MIT

import SessionCore
import TransferControl
import TransferModel

/// What the queue keeps of one transfer beside its public record. Used on the queue's own dispatch queue alone.
final class Job: @unchecked Sendable {
    // Sendable: closures carry it from `work` through other queues back to `work`; its members are used there alone.

    let id: TransferID
    /// Changed by ``Coordinator/relocated(_:_:)`` alone.
    var description: Spec
    /// The task of the present try; also while paused, when it is suspended.
    var task: TransferTask?
    var admission: DownloadAdmission?
    var files: KeptFiles?
    var meter = RateMeter()
    /// When the whole transfer must be done, on the scheduler's clock; known from its first start.
    var deadline: Double?
    /// Since when the transfer is paused, and its deadline moves on.
    var pausedAt: Double?
    /// Tries that failed in a row without progress that lasts.
    var failures = 0
    var hasRestarted = false
    /// Whether any byte moved in this try.
    var didMove = false
    /// Whether this try left more behind than it found, so that the next one starts further on.
    var hasProgressed = false
    /// Its owner wants it now, whatever the network costs.
    var isUnrestricted = false
    /// The next try, while it waits for its time.
    var retry: Retry?
    /// Why the task is being ended from here, if it is.
    var stop: Stop?
    /// Rises with each start, so that timers of an earlier try find nothing to do.
    var generation = 0
    /// One UUID for all tries of a FileQ upload of the same bytes: what makes repeating it safe.
    var uploadKey: (key: String, source: UploadSourceStatus)?
    var sid: String?
    /// While folders are being made for an upload.
    var folders: FolderCreation?
    /// That was tried: it is not tried a second time.
    var hasCreatedFolders = false
    /// Attempts in a row that the server refused after it had taken the whole body.
    var refusals = 0
    /// From where a download to a stream may go on.
    var streamPoint: ResumePoint?
    /// The first lines of an upload's answer.
    var answer: [UInt8] = []
    var kept = KeptBytes()
    /// When the partial file was last found to be in its place, on the scheduler's clock.
    var checkedAt = -Double.infinity
    /// The farthest position that any try has left behind: only beyond it is progress.
    var farthest: Int64 = 0
    /// The address that answered last, after redirects.
    var lastHost: String?
    var consent = Consent()
    var metrics = TransferMetrics()
    /// What is to be known of the file besides that it is there.
    var notice: String?
    /// Where the bytes of the latest try are, if they cannot be resumed.
    var leftBehind: String?
    /// Of the last final answer, for a background session's delegate.
    var responseFields: [SessionEvent.Field] = []
    /// Of the present try alone, once it is over.
    var latest: TransferMetrics?
    /// Why the latest try failed, and from which byte it had gone on.
    var lastError: TransferError?
    var beganAt: Int64 = 0
    /// Metrics of tries before the present one.
    var earlier = TransferMetrics()

    /// What is known of the partial file beside its bytes.
    struct KeptBytes {
        /// When its record was written last, on the scheduler's clock.
        var recordedAt: Double?
        /// Bytes that are known to be on the disk itself.
        var syncedBytes: Int64 = 0
        /// Whether the present try asked to go on from them; false once the server has sent another version.
        var isBeingResumed = false
        /// Whether a record of an earlier try or run may lie beside the file.
        var mayHaveRecord = false
        /// The next try asks for the whole: its range was refused.
        var asksForWhole = false
        /// Why the try under way asked for the whole although bytes are kept.
        var restartCause: String?
        /// Whether the try under way has been checked for what its owner should know of the response.
        var isNoted = false
    }

    /// On the scheduler's clock.
    struct Retry: Equatable {
        var failedAt: Double
        var time: Double
        /// There was no connection, or it broke: when the network changes there is no reason to wait any longer.
        var hopesForPath: Bool
    }

    enum Stop: Equatable {
        case cancel(deletingPartial: Bool)
        /// The next try has another address or other credentials.
        case relocate
        /// Something else has taken, replaced or cut the file that its bytes go to.
        case lost(TransferError)
        case shutDown
    }

    init(id: TransferID, description: Spec) {
        self.id = id
        self.description = description
    }

    /// A task that is ended for its owner, and has not ended yet.
    var isBeingCancelled: Bool {
        guard case .cancel = stop else { return false }
        return task != nil
    }

    /// The resource timeout stands still while the transfer is paused.
    func resumeClock(at now: Double) {
        if let pausedAt { deadline = deadline.map { $0 + now - pausedAt } }
        pausedAt = nil
    }

    /// Lets go of the partial file and of its lock; the task that wrote it may be freed a little later. A file that has
    /// its final name needs no unlocking: nobody looks for it under the old one.
    func dropPartial(isPlaced: Bool = false) {
        if isPlaced { files?.removeOther() } else { files?.unlock() }
        files = nil
    }

    /// The unfinished file that is being written.
    var partial: PartialFile? { files?.current }

    /// Seconds for all tries together.
    var resourceTimeout: Double { description.options.resourceTimeout ?? 7 * 86_400 }

    var download: Download? {
        if case .download(let download) = description.operation { download } else { nil }
    }

    var upload: Upload? {
        if case .upload(let upload) = description.operation { upload } else { nil }
    }

    /// How the transfer is called towards a person: its path, or `-`.
    var file: String { admission?.path ?? Self.file(of: description) }

    /// As it is known before any answer.
    static func file(of description: Spec) -> String {
        switch description.operation {
        case .download(let download): DownloadAdmission.firstPath(download.destination) ?? "-"
        case .upload(let upload):
            switch upload.source {
            case .file(let path): path
            case .stream(_, let name): name
            }
        }
    }
}
