// SPDX-License-Identifier: MIT

import Dispatch
import Glibc
import HTTPTypes
import SessionCore
import TransferModel
import TransferStore

typealias HTTPMethod = HTTPRequest.Method

/// A download from its first start to its end: partial file, record, connections, addresses, checksum and rename.
final class DownloadRun: Run {

    /// The download as the spec has it, or as described by a Metalink document that the address leads to.
    var download: Download
    var admission: DownloadAdmission?
    var files: PartialFiles?
    var kept = ResumableBytes()
    /// When the partial file was last found to be in its place, on the scheduler's clock.
    var checkedAt = -Double.infinity
    /// The farthest position of all attempts: only what lies beyond it is progress.
    private var farthest: Int64 = 0
    var responseNotice: TransferNote?
    private var bytesLeftBehind: TransferNote?
    /// The connections of the present attempt; `nil` as long as there can be one only.
    var pieces: Pieces?
    /// How many of them had raised the rate, in the attempts before.
    private(set) var usefulConnections = 1
    /// The addresses of the file.
    var sources: DownloadSources
    /// Whether a Metalink document describes the file.
    var document = Document.unknown
    /// The digest that a response named.
    var announced: Checksum?
    /// The task whose response was last read for mirrors and digest.
    var learnedFrom: Int?
    /// A transient failure of one of the addresses.
    var hopeful: TransferError?
    /// How the task of the attempt writes its file.
    var placement = BodyPlacement()
    /// Its last byte arrived after a pause: the rest waits until it is resumed.
    var wholeWhilePaused: DownloadTask?

    /// State of the partial file besides its bytes.
    struct ResumableBytes {
        /// When its record was written last, on the scheduler's clock.
        var recordedAt: Double?
        /// Bytes that have been synced.
        var syncedBytes: Int64 = 0
        /// The address that the present attempt asked for.
        var requested: TransferURL?
        /// Whether the present attempt asked to resume from them; false once the server has sent another version.
        var isBeingResumed = false
        /// Whether a record of an earlier attempt or process may lie beside the file.
        var mayHaveRecord = false
        /// The next attempt asks for the whole: its range was refused.
        var requestsWholeFile = false
        /// Why the current attempt asked for the whole in spite of partial data.
        var restartCause: RestartCause?
        /// Whether the response of the current attempt has been reported on.
        var isNoted = false
        /// Attempts in a row that the server of the bytes has refused for now. Then redirects may lead to another one,
        /// which begins again.
        var refusals = 0
        /// Any byte of the file may be missing on the disk.
        var lost: TransferError?
    }

    init(_ id: TransferID, _ description: Spec, _ download: Download, _ engine: Coordinator) {
        self.download = download
        sources = Self.sources(of: description, download)
        super.init(id, description, engine)
    }

    override var file: String { admission?.path ?? super.file }
    override var address: TransferURL { sources.address }
    override var notice: TransferNote? { responseNotice }
    override var leftBehind: TransferNote? { bytesLeftBehind }

    /// The unfinished file that is being written.
    var partial: PartialFile? { files?.current }

    override func relocate(to description: Spec) {
        super.relocate(to: description)
        if case .download(let download) = description.operation { self.download = download }
        engine.memories[id]?.streamPoint?.address = nil
        wholeWhilePaused = nil
        document = .unknown
        let known = sources
        sources = Self.sources(of: description, download)
        sources.keepWaits(of: known)
        (announced, learnedFrom) = (nil, nil)
        usefulConnections = 1
    }

    override func releaseFiles() {
        let old = files?.path
        onFiles { $0.unlock() }
        files = nil
        wholeWhilePaused = nil
        moveFiles(from: old)
    }

    /// Makes quick calls on its files whose effect nothing waits for.
    func onFiles(_ body: @escaping @Sendable (PartialFiles) -> Void) {
        guard let files else { return }
        engine.onFiles(at: files.path, mount) { body(files) }
    }

