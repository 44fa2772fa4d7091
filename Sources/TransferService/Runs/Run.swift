// SPDX-License-Identifier: MIT

import SessionCore
import TransferControl
import TransferModel

/// A transfer under way, from its first start until it ends: what is known of it beside its public record.
///
/// The coordinator says when a run begins, holds or ends; ``DownloadRun`` and ``UploadRun`` know how. A transfer that
/// is retried after its end gets another run, with what the journal kept of the first.
@EngineActor class Run {

    let id: TransferID
    let engine: Coordinator
    /// Changed by ``Coordinator/relocated(_:_:)`` and by a session that a server gave.
    var description: Spec
    /// The task of the present attempt; also while paused, when it is suspended.
    var task: TransferTask?
    var meter = RateMeter()
    /// The file system of its files, from its first start on; `nil` for a stream.
    var mount: MountTable.Mount?
    /// Its files are being asked for what an attempt needs or has left: another attempt waits for the reply.
    var isOnFiles = false
    /// An attempt began while ``isOnFiles``.
    var beginsAfterFiles = false
    /// When the whole transfer must be done, on the scheduler's clock; known from its first start.
    var deadline: Double?
    /// Since when the transfer is paused, and its deadline moves on.
    var pausedAt: Double?
    /// Attempts that failed in a row without progress that lasts.
    var failures = 0
    var hasRestarted = false
    /// Whether any byte moved in this attempt.
    var didMove = false
    /// Whether this attempt left more behind than it found, so that the next one starts further on.
    var hasProgressed = false
    /// The next attempt, while it waits for its time.
    var retry: Retry?
    /// Why the task is being ended from here, if it is.
    var stop: Stop?
    /// The same, after the task has ended, until what it leaves is known.
    var stopping: Stop?
    /// Rises with each start, so that timers of an earlier attempt find nothing to do.
    var generation = 0
    /// Attempts in a row that the server refused after it had taken the whole body.
    var refusals = 0
    /// The first lines of the response to an upload.
    var answer: [UInt8] = []
    /// The address that answered last, after redirects.
    var lastHost: String?
    var consent = Consent()
    var metrics = TransferMetrics()
    /// Of the last final response, for a background session's delegate.
    var responseFields: [SessionEvent.Field] = []
    /// Of the present attempt alone, once it is over.
    var latest: TransferMetrics?
    /// Why the latest attempt failed, and from which byte it had resumed.
    var lastError: TransferError?
    var beganAt: Int64 = 0
    /// Metrics of attempts before the present one.
    var earlier = TransferMetrics()

    /// On the scheduler's clock.
    struct Retry: Equatable {
        var failedAt: Double
        var time: Double
        /// There was no connection, or it broke: when the network changes there is no reason to wait any longer.
        var hopesForPath: Bool
    }

    enum Stop: Equatable {
        case cancel(deletingPartial: Bool)
        /// The next attempt has another address or other credentials.
        case relocate
        /// Something else has taken, replaced or cut the file that its bytes go to.
        case lost(TransferError)
        case shutDown
    }

    /// Of the kind that `description` asks for.
    static func make(_ id: TransferID, _ description: Spec, _ engine: Coordinator) -> Run {
        switch description.operation {
        case .download(let download): DownloadRun(id, description, download, engine)
        case .upload(let upload): UploadRun(id, description, upload, engine)
        }
    }

    init(_ id: TransferID, _ description: Spec, _ engine: Coordinator) {
        self.id = id
        self.description = description
        self.engine = engine
    }

    // MARK: What each kind does its own way

    /// How the transfer is called towards a person: its path, or `-`.
    var file: String { Self.file(of: description) }

    /// Begins an attempt.
    /// - Throws: why it cannot begin.
    func begin() throws {}

    /// The task of an attempt has begun.
    func launched() {}

    /// Whether bytes still arrive as they should; called with each progress, in which case they are `total` by now.
    func advanced(_ task: DownloadTask, to total: Int64) -> Bool { true }

    /// The task of an attempt has ended by itself.
    func ended(_ task: TransferTask, _ error: TransferError?) {}

    /// The task was ended from here, for the reason given; it may have succeeded a moment before.
    func stopped(_ task: TransferTask, _ stop: Stop, _ error: TransferError?) {
        switch stop {
        case .cancel: engine.end(id, .cancelled, nil)
        case .relocate: engine.beginAnew(self)
        case .lost(let error): engine.failed(self, error)
        case .shutDown: engine.rests(self, at: nil)
        }
    }

    func relocate(to description: Spec) { self.description = description }

    /// Closes its file and lets others lock it, until the next attempt.
    func letGo() {}

    /// The transfer has ended in `state`: as ``letGo()``, for good.
    func finish(_ state: TransferState) { letGo() }

    /// Removes a file without a byte of an attempt that failed.
    func discardIfEmpty() {}

    /// What is to be known of a success besides that it is one.
    var notice: TransferNote? { nil }

    /// Where the bytes of a failed attempt are, if they cannot be resumed.
    var leftBehind: TransferNote? { nil }

    // MARK: The same for all

    /// A task that is ended for its owner, and has not ended yet.
    var isBeingCancelled: Bool {
        guard case .cancel = stop ?? stopping else { return false }
        return task != nil || stopping != nil
    }

    /// The resource timeout stands still while the transfer is paused.
    func resumeClock(at now: Double) {
        if let pausedAt { deadline = deadline.map { $0 + now - pausedAt } }
        pausedAt = nil
    }

    /// Seconds for all attempts together.
    var resourceTimeout: Double { description.options.resourceTimeout ?? 7 * 86_400 }

    /// As it is known before any response.
    nonisolated static func file(of description: Spec) -> String {
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
