// SPDX-License-Identifier: MIT

import HTTPTypes
import SessionCore
import TransferModel

/// Resumable uploads: their beginning, and what the responses mean. ``follow(_:after:)`` carries out what the machine
/// decides.
extension UploadRun {
    struct Resumption {
        /// `nil` for a plain upload, and until its first exchange.
        var upload: (any UploadMachine)?
        /// Under way.
        var exchange: UploadExchange?
        /// It is sent when the store has the point.
        var isCommitting = false
        /// The file as this attempt found it, and with an ``upload`` the one that the server has bytes of.
        var source: UploadSourceStatus?
        /// The file as it was when it had the checksum that was given.
        var verified: UploadSourceFile?
        /// The server resumes no uploads of this kind.
        var isPlain = false
        /// What the creation sends if the protocol is not used.
        var plain: (cookies: [Cookie], method: HTTPMethod) = ([], .put)
        /// Once the upload has had a record.
        var recorder: UploadRecorder?
        /// Of S3: what this attempt signs with, and the SHA-256 of what is being sent.
        var credential: S3Credential?
        var digest: [UInt8]?
        /// Parts that other tasks send, by number.
        var beside: [Int: PartTask] = [:]
        var lastKey = 0
        /// How many tasks the server takes at the same time, and how often one of them broke.
        var most = Int.max
        var breaks = 0
        /// Of a stream, once the server has created the upload.
        var spool: StreamSpool?
        var hasSoughtRecord = false
        /// Where an upload of another program was continued.
        var adoptedAt: Int64?
        /// The most that the server has confirmed of this upload, in all attempts.
        var farthest: Int64 = 0
    }

    // MARK: Beginning

    /// Whether the file is compared with a checksum: before its first byte is sent, and at the end if it has changed.
    var isVerified: Bool { upload.checksum != nil }

    /// What a later process needs.
    var checkpoint: UploadCheckpoint? {
        let (source, point) = (resumption.source, resumption.upload?.point)
        if let uploadKey, let stored = uploadKey.source.stored {
            let isSame = source.map { $0.isSame(as: uploadKey.source, isVerified: isVerified) } ?? false
            return UploadCheckpoint(
                source: stored, key: uploadKey.key, point: isSame ? point : nil,
                bootID: isSame && point != nil ? BootID.current : nil)
        }
        guard let point, let stored = source?.stored else { return nil }
        return UploadCheckpoint(source: stored, point: point, bootID: BootID.current)
    }

    /// What an earlier process left.
    func restore(_ checkpoint: UploadCheckpoint) {
        let name = file.lastPathPart.map(String.init) ?? file
        let source = UploadSourceStatus(name: name, stored: checkpoint.source)
        if let key = checkpoint.key { uploadKey = (key, source) }
        guard var point = checkpoint.point, isForS3 || upload.resumption != .never,
            point.target == description.url.string,
            fits(point)
        else { return }
        // The last record may not be on the disk after another boot.
        if checkpoint.bootID == nil || checkpoint.bootID != BootID.current { point.forgetReach() }
        resumption.source = source
        resumption.upload = machine(subject(source, .put, checkpoint.source.size), point)
        engine.update(id) { $0.uploadProtocol = point.carrier.description }
    }

    /// - Parameter size: `nil` for a stream.
    func subject(_ source: UploadSourceStatus, _ method: HTTPMethod, _ size: Int64?) -> UploadSubject {
        var needsTarget = !description.options.conditions.isEmpty
        if case .fileQ = upload.form { needsTarget = true }
        // Standard input has no name but that of its target, also if it is a file.
        let isNameless = upload.name == nil && (size == nil || upload.source == .file(path: "/dev/stdin"))
        let name = isNameless ? description.url.lastPathSegment : upload.name
        var subject = UploadSubject(
            target: description.url, method: description.options.method ?? method, name: name ?? source.name,
            size: size, digest: upload.checksum, needsTarget: needsTarget, statesDigests: true)
        subject.isNameless = isNameless
        return subject
    }

