// SPDX-License-Identifier: MIT

import SessionCore
import TransferControl
import TransferModel

/// The private state of a transfer from its first start until its end, over all attempts. ``Transfer`` is its public
/// record.
///
/// The coordinator decides when a run begins an attempt, pauses or ends; ``DownloadRun`` and ``UploadRun`` carry that
/// out. A transfer that is retried after its end gets a new run, which starts from the stored checkpoint.
@EngineActor class Run {

    let id: TransferID
    let engine: Coordinator
    /// Changed by ``Coordinator/relocated(_:_:)`` and by a session that a server issued.
    var description: Spec
    /// The task of the present attempt; also while paused, when it is suspended.
    var task: TransferTask?
    /// The task that ``suspendTask()`` has suspended.
    private weak var suspended: TransferTask?
    var meter = RateMeter()
    /// The file system of its files, from its first start on; `nil` for a stream.
    var mount: MountTable.Mount?
    /// Calls on its files are under way that an attempt needs at its begin or end: another attempt waits for them.
    var isOnFiles = false
    /// An attempt began while ``isOnFiles``.
    var beginsAfterFiles = false
    /// When the whole transfer must be done, on the scheduler's clock; known from its first start.
    var deadline: Double?
    /// When the pause began; the deadline is extended by its length.
    var pausedAt: Double?
    /// The note of the next attempt if a relocation replaced something: address, credentials or folder.
    var replaced = TransferNote.relocated
    /// Failed attempts in a row that stored no new bytes.
    var failures = 0
    /// ``Suspends/total`` when the attempt began.
    var suspendedBefore = Double.infinity
    var hasRestarted = false
    /// Whether any byte moved in this attempt.
    var didMove = false
    /// Whether the next attempt resumes further on than this one did.
    var hasProgressed = false
    /// The next attempt, while it waits for its time.
    var retry: Retry?
    /// Why the run is ending its task, if it is.
    var stop: Stop?
    /// Why the run stopped, from the end of the task until its files have been checked.
    var stopping: Stop?
    /// Rises with each start, so that timers of an earlier attempt have no effect.
    var generation = 0 { didSet { ticket = nil } }
    /// A sent request that the attempt continues. An attempt that ends before its task begins gives it up, and with
    /// that the request.
    var ticket: FetchTicket?
    /// Attempts that failed after the server had taken the whole body, for whatever reason.
    var refusals = 0
    /// The first of the failures in a row at which the proxy refused the connection to the server.
    var proxyRefusedSince: Double?
    /// The first lines of the response to an upload; the whole of a response that is no file.
    var answer: [UInt8] = []
    /// The host that responded last, after redirects.
    var lastHost: String?
    var consent = Consent()
    var metrics = TransferMetrics()
    /// The fields of the last final response, for a background session's delegate.
    var responseFields: [SessionEvent.Field] = []
    /// The metrics of the current attempt alone, set at its end.
    var latest: TransferMetrics?
    /// Why the latest attempt failed, and from which byte it had resumed.
    var lastError: TransferError?
    var beganAt: Int64 = 0
    /// The first byte of the current attempt, known once bytes have moved. It is 0 where the server allows no resuming.
    var firstByte: Int64? { didMove ? beganAt : nil }
    /// Metrics of attempts before the present one.
    var earlier = TransferMetrics()

    /// On the scheduler's clock.
    struct Retry: Equatable {
        var failedAt: Double
        var time: Double
        /// There was no connection, or it broke: a change of the network ends the wait.
        var hopesForPath: Bool
        /// Whether the attempt counts in ``Run/failures``.
        var isCounted: Bool
    }

    enum Stop: Equatable {
        case cancel(deletingPartial: Bool)
        /// The next attempt has another address or other credentials.
        case relocate
        /// Its files are copied to another file system, and nothing may write them.
        case move
        /// Another program has taken, replaced or truncated the file.
        case lost(TransferError)
        case shutDown
    }

    /// Makes a run of the kind that `description` asks for.
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

    /// Suspensions of a task add up: one that is suspended for want of a slot, then paused, is resumed once.
    func suspendTask() {
        guard let task, suspended !== task else { return }
        suspended = task
        task.suspend()
    }

    func resumeTask() {
        suspended = nil
        task?.resume()
    }

    // MARK: Per kind

    /// The name of the transfer in messages: its path, or `-`.
    var file: String { Self.file(of: description) }

