// SPDX-License-Identifier: MIT

import Crypto
import Dispatch
import FoundationEssentials
import HTTPTypes
import SessionCore
import TransferModel
import TransferStore

/// An upload from its first start to its end: source, idempotency key, resumable upload or parts, and the final
/// response.
final class UploadRun: Run {

    private(set) var upload: Upload
    /// One UUID for all attempts of a FileQ upload of the same bytes: what makes repeating it safe.
    var uploadKey: (key: String, source: UploadSourceStatus)?
    private var sid: String?
    /// Whether the server has the file, for an upload that must not replace it.
    var existence = Existence.unknown
    /// While folders are being created.
    var folders: FolderCreation?
    var createdFolders = CreatedFolders.none
    /// The folder that this upload has requested: others that need it wait for the response.
    var requestedFolder: String?
    /// The source of the present attempt, if its file system may hang.
    private(set) var opened: UploadSourceFile?
    /// The file that the request of ``Run/ticket`` sends.
    var underWay: UploadSourceFile?
    /// The state of a resumable upload: where the next request continues.
    var resumption = Resumption()
    /// Uploads that no attempt continues, and that the server may have.
    var removals: [PendingRemoval] = []
    /// The task that is being ended belongs to an upload to another target: its success is no success of this one.
    private var leavesTarget = false

    init(_ id: TransferID, _ description: Spec, _ upload: Upload, _ engine: Coordinator) {
        self.upload = upload
        super.init(id, description, engine)
    }

    override func relocate(to description: Spec) {
        if description.url != self.description.url {
            endBeside()
            leaveUpload()
            leavesTarget = task != nil && resumption.exchange != nil || isOnFiles && stopping == nil
            resumption = Resumption()
            // All that the old address has shown.
            (folders, createdFolders, refusals) = (nil, .none, 0)
        }
        super.relocate(to: description)
        if case .upload(let upload) = description.operation { self.upload = upload }
    }

    override var notice: TransferNote? { resumption.adoptedAt.map { .adopted(at: $0) } }

    override var beginsAgain: Bool { resumption.upload?.point == nil }

    override var answerLimit: Int {
        resumption.exchange?.signature == nil ? ServerReason.limit : S3Document.maximumBytes
    }

    /// Each request of a resumed upload is a task of its own.
    override func start(of metrics: TransferMetrics) -> Int64 { beganAt }

    override func ended(_ task: TransferTask, _ error: TransferError?) {
        if case .accepted(let status) = existence { return lengthAnswered(task, error, afterStatus: status) }
        switch task {
        case let task as UploadTask: check(task, error)
        case _ where resumption.exchange != nil:
            exchangeEnded(task, resumption.exchange?.signature == nil ? Self.ofHead(error) : error)
        case _ where existence == .asked: fileAnswered(task, error)
        case _ where folders != nil: folderAnswered(task, Self.ofHead(error))
        default: sessionAnswered(task, error)
        }
    }

    /// The head of the response says all: how the text behind it ends says nothing.
    private static func ofHead(_ error: TransferError?) -> TransferError? {
        error?.fields.problem?.kind == .withoutCloseNotify ? nil : error
    }

    override var connections: Int? {
        let tasks = resumption.beside.values.count { $0.task != nil }
        return tasks > 0 ? tasks + 1 : nil
    }

    override func helper(_ task: TransferTask, hasMoved total: Int64) { part(task, hasSent: total) }

    override func helper(_ task: TransferTask, hasEnded error: TransferError?) { part(task, hasEnded: error) }

    override func heldUp() {
        withhold()
        endBeside()
        releaseFolder(nil)
    }

    override func resumeTask() {
        super.resumeTask()
        sendBeside()
    }

    override func setRateLimit(_ rate: Int?) { shareRate() }

    override func finish(_ state: TransferState) {
        endBeside()
        sendRemovals(isAtEnd: true)
        closeRecord()
        super.finish(state)
    }

    override func stopped(_ task: TransferTask, _ stop: Stop, _ error: TransferError?) {
        endBeside()
        releaseFolder(nil)
        if leavesTarget {
            leavesTarget = false
            return super.stopped(task, stop, error)
        }
        if case .accepted(let status) = existence { return lengthAnswered(task, error, afterStatus: status) }
        if resumption.exchange != nil {
            if !completes(task, error) { abandonIfDeleting(stop) } else { return }
            return super.stopped(task, stop, error)
        }
        if error == nil, let task = task as? UploadTask, isAccepted(task) {
            if opened != nil { stopping = stop }
            return check(task, nil)
        }
        super.stopped(task, stop, error)
    }