    /// Bytes of another version of the file are never joined to those that the server has.
    /// - Throws: code `cannotReadSource`.
    func requireSameSource(_ source: UploadSourceStatus) throws(TransferError) {
        guard let point = resumption.upload?.point, let known = resumption.source,
            !known.isSame(as: source, isVerified: isVerified)
        else { return }
        throw UploadSourceFile.changeError(of: file, after: point.offset)
    }

    /// Continues where an earlier attempt stopped.
    /// - Returns: false if nothing was uploaded.
    func continues() -> Bool {
        guard resumption.upload?.point != nil else {
            resumption.upload = nil
            return false
        }
        updateStream()
        let step = resumption.upload?.begin(knowing: nil)
        if let step { follow(step) }
        return step != nil
    }

    /// Begins an upload that may be resumed.
    /// - Returns: false if it is to be sent plainly.
    func beginsResumably(_ cookies: [Cookie], _ method: HTTPMethod) -> Bool {
        guard isForS3 || upload.resumption != .never, !resumption.isPlain, let source = resumption.source else {
            return false
        }
        resumption.plain = (cookies, method)
        guard case .file = upload.source else {
            guard mayResumeStream else { return false }
            beginUpload(source, method, nil)
            return true
        }
        guard let size = source.size, isForS3 || upload.resumption != .auto || size >= ResumableUpload.smallest
        else { return false }
        guard let checksum = upload.checksum, resumption.verified == nil else {
            beginUpload(source, method, size)
            return true
        }
        // Of a file that is sent in parts, no exchange has the digest of the whole.
        engine.attempt(self) {
            let opened = try self.source()
            engine.readFile(of: self) {
                FileDigest.compute(checksum.algorithm, of: opened.descriptor)
            } then: { [self] digest in
                guard digest == checksum.bytes else {
                    throw TransferError(ContentMismatch(.source, expected: checksum), path: file)
                }
                resumption.verified = opened
                beginUpload(source, method, size)
            }
        }
        return true
    }

    private func beginUpload(_ source: UploadSourceStatus, _ method: HTTPMethod, _ size: Int64?) {
        resumption.upload = machine(subject(source, method, size), nil)
        updateStream()
        let known = engine.uploadSupport.support(of: description.url.origin, at: engine.scheduler.now)
        guard let step = resumption.upload?.begin(knowing: known) else { return }
        noteSupport(since: nil)
        follow(step)
    }

    // MARK: Events

    /// Where the file is while the content of an exchange is sent; `nil` for a plain upload.
    /// - Parameter count: bytes of that content.
    func sent(_ count: Int64) -> (bytes: Int64, total: Int64?, confirmed: Int64)? {
        guard resumption.exchange != nil, let upload = resumption.upload else { return nil }
        guard let base = upload.base else {
            // Content that is not of the file, as the list of parts that completes an upload.
            let offset = upload.point?.offset ?? 0
            return (offset + sentBeside, upload.size, offset)
        }
        resumption.upload?.sent(count)
        return (base + count + sentBeside, resumption.upload?.size, resumption.upload?.point?.offset ?? 0)
    }

    func receivedInterim(_ head: HTTPResponse, from url: TransferURL) {
        guard resumption.exchange != nil else { return }
        switch resumption.upload?.interim(head, from: url) {
        case .created: commitPoint()
        case .confirmed:
            engine.update(id) { $0.confirmed = resumption.upload?.point?.offset }
            releaseStream()
            saveRecord()
        case .nothing, nil: break
        }
    }

    func exchangeEnded(_ task: TransferTask, _ error: TransferError?) {
        guard let step = evaluate(task, error) else { return }
        follow(step, after: task)
    }