    override func finish(_ state: TransferState) {
        // A renamed file needs no unlocking: no opening looks for it under the old name.
        let old = files?.path
        if let files, state == .completed, files.hasOther {
            let sharing = engine.sharing(of: id, at: files.path)
            onFiles { $0.removeOther(leaving: sharing) }
        } else if state != .completed {
            onFiles { $0.unlock() }
        }
        files = nil
        if state != .completed { moveFiles(from: old) }
        guard let path = admission?.path else { return }
        if state == .completed { engine.claims.complete(path, by: id) } else { engine.claims.release(path, by: id) }
    }

    override func discardIfEmpty() {
        onFiles { if $0.current.length == 0 { $0.removeCurrent() } }
    }

    // MARK: Beginning

    override func begin() throws {
        if let whole = wholeWhilePaused {
            wholeWhilePaused = nil
            return finishDownload(whole)
        }
        if kept.lost != nil { discardPartialFiles(areDamaged: true) }
        if let old = admission?.path { engine.claims.release(old, by: id) }
        let admission = DownloadAdmission(
            download, url: address, id: id, claims: engine.claims, documents: metalinkUse,
            name: document.name)
        self.admission = admission
        guard let partialPath = DownloadAdmission.partialPath(download.destination) else { return try beginStream() }
        mount = engine.mounts.mount(of: partialPath)
        if let rename = engine.memories[id]?.rename { resolve(rename) } else { open(partialPath) }
    }

    /// An earlier process may have renamed the file already.
    private func resolve(_ rename: PendingRename) {
        guard !isOnFiles else { return beginsAfterFiles = true }
        isOnFiles = true
        let (attempt, sharing) = (generation, engine.sharing(of: id))
        engine.onFiles(of: self, rename.path, survivesStop: true) { () throws(TransferError) in
            try rename.resolve(leaving: sharing)
        } then: { [self] found in
            isOnFiles = false
            if case .success(let outcome) = found { engine.resolved(self, rename, outcome) }
            guard !engine.hasEnded, engine.runs[id] === self else { return }
            if generation == attempt { _ = try found.get() }
            if generation == attempt || beginsAfterFiles { try beginAfterFiles() }
        }
    }

    /// - Parameter isCompared: see ``DownloadOpening``.
    private func open(_ partialPath: String, isCompared: Bool = false) {
        guard let mount else { return }
        engine.fetches.folders.notePartial(partialPath)
        // An earlier attempt may still hold the lock.
        guard !isOnFiles else { return beginsAfterFiles = true }
        releaseIfMoved()
        isOnFiles = true
        let opening = DownloadOpening(
            download: download, urls: usableURLs, path: admission?.path, partialPath: partialPath,
            earlier: files, requestsWholeFile: kept.requestsWholeFile || download.body != nil,
            knowsNoValidator: kept.recordedAt == nil && files?.holdsOwnBytes == true,
            permissions: FilePermissions(description.options), isCompared: isCompared,
            closing: engine.closing(partialPath, on: mount))
        let attempt = generation
        engine.onFiles(of: self, partialPath, survivesStop: true) { () throws(TransferError) in
            try opening.carryOut()
        } then: { [self] found in
            isOnFiles = false
            if generation == attempt { return try opened(found.get(), opening) }
            // Stopped meanwhile; the next attempt uses the open files.
            if case .success(.opened(let opened)) = found { files = opened.files }
            if beginsAfterFiles { try beginAfterFiles() }
        }
    }

    func beginAfterFiles() throws {
        beginsAfterFiles = false
        if engine.queue[id]?.state == .running { try begin() }
    }