    /// Checks whether a source has changed that the task does not check itself. The response counts whatever comes
    /// meanwhile, also a slot or a pause: no attempt begins before that.
    private func check(_ task: UploadTask, _ error: TransferError?) {
        let source = opened
        // The next exchange sends more of it.
        if resumption.exchange == nil { opened = nil }
        guard error == nil, let source else { return ended(task, error) }
        isOnFiles = true
        engine.onFiles(of: self, source.path, survivesStop: true) {
            source.hasChanged
        } then: { [self] found in
            (isOnFiles, stopping) = (false, nil)
            defer { engine.notifyStopWaiters() }
            if leavesTarget {
                leavesTarget = false
                return engine.startAgain(self)
            }
            // The server has the file: a folder that does not respond proves no change, and nothing is sent again.
            ended(task, (try? found.get()) == true ? source.changeError : nil)
        }
    }

    // MARK: Beginning

    override func begin() throws {
        guard !isOnFiles else { return }
        answer = []
        leaveFolders()
        let source = upload.source
        guard case .file(let path) = source else { return try send(UploadSourceStatus(source)) }
        if let ticket, let underWay { return resume(ticket, underWay) }
        mount = engine.mounts.mount(of: path, followsLast: true)
        let (lane, closing) = (engine.lane(of: path, on: mount), mount.map { engine.closing(path, on: $0) })
        engine.onFiles(of: self, path) { () throws(TransferError) in
            let status = try UploadSourceStatus(source)
            guard let lane, let closing else {
                // Not every upload of an empty file opens it.
                if status.size == 0 { _ = try UploadSourceFile(path: path) }
                return Found(status: status)
            }
            return Found(status: status, opened: try UploadSourceFile(path: path, lane: lane, closing: closing))
        } then: { [self] found in
            let found = try found.get()
            opened = found.opened
            try send(found.status)
        }
    }

    /// Receives the response to a request that the transport has begun.
    private func resume(_ ticket: FetchTicket, _ source: UploadSourceFile) {
        (self.ticket, underWay) = (nil, nil)
        guard let session = engine.session else { return }
        mount = engine.mounts.mount(of: source.path)
        engine.update(id) { $0.total = source.size }
        let request = engine.request(for: self, method: .put)
        engine.launch(session.uploadTask(with: request, source: source, ticket: ticket), for: self)
    }

    private struct Found: Sendable {
        var status: UploadSourceStatus
        var opened: UploadSourceFile?
    }

    private func send(_ source: UploadSourceStatus) throws {
        try findRecord(source) { [self] in try sendOrContinue(source) }
    }

    private func sendOrContinue(_ source: UploadSourceStatus) throws {
        try requireSameSource(source)
        let known = resumption.upload?.point?.offset ?? 0
        engine.update(id) {
            $0.bytes = known
            $0.confirmed = known
            $0.total = source.size
        }
        resumption.source = source
        endBeside()
        if case .s3(let form) = upload.form { return sendToS3(form) }
        if continues() { return }
        switch upload.form {
        case .s3: break
        case .put: if !asksForFile() { send(cookies: [], method: .put) }
        case .fileQ(let form):
            guard let sid = form.sid ?? sid else { return try askForSession() }
            try sendCommitted(cookies: try cookies(form, sid, source))
        }
    }

    private func cookies(_ form: FileQUpload, _ sid: String, _ source: UploadSourceStatus) throws -> [Cookie] {
        // The server takes other bytes under the same key for those that it has stored.
        let known = uploadKey.flatMap { $0.source.isSame(as: source, isVerified: isVerified) ? $0.key : nil }
        // What an earlier version stored lacks the time of the last change: from now on it counts.
        uploadKey = (known ?? newKey(source), source)
        let key = uploadKey?.key
        let checksum = upload.checksum.flatMap { $0.algorithm == .sha256 ? $0 : nil }
        return try FileQCookies(
            sid: sid, upload: key, name: upload.name ?? source.name, size: source.size, modified: source.modified,
            checksum: checksum, metadata: form.metadata
        ).cookies()
    }

    private func send(cookies: [Cookie], method: HTTPMethod) {
        if !beginsResumably(cookies, method) { sendPlainly(cookies, method) }
    }

    func sendPlainly(_ cookies: [Cookie], _ method: HTTPMethod) {
        guard let session = engine.session else { return }
        // That of the question what the server announces.
        answer = []
        var request = engine.request(for: self, method: method)
        request.options.cookies += cookies
        let digest = UploadReceipt.algorithm(for: upload)
        if let opened {
            return engine.launch(session.uploadTask(with: request, source: opened, digest: digest), for: self)
        }
        let body: UploadBody =
            switch upload.source {
            case .file(let path): .file(path: path)
            case .stream(let descriptor, _): .stream(descriptor: descriptor)
            }
        engine.launch(session.uploadTask(with: request, body: body, digest: digest), for: self)
    }