    /// The address that the current attempt requests.
    var address: TransferURL { description.url }

    /// The most bytes of a response body that are kept in ``answer``.
    var answerLimit: Int { ServerReason.limit }

    /// The body of a response has at least ``answerLimit`` bytes.
    func answerIsFull() {}

    /// Begins an attempt.
    /// - Throws: why it cannot begin.
    func begin() throws {}

    /// The task of an attempt has started.
    func launched() {}

    /// Called with each progress, up to `total`.
    /// - Returns: whether the file is as it should be.
    func advanced(_ task: DownloadTask, to total: Int64) -> Bool { true }

    /// Where the attempt with these metrics of a task began.
    func start(of metrics: TransferMetrics) -> Int64 { metrics.resumedFrom }

    /// The bytes of the file, when its task has come to `position`.
    func stored(at position: Int64) -> Int64 { position }

    /// The number of connections; `nil` for one.
    var connections: Int? { nil }

    /// A task beside the run's own has moved bytes, `total` of them so far.
    func helper(_ task: TransferTask, hasMoved total: Int64) {}

    /// A task beside the run's own has ended.
    func helper(_ task: TransferTask, hasEnded error: TransferError?) {}

    /// The transfer was paused, or waits for the network.
    func heldUp() {}

    /// Limits the bytes per second of all connections together.
    func setRateLimit(_ rate: Int?) { task?.setRateLimit(rate) }

    /// The consequence of the end of the run's own task for the attempt.
    enum TaskEnd {
        /// Other tasks carry it on.
        case continues
        case ends(TransferError?)
    }

    /// The run's task has ended.
    func taskEnded(_ task: TransferTask, _ error: TransferError?) -> TaskEnd { .ends(error) }

    /// The task of an attempt has ended, not ended by its run.
    func ended(_ task: TransferTask, _ error: TransferError?) {}

    /// The run has ended the task for the reason `stop`; it may have succeeded a moment before.
    func stopped(_ task: TransferTask, _ stop: Stop, _ error: TransferError?) {
        switch stop {
        case .cancel: engine.end(id, .cancelled, nil)
        case .relocate: engine.startAgain(self)
        case .move: engine.standBy(id)
        case .lost(let error): engine.failed(self, error)
        case .shutDown: engine.stopForNextProcess(self, at: nil)
        }
    }

    func relocate(to description: Spec) { self.description = description }

    /// Closes and unlocks its file until the next attempt.
    func releaseFiles() {}

    /// The transfer has ended in `state`: as ``releaseFiles()``, permanently.
    func finish(_ state: TransferState) { releaseFiles() }

    /// Removes a file without a byte of an attempt that failed.
    func discardIfEmpty() {}

    /// A note on a success.
    var notice: TransferNote? { nil }

    /// Whether the next attempt begins with the first byte, whatever has moved.
    var beginsAgain: Bool { false }

    /// Where the bytes of a failed attempt are, if they cannot be resumed.
    var leftBehind: TransferNote? { nil }

    // MARK: Common

    /// The costs of a task that is not the run's own.
    func include(_ cost: TransferMetrics) {
        var cost = cost
        cost.taskStart = earlier.taskStart
        earlier.include(earlier: cost)
        cost.taskStart = metrics.taskStart
        metrics.include(earlier: cost)
    }

    /// The user has cancelled it, and it has not ended yet.
    var isBeingCancelled: Bool {
        guard case .cancel = stop ?? stopping else { return false }
        return task != nil || stopping != nil
    }

    /// - Parameter silentSince: seconds since 1970.
    func pace(of transfer: Transfer, silentSince: Double?) -> TransferStatus.Pace? {
        var pace = meter.pace(remaining: transfer.total.map { $0 - transfer.bytes })
        pace?.connections = connections
        pace?.silentSince = silentSince
        return pace
    }

    /// The resource timeout stands still while the transfer is paused.
    func resumeClock(at now: Double) {
        if let pausedAt { deadline = deadline.map { $0 + now - pausedAt } }
        pausedAt = nil
    }

    /// Seconds since its first start, without pauses; `nil` before.
    func timeUsed(at now: Double) -> Double? {
        deadline.map { max(0, resourceTimeout - ($0 - (pausedAt ?? now))) }
    }

    /// Seconds for all attempts together.
    var resourceTimeout: Double { description.options.resourceTimeout ?? 7 * 86_400 }

    /// Before any response.
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