    private func opened(_ outcome: DownloadOpening.Outcome, _ opening: DownloadOpening) throws {
        switch outcome {
        case .compares: if let path = opening.path { compareExisting(path, opening.partialPath) }
        case .exists(let size): if let path = opening.path { endUnfetched(path, .exists, size: size) }
        case .misnamed(let name):
            guard case .folder(let folder, _) = download.destination else { return }
            save(to: .folder(path: folder, name: name))
            try begin()
        case .refused(let error):
            let path = opening.partialPath
            let other = engine.runs.values.first { $0 !== self && ($0 as? DownloadRun)?.files?.path == path }
            guard let other else {
                if error.fields.file?.kind == .beingWritten, takeOtherName() { return try begin() }
                throw error
            }
            throw TransferError(
                .cannotWrite, file: .init(.nameInUse, holder: other.id.rawValue), path: file, variant: .nameInUse)
        case .opened(let opened): begin(with: opened, requestsWholeFile: opening.requestsWholeFile)
        }
    }

    /// Where another process downloads to the same name, a download that keeps both files begins at the next one. A
    /// queue on disk finds its partial file by the first name only.
    /// - Returns: false if it has to fail.
    private func takeOtherName() -> Bool {
        guard download.existing == .keepsBoth, !download.overwrites, engine.policy.keepsSpecs,
            // The search may not wait for a remote file system.
            mount?.isLocal != false, let path = DownloadAdmission.firstPath(download.destination),
            let free = DownloadAdmission.names(beside: path, isCounted: true)
                .first(where: { !DownloadAdmission.exists($0) })
        else { return false }
        switch download.destination {
        case .stream: return false
        case .file: save(to: .file(path: free))
        case .folder(let folder, _): save(to: .folder(path: folder, name: String(free.afterLastSlash)))
        }
        return true
    }

    private func save(to destination: Download.Destination) {
        download.destination = destination
        if case .download(var described) = description.operation {
            described.destination = destination
            description.operation = .download(described)
        }
        if let path = DownloadAdmission.firstPath(destination) { engine.update(id) { $0.file = path } }
    }

    /// A file with the right checksum is the requested one; any other is treated as without a checksum.
    private func compareExisting(_ path: String, _ partialPath: String) {
        guard let checksum = download.checksum else { return }
        engine.readFile(of: self) {
            FileDigest.compute(checksum.algorithm, path: path) == checksum.bytes ? FileDigest.status(path) : nil
        } then: { [self] status in
            if let status {
                let size = Int64(status.st_size)
                // Another program may have written it without a sync.
                engine.journal.resolve(id, syncing: SyncTarget(path: path, device: UInt64(status.st_dev)))
                engine.update(id) {
                    $0.bytes = size
                    $0.total = size
                    $0.confirmed = size
                    $0.file = path
                }
                return engine.end(id, .completed, nil)
            }
            if !download.overwrites, download.existing == .skips {
                throw TransferError(
                    ContentMismatch(.existing, expected: checksum), path: path, variant: .existingDiffers)
            }
            if case .file = download.destination, !download.overwrites, download.existing == .fails {
                throw DownloadAdmission.existsError(path)
            }
            open(partialPath, isCompared: true)
        }
    }

    private func begin(with opened: DownloadOpening.Opened, requestsWholeFile: Bool) {
        files = opened.files
        if let plan = pieces?.plan { usefulConnections = plan.useful }
        (pieces, placement) = (nil, BodyPlacement())
        kept.mayHaveRecord = opened.mayHaveRecord
        var resume = startingPoint(opened.resume, from: opened.resumeURL)
        if !requestsWholeFile { kept.restartCause = opened.restartCause }
        kept.requestsWholeFile = false
        if resume == nil { forgetVersion() } else { kept.syncedBytes = opened.synced }
        kept.isBeingResumed = resume != nil
        if let point = resume, let stored = opened.pieces { resume = resumePieces(from: point, stored) }
        engine.update(id) {
            $0.bytes = pieces?.plan.present.count ?? resume?.offset ?? 0
            $0.confirmed = $0.bytes
            $0.total = resume?.total ?? $0.total
        }
        receive(.partial(opened.files.current), resume, existing: opened.existing)
    }