    /// The response to the exchange under way.
    private func evaluate(_ task: TransferTask, _ error: TransferError?) -> UploadStep? {
        guard let exchange = resumption.exchange else { return nil }
        updateStream()
        guard var machine = resumption.upload else { return nil }
        if let task = task as? UploadTask { machine.sent(task.progress.sent) }
        resumption.exchange = nil
        let head = task.response
        let isEarly = error?.code == .answeredEarly || (task as? UploadTask)?.hasEarlyResponse == true
        let refusal = head.flatMap {
            HTTPStatusError.make($0, from: task.currentURL, body: answer)
        }
        let (before, known, isNew) = (machine.point?.offset ?? 0, machine.found, machine.point == nil)
        var reply = UploadReply(
            head, from: task.currentURL, error: error?.code == .answeredEarly ? nil : error, refusal: refusal,
            isEarly: isEarly)
        reply.receivedAt = engine.scheduler.wallNow
        reply.sent = error == nil && !isEarly ? nil : task.handedOver
        if exchange.signature != nil { (reply.answer, reply.digest) = (S3Document.read(answer), resumption.digest) }
        var step = machine.ended(reply)
        if exchange.purpose == .query, exchange.signature == nil { step = step.adviseAfterQuery() }
        resumption.upload = machine
        noteLoss()
        noteSupport(since: known)
        guard let point = machine.point else { return step }
        noteProgress(from: before, to: point.offset)
        if isNew, exchange.purpose == .query, point.offset > 0 {
            resumption.adoptedAt = point.offset
            engine.update(id) { $0.setNote(.adopted(at: point.offset)) }
        }
        engine.update(id) { transfer in
            transfer.uploadProtocol = point.carrier.description
            transfer.confirmed = point.offset
            if exchange.purpose == .query { transfer.bytes = point.offset + sentBeside }
        }
        // Not while other parts are on their way.
        if exchange.purpose == .query, resumption.beside.isEmpty {
            beganAt = point.offset
            // If nothing is left to send, nothing resumes.
            if let transfer = engine.queue[id], transfer.state == .running, 0 < point.offset,
                point.offset != transfer.total
            {
                engine.update(id, .resumed)
            }
        }
        releaseStream()
        saveRecord()
        return step
    }

    /// A server that loses bytes and confirms the same ones again, or confirms some at a time, brings the upload no
    /// further.
    func noteProgress(from before: Int64, to offset: Int64) {
        let known = resumption.farthest == 0 ? before : resumption.farthest
        let isEnd = offset > known && offset == resumption.upload?.size
        resumption.farthest = known
        guard isEnd || offset - known >= ResumableUpload.leastAppend else { return }
        (failures, resumption.farthest) = (0, offset)
    }

    /// - Parameter known: what the attempt had found out before.
    private func noteSupport(since known: UploadSupport?) {
        guard let machine = resumption.upload else { return }
        let origin = description.url.origin
        if let found = machine.found, found != known {
            engine.uploadSupport.note(found, of: origin, at: engine.scheduler.now)
        }
        if machine.failedForSupport { engine.uploadSupport.forget(origin) }
    }

    // MARK: Ends

    /// The task is being ended from here: whether the file was stored a moment before.
    func completes(_ task: TransferTask, _ error: TransferError?) -> Bool {
        guard error == nil, case .finish(let isVerdict)? = evaluate(task, error) else {
            // What follows is not sent.
            if error == nil { resumption.upload?.withheld() }
            resumption.exchange = nil
            return false
        }
        finish(task, isVerdict: isVerdict)
        return true
    }

    func abandonIfDeleting(_ stop: Stop) {
        if case .cancel(deletingPartial: true) = stop { abandon() }
    }

    /// Asks the server to remove what it has. Nothing waits for the response: an upload that stays expires.
    func abandon() {
        let exchanges = resumption.upload?.cancellations ?? []
        if let exchange = exchanges.first, case .s3(let form) = upload.form {
            abandonAtS3(form, exchange)
        } else if let session = engine.session {
            for exchange in exchanges { session.dataTask(with: request(for: exchange), events: { _ in }).resume() }
        }
        forgetPoint()
    }

    func forgetPoint() {
        (resumption.upload, resumption.farthest, resumption.adoptedAt) = (nil, 0, nil)
        removeRecord()
    }
}
