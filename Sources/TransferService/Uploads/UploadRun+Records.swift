// SPDX-License-Identifier: MIT

import HTTPTypes
import SessionCore
import TransferModel

/// What later processes need: in the journal of a queue with a store, else in a record of its own.
extension UploadRun {
    /// The server has created the upload: stores where.
    /// - Parameter proceed: receives the error if the store could not commit it.
    func commitPoint(then proceed: @escaping @EngineActor @Sendable (TransferError?) -> Void = { _ in }) {
        guard let point = resumption.upload?.point else { return proceed(nil) }
        engine.update(id) { $0.uploadProtocol = point.carrier.description }
        guard engine.outlivesProcess, let transfer = engine.queue[id] else {
            makeRecord()
            saveRecord(isSynced: true)
            return proceed(nil)
        }
        engine.journal.commitUpload(transfer, self) { error in
            EngineActor.async { proceed(error) }
        }
    }

    /// Continues what an earlier run of the foreground left.
    func findRecord(_ source: UploadSourceStatus) {
        guard !resumption.hasSoughtRecord, !engine.outlivesProcess, let folder = engine.configuration.uploadRecords,
            isForS3 || upload.resumption != .never, case .file(let path) = upload.source,
            source.size ?? 0 >= ResumableUpload.smallest || upload.resumption != .auto
        else { return }
        resumption.hasSoughtRecord = true
        guard let record = UploadRecord.open(in: folder, target: recordedTarget, source: path, isNew: false)
        else { return }
        guard let checkpoint = record.load(), let point = checkpoint.point, source.stored == checkpoint.source else {
            if let point = record.load()?.point { note(changedAfter: point) }
            return record.remove()
        }
        // Another protocol was asked for.
        guard fits(point) else { return record.remove() }
        switch (upload.resumption, point.carrier) {
        case (.ietf, .tus), (.tus, .ietf): return record.remove()
        default: break
        }
        resumption.record = record
        restore(checkpoint)
    }

    /// A command that names the file again means its present version.
    private func note(changedAfter point: UploadPoint) {
        let cause = TransferError(.cannotReadSource, Self.text(ofChange: file, point))
        engine.update(id, .restarted) { $0.setNote(.restarted(.failure(cause))) }
    }

    private func makeRecord() {
        guard resumption.record == nil, let folder = engine.configuration.uploadRecords,
            case .file(let path) = upload.source
        else { return }
        resumption.record = UploadRecord.open(
            in: folder, target: recordedTarget, source: path, isNew: true)
    }

    /// An upload with a condition, which the server knows from its creation, is another one.
    private var recordedTarget: String {
        let conditions = description.options.conditions.map { "\n\($0.name.canonicalName): \($0.value)" }.sorted()
        return description.url.string + conditions.joined()
    }

    func saveRecord(isSynced: Bool = false) {
        guard let record = resumption.record, let checkpoint, checkpoint.point != nil else { return }
        record.save(checkpoint, isSynced: isSynced)
    }
}

extension Coordinator {
    /// Until when the server keeps an unfinished upload, as it last stated; `nil`: not known.
    func uploadExpiry(of id: TransferID) -> Double? {
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