    /// What an earlier attempt wrote to a stream cannot be taken back.
    private func beginStream() throws {
        guard case .stream(let descriptor) = download.destination else { return }
        let written = engine.queue[id]?.bytes ?? 0
        let resume = engine.memories[id]?.streamPoint
        guard written == 0 || resume?.offset == written else {
            throw TransferError(.partialFile, .outputBrokeOff, written, host: description.url.authority)
        }
        receive(.stream(descriptor: descriptor), resume)
    }

    private func receive(_ place: DownloadTarget.Place, _ resume: ResumePoint?, existing: ExistingFileVersion? = nil) {
        guard let session = engine.session, let admission else { return }
        var resume = resume
        if kept.refusals >= 8 { resume?.address = nil }
        admission.began(at: resume, from: address)
        (kept.isNoted, kept.requested) = (false, address)
        var target = DownloadTarget(
            place: place, resume: resume, copy: existing?.validator, body: download.body,
            digest: download.checksum?.algorithm, admit: { admission.evaluate($0, from: $1) })
        (target.ticket, ticket) = (ticket, nil)
        if let files {
            target.lane = engine.lane(of: files.path, on: mount)
            target.placement = placement
            if let pieces { target.extendsTo = pieces.extendedLength }
            target.replacement = { [placement] () throws(TransferError) -> PartialFile in
                defer { placement.isPositioned = false }
                return try files.makeNewVersion()
            }
        }
        engine.launch(session.downloadTask(with: engine.request(for: self, method: .get), to: target), for: self)
    }

    // MARK: Ending

    override func launched() {
        // What arrives within the first interval is checked before the rename.
        checkedAt = engine.scheduler.now
    }

    override func advanced(_ task: DownloadTask, to total: Int64) -> Bool {
        notice(task)
        followPieces(task, to: total)
        guard isIntact(task, holding: pieces?.reach ?? total) else { return false }
        checkpoint(task)
        return true
    }

    /// A connection that took the place of the first began in the middle.
    override func start(of metrics: TransferMetrics) -> Int64 { pieces == nil ? metrics.resumedFrom : beganAt }

    override func stored(at position: Int64) -> Int64 { pieces?.plan.present.count ?? position }

    override var answerLimit: Int {
        document == .requested ? Metalink.maximumBytes + 1 : super.answerLimit
    }

    override func answerIsFull() { task?.cancel() }

    override var connections: Int? { pieces.flatMap { $0.count > 1 ? $0.count : nil } }

    override func helper(_ task: TransferTask, hasMoved total: Int64) { piece(task, hasStoredUpTo: total) }

    override func helper(_ task: TransferTask, hasEnded error: TransferError?) {
        if let task = task as? DownloadTask { piece(task, hasEnded: error) }
    }

    override func heldUp() { if pieces != nil { holdPieces() } }

    override func setRateLimit(_ rate: Int?) {
        if pieces == nil { super.setRateLimit(rate) } else { shareRate() }
    }

    override func taskEnded(_ task: TransferTask, _ error: TransferError?) -> TaskEnd {
        guard let task = task as? DownloadTask, pieces != nil else { return .ends(error) }
        return pieceEnded(task, error)
    }

    override func ended(_ task: TransferTask, _ error: TransferError?) {
        if let task = task as? DownloadTask { ended(task, error) } else { documentEnded(task, error) }
    }

