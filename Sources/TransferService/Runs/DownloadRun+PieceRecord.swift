// SPDX-License-Identifier: MIT

import SessionCore
import TransferModel

/// The record of a file with gaps.
extension DownloadRun {
    /// Records that the file will have gaps, before the first helper begins: until then its length shows what is
    /// stored.
    func recordFirst() {
        guard pieces?.isRecording == false, let files, let ranges = pieces?.plan.present else { return }
        pieces?.isRecording = true
        let version = files.version
        engine.syncFile(of: self, version.file) { [self] code in
            if code != 0 { noteLostBytes(code) }
            let isSynced = code == 0
            guard pieces?.isRecording == true, self.files?.version.number == version.number else { return }
            // The attempt may have ended meanwhile, and the record be removed.
            guard task != nil, pieces?.plan.isComplete == false, isSynced, let record = pieceRecord(ranges, version)
            else { return refuseWaiting(isSynced) }
            engine.onFiles(of: self, files.path, survivesStop: true) {
                files.save(record, of: version)
            } then: { [self] saved in
                guard pieces?.isRecording == true, self.files?.version.number == version.number else { return }
                guard case .success(true) = saved else { return refuseWaiting(false) }
                beginWaiting()
            }
        }
    }

    private func beginWaiting() {
        guard let waiting = pieces?.waiting else { return }
        placement.isPositioned = true
        kept.recordedAt = engine.scheduler.now
        pieces?.isRecording = false
        pieces?.isRecorded = true
        pieces?.recordedAt = engine.scheduler.now
        pieces?.waiting = []
        for (id, range) in waiting { begin(id, range) }
        shareRate()
        comparePieces()
        replaceOwn()
    }

    /// - Parameter mayRecord: false if the record cannot be written: then there is one connection.
    private func refuseWaiting(_ mayRecord: Bool) {
        for (id, _) in pieces?.waiting ?? [] { pieces?.plan.forget(id) }
        pieces?.waiting = []
        pieces?.isRecording = false
        if !mayRecord { pieces?.cannotRecord = true }
        replaceOwn()
    }

    /// Without a boot ID: the length of the file is no measure of what is stored.
    private func pieceRecord(_ ranges: ByteRangeSet, _ version: PartialFiles.Version) -> ResumeData? {
        guard let point = pieces?.point else { return nil }
        var record = ResumeData(
            url: sources.all[sources.reference].url.string, validator: point.validator, ranges: ranges,
            total: point.total,
            partialPath: version.file.path, bootID: nil, contentType: point.contentType,
            contentEncoding: point.contentEncoding)
        record.noteSource(withSource(point))
        return record
    }

    func checkpointPieces() {
        guard let pieces, pieces.isRecorded, engine.scheduler.now - pieces.recordedAt >= Pieces.interval else { return }
        recordPieces {}
    }

    /// Syncs what is stored, then records it.
    /// - Parameter proceed: called in any case.
    func recordPieces(then proceed: @escaping @EngineActor @Sendable () -> Void) {
        guard arePiecesCurrent, let files, let ranges = pieces?.plan.present else { return proceed() }
        let version = files.version
        let record = pieceRecord(ranges, version)
        pieces?.recordedAt = engine.scheduler.now
        engine.syncFile(of: self, version.file) { [self] code in
            if code != 0 { noteLostBytes(code) }
            let isSynced = code == 0
            // The files are released, and their record removed, when the run ends.
            if isSynced, let record, pieces?.isRecorded == true, pieces?.plan.isComplete == false, self.files === files
            {
                engine.onFiles(at: files.path, mount) { files.save(record, of: version) }
            }
            proceed()
        }
    }
}