    /// One that a later process computes as well if a power cut has removed it from the journal.
    private func newKey(_ source: UploadSourceStatus) -> String {
        guard let transfer = engine.queue[id], let stored = source.stored else { return UUID().uuidString.lowercased() }
        let words =
            "\(transfer.addedAt.bitPattern) \(id) \(engine.memories[id]?.keysGivenUp ?? 0) \(stored.inode) "
            + "\(stored.size) \(stored.seconds) "
            + "\(stored.nanoseconds) \(stored.changedSeconds ?? 0) \(stored.changedNanoseconds ?? 0) \(file)"
        var bytes = Array(SHA256.hash(data: Data(words.utf8)).prefix(16))
        // RFC 9562, section 5.8: a custom UUID.
        (bytes[6], bytes[8]) = (bytes[6] & 0x0f | 0x80, bytes[8] & 0x3f | 0x80)
        let hex = Array(Hex.encode(bytes))
        return [0..<8, 8..<12, 12..<16, 16..<20, 20..<32].map { String(hex[$0]) }.joined(separator: "-")
    }

    /// The journal has the key before the server sees it.
    private func sendCommitted(cookies: [Cookie]) throws {
        let kept = uploadKey.flatMap { key in key.source.stored.map { UploadCheckpoint(source: $0, key: key.key) } }
        guard let kept, let transfer = engine.queue[id], engine.memories[id]?.committedUpload != kept else {
            return send(cookies: cookies, method: .post)
        }
        let attempt = generation
        engine.journal.commitUpload(transfer, self) { [self] error in
            EngineActor.async { [self] in
                guard generation == attempt, !engine.hasEnded, engine.queue[id]?.state == .running else { return }
                if let error { return engine.handleFailure(self, error, retryAfter: nil) }
                engine.memories[id, default: RunMemory()].committedUpload = kept
                send(cookies: cookies, method: .post)
            }
        }
    }

    /// Without a SID of the user, `POST /session` at the same server returns one.
    private func askForSession() throws {
        guard let session = engine.session else { return }
        var request = engine.request(for: self, method: .post)
        // Beside the address of uploads, also where a proxy has a path in front of both.
        let isUpload = description.url.lastPathSegment == "upload"
        request.url = try description.url.resolving(isUpload ? "session" : FileQSession.path)
        request.method = .post
        engine.launch(session.dataTask(with: request, body: []), for: self)
    }

    /// The response to ``askForSession()``.
    private func sessionAnswered(_ task: TransferTask, _ error: TransferError?) {
        let head = task.response
        let failure = error ?? head.flatMap { HTTPStatusError.make($0, from: task.currentURL) }
        if let failure { return engine.handleFailure(self, failure, retryAfter: nil) }
        let text = String(decoding: answer, as: UTF8.self)
        let cookie = task.response?.headerFields[values: .setCookie].first { $0.hasPrefix("fileuploadSID=") }
        let fromCookie = cookie.map { String($0.dropFirst("fileuploadSID=".count).prefix { $0 != ";" }) }
        guard let sid = fromCookie ?? SessionAnswer.sid(in: text), !sid.isEmpty else {
            return engine.failed(
                self,
                TransferError(
                    .other, .noSession, host: description.url.authority,
                    fields: .init(variant: .sessionMissing)))
        }
        self.sid = sid
        storeSession(sid) { [self] in
            // Paused meanwhile: resuming begins the upload.
            guard engine.queue[id]?.state == .running else { return }
            engine.attempt(self) { try begin() }
        }
    }

    /// A session that the server issued belongs to the upload's key: it is stored with the transfer's other secrets
    /// before anything is sent under it.
    private func storeSession(_ sid: String, then proceed: @escaping @EngineActor @Sendable () -> Void) {
        guard case .fileQ(var form) = upload.form else { return proceed() }
        form.sid = sid
        upload.form = .fileQ(form)
        description.operation = .upload(upload)
        let (operation, attempt, store, report) = (
            description.operation, generation, engine.store, engine.configuration.report
        )
        engine.keeping.async { [self] in
            var failure: TransferError?
            do throws(TransferError) { try store.replaceOperation(of: id, with: operation) } catch { failure = error }
            if let failure { report(failure) }
            EngineActor.async { [self, failure] in
                guard generation == attempt, !engine.hasEnded else { return }
                // If a crash lost the session, the same bytes might be stored twice.
                if let failure { engine.handleFailure(self, failure, retryAfter: nil) } else { proceed() }
            }
        }
    }
}

/// The body of the response to `POST /session`.
private struct SessionAnswer: Decodable {
    var sid: String

    static func sid(in text: String) -> String? {
        (try? JSONDecoder().decode(SessionAnswer.self, from: Data(text.utf8)))?.sid
    }
}