    private func ended(_ task: DownloadTask, _ error: TransferError?) {
        if admission?.isDocument == true { return requestDocument() }
        if let cause = unfetched(task, error) { return endUnfetched(file, cause) }
        guard let error = error.map({ explained($0, task) }) else {
            notice(task, .whole)
            return finishDownload(task)
        }
        // Only what lies beyond every earlier attempt counts: a server that ignores ranges sends the same bytes each
        // time.
        let reached = pieces?.plan.present.count ?? task.resumePoint?.offset ?? 0
        hasProgressed = didMove && reached > farthest
        farthest = max(farthest, reached)
        let isOfSource = error.fields.host != nil && error.fields.host == task.resumePoint?.address?.authority
        kept.refusals = hasProgressed ? 0 : kept.refusals + (isOfSource ? 1 : 0)
        inspect(task) { [self] left in
            if let problem = left.problem { return lost(problem) }
            bytesLeftBehind = whereBytesAre(task, left.length)
            keepPartial(task, left.length)
            // Bytes in the wrong place have left, whatever has been counted of them.
            if isExcess(error), partial == nil { return engine.failed(self, error) }
            // Also if the attempt has failed for a reason of this machine.
            var pause = noteWait(task)
            if requestsRest(after: error) || moveOn(after: error, retryAfter: pause) { return }
            // Of several addresses, the one that leads the next attempt counts.
            if sources.all.count > 1 { pause = sources.pause(at: engine.scheduler.now) }
            let error = errorOfAll(error)
            // Also if no other attempt follows.
            if isExcess(error), partial != nil { engine.update(id) { ($0.bytes, $0.confirmed) = (reached, reached) } }
            // Once more, for the whole, which goes beside the partial data.
            if error.code == .rangeRefused { (kept.requestsWholeFile, kept.restartCause) = (true, .failure(error)) }
            engine.handleFailure(
                self, error, retryAfter: pause,
                isRepeatable: Coordinator.isRepeatable(description.options.method ?? .get))
        }
    }

    /// With the server's reason, and the name of the server that responded, after redirects.
    private func explained(_ error: TransferError, _ task: DownloadTask) -> TransferError {
        let url = task.currentURL
        guard error.code == .httpStatus || error.code == .loginDenied, error.fields.proxy == nil,
            let head = task.response, error.fields.status == head.status.code,
            !task.refusedBody.isEmpty || error.fields.host != url.authority || head.status.code == 511
        else { return error }
        return HTTPStatusError.make(head, from: url, body: task.refusedBody) ?? error
    }

    /// The server that has responded asks for no request before a time.
    /// - Parameter isMoved: whether the file has another address since.
    /// - Returns: in how many seconds that is.
    @discardableResult
    func noteWait(_ task: DownloadTask, isMoved: Bool = false) -> Double? {
        guard let pause = engine.retryAfter(task.response) else { return nil }
        let url = task.originalRequest.url.string
        sources.wait(url, until: engine.scheduler.now + pause, isMoved: isMoved)
        return pause
    }

    override func stopped(_ task: TransferTask, _ stop: Stop, _ error: TransferError?) {
        guard let task = task as? DownloadTask else {
            if case .cancel(deletingPartial: true) = stop { engine.discardPartialFiles(id) }
            return super.stopped(task, stop, error)
        }
        var isCancelled = false
        if case .cancel = stop { isCancelled = engine.queue[id]?.state == .paused }
        if error == nil, !isCancelled {
            // Its end, or what follows it, decides; but a pause would keep it from that.
            if stop == .move { engine.refuseMove(id) }
            return ended(task, nil)
        }
        if case .relocate = stop { noteWait(task, isMoved: true) }
        stopping = stop
        inspect(task) { [self] left in
            stopping = nil
            let place = whereBytesAre(task, left.length)
            if let problem = left.problem { forsake(problem) }
            switch stop {
            case .cancel(let deletingPartial):
                if deletingPartial { engine.discardPartialFiles(id) } else { keepPartial(task, left.length) }
                engine.end(id, .cancelled, nil, note: deletingPartial ? nil : place)
            case .relocate:
                keepPartial(task, left.length)
                engine.startAgain(self)
            case .move:
                keepPartial(task, left.length)
                engine.standBy(id)
            case .lost(let error): lost(error)
            case .shutDown:
                keepPartial(task, left.length)
                engine.stopForNextProcess(self, at: place)
            }
        }
    }
}
