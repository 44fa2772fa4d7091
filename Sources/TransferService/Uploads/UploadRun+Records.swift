// SPDX-License-Identifier: MIT

import HTTPTypes
import SessionCore
import TransferModel

/// What later processes need: in the journal, and where the configuration names a folder for that, in a record.
extension UploadRun {
    /// The server has created the upload: stores where.
    /// - Parameter proceed: receives the error if the store could not commit it.
    func commitPoint(then proceed: @escaping @EngineActor @Sendable (TransferError?) -> Void = { _ in }) {
        guard let point = resumption.upload?.point else { return proceed(nil) }
        sendRemovals()
        engine.update(id) { $0.uploadProtocol = point.carrier.description }
        guard let recorder, let checkpoint, checkpoint.point != nil else { return commitToJournal(then: proceed) }
        engine.onRecords {
            recorder.commit(checkpoint)
        } then: { [self] _ in
            commitToJournal(then: proceed)
        }
    }

    /// Holds the content of an exchange back until the point that admits it is stored: a later process refuses what a
    /// server states beyond that.
    /// - Parameter isStored: the point is stored as it is now.
    func gate(_ exchange: UploadExchange, isStored: Bool = false) -> BodyGate? {
        guard [.append, .creation].contains(exchange.purpose), let range = exchange.body else { return nil }
        let isOpen = isStored || exchange.purpose == .creation
        let gate = BodyGate(size: Int64(range.count), isOpen: isOpen) { [weak self] gate, count in
            EngineActor.async { self?.open(gate, range, to: count) }
        }
        if !isOpen { open(gate, range, to: BodyGate.step) }
        return gate
    }

    private func open(_ gate: BodyGate, _ range: Range<Int64>, to count: Int64) {
        let isUnderWay =
            resumption.exchange?.body == range || resumption.beside.values.contains { $0.exchange.body == range }
        guard isUnderWay else { return }
        resumption.upload?.willSend(upTo: min(range.upperBound, range.lowerBound + count))
        // While the upload is being created, the server has not said where it is.
        guard resumption.upload?.point != nil else { return gate.open(to: count) }
        saveRecord { [self] in
            commitToJournal { [self] error in
                guard error != nil else { return gate.open(to: count) }
                // The disk may have room later.
                engine.scheduler.schedule(at: engine.scheduler.now + 1) { [weak self] in
                    EngineActor.async { [weak self] in self?.open(gate, range, to: count) }
                }
            }
        }
    }

    private func commitToJournal(then proceed: @escaping @EngineActor @Sendable (TransferError?) -> Void) {
        guard let transfer = engine.queue[id] else { return proceed(nil) }
        engine.journal.commitUpload(transfer, self) { error in
            EngineActor.async { proceed(error) }
        }
    }

    /// `nil` without a folder for records, and for a stream.
    private var recorder: UploadRecorder? {
        if let known = resumption.recorder { return known }
        guard let folder = engine.configuration.uploadRecords, case .file(let path) = upload.source else { return nil }
        let new = UploadRecorder(folder: folder, target: recordedTarget, source: path)
        resumption.recorder = new
        return new
    }

    /// Continues what an earlier run of the foreground left.
    func findRecord(
        _ source: UploadSourceStatus, then proceed: @escaping @EngineActor @Sendable () throws -> Void
    ) throws {
        guard !resumption.hasSoughtRecord, isForS3 || upload.resumption != .never,
            source.size ?? 0 >= ResumableUpload.smallest || upload.resumption != .auto, let recorder
        else { return try proceed() }
        let attempt = generation
        engine.onRecords {
            recorder.find()
        } then: { [self] found in
            // Another attempt looks for it again.
            guard generation == attempt, engine.runs[id] === self else { return }
            resumption.hasSoughtRecord = true
            if let found { adopt(found, source) }
            engine.attempt(self) { try proceed() }
        }
    }

    private func adopt(_ checkpoint: UploadCheckpoint, _ source: UploadSourceStatus) {
        guard let point = checkpoint.point else { return removeRecord() }
        guard let found = source.stored, found.matches(checkpoint.source, isVerified: isVerified) else {
            // A command that names the file again means its present version.
            let cause = UploadSourceFile.changeError(of: file, after: point.offset)
            engine.update(id, .restarted) { $0.setNote(.restarted(.failure(cause))) }
            return drop(checkpoint)
        }
        // Another protocol was asked for.
        guard fits(point) else { return drop(checkpoint) }
        switch (upload.resumption, point.carrier) {
        case (.ietf, .tus), (.tus, .ietf): return drop(checkpoint)
        default: break
        }
        restore(checkpoint)
    }

    private func drop(_ checkpoint: UploadCheckpoint) {
        leave(checkpoint)
        removeRecord()
    }

    /// An upload with a condition, which the server knows from its creation, is another one.
    private var recordedTarget: String {
        let conditions = description.options.conditions.map { "\n\($0.name.canonicalName): \($0.value)" }.sorted()
        return description.url.string + conditions.joined()
    }

    func saveRecord(then proceed: @escaping @EngineActor @Sendable () -> Void = {}) {
        guard let recorder = resumption.recorder, let checkpoint, checkpoint.point != nil else { return proceed() }
        engine.onRecords {
            recorder.save(checkpoint)
        } then: { _ in
            proceed()
        }
    }

    func removeRecord() {
        guard let recorder = resumption.recorder else { return }
        engine.onRecords { recorder.remove() }
    }

    func closeRecord() {
        guard let recorder = resumption.recorder else { return }
        engine.onRecords { recorder.close() }
    }
}

extension Coordinator {
    /// Until when the server keeps an unfinished upload, as it last stated; `nil`: not known.
    func uploadExpiry(of id: TransferID) -> Double? {
        guard queue[id]?.state != .completed else { return nil }
        if let run = runs[id] as? UploadRun, let point = run.resumption.upload?.point { return point.expires }
        return journal.checkpoint(of: id)?.upload?.point?.expires
    }

    /// Removes what a server has of an upload without a run.
    func abandonUpload(_ id: TransferID, _ description: Spec) {
        guard let checkpoint = journal.checkpoint(of: id)?.upload, checkpoint.point != nil,
            let run = Run.make(id, description, self) as? UploadRun
        else { return }
        run.restore(checkpoint)
        run.abandon()
        journal.change(id) { $0.upload = nil }
    }
}
