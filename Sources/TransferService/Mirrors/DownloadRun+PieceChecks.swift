// SPDX-License-Identifier: MIT

import SessionCore
import TransferModel

/// Digests of the parts of a file: each part is compared as soon as it is stored, and only wrong ones are requested
/// again.
extension DownloadRun {
    /// Bytes of a connection were stored.
    func attribute(_ piece: Int, to position: Int64, from source: Int) {
        sources.contributed(source)
        guard let before = pieces?.plan.pieces.first(where: { $0.id == piece })?.position, position > before,
            let total = pieces?.plan.total
        else { return }
        pieces?.checks?.received(before..<min(position, total), from: source)
    }

    /// Compares the parts that are complete, a batch at a time, away from the queue.
    func comparePieces() {
        // Wrong parts leave gaps, which are recorded before they can be.
        guard let pieces, pieces.isRecorded || pieces.awaiting != nil, !pieces.isComparing, arePiecesCurrent, let files,
            let indices = self.pieces?.checks?.take(pieces.plan.present), !indices.isEmpty,
            let digests = pieces.checks?.digests
        else { return }
        self.pieces?.isComparing = true
        let (version, total) = (files.version, pieces.plan.total)
        engine.readStored(of: self) {
            indices.map { index in
                let found = FileDigest.compute(
                    digests.algorithm, of: version.file.descriptor, range: digests.range(index, of: total))
                return found.map { $0[...] == digests[index] } ?? false
            }
        } then: { [self] results in
            guard self.files?.version.number == version.number, self.pieces?.isComparing == true else { return }
            self.pieces?.isComparing = false
            for (index, isEqual) in zip(indices, results) {
                if let mistake = self.pieces?.checks?.compared(index, isEqual: isEqual) { correct(mistake) }
            }
            comparePieces()
            replaceOwn()
        }
    }

    /// The bytes are requested again, from another address if they were all from one.
    private func correct(_ mistake: PieceChecks.Mistake) {
        pieces?.plan.invalidate(mistake.range)
        let now = engine.scheduler.now
        guard mistake.failures <= sources.all.count + 1 else {
            stop = stop ?? .lost(partMismatch)
            task?.cancel()
            return
        }
        if let source = mistake.source {
            let wrong = sources.all[source].url
            let wasLead = source == sources.lead && pieces?.awaiting == nil
            if sources.drop(source) {
                engine.update(id) { $0.setNote(.wrongMirror(wrong.authority)) }
                for helper in pieces?.helpers.values.filter({ $0.source == source && !$0.isCut }) ?? [] {
                    if let orders = pieces?.plan.ended(helper.id, .elsewhere, at: now) {
                        obey([.cut(helper.id)] + orders)
                    }
                }
                if wasLead, let own = pieces?.own, pieces?.isOwnCut == false,
                    let orders = pieces?.plan.ended(own, .elsewhere, at: now)
                {
                    obey(orders)
                    cutOwn()
                }
            }
        }
        if pieces?.awaiting == nil, let orders = pieces?.plan.fill(at: now) { obey(orders) }
    }

    private func cutOwn() {
        pieces?.isOwnCut = true
        task?.cancel()
    }

    var partMismatch: TransferError {
        TransferError(ContentMismatch(.part), host: description.url.authority)
    }

    // MARK: The end

    /// The own task has ended, and all is stored.
    /// - Returns: whether its end waits for parts to be compared.
    func awaitsComparison(_ task: DownloadTask) -> Bool {
        guard let pieces, let checks = pieces.checks, !checks.isDone, !pieces.cannotRecord else { return false }
        self.pieces?.awaiting = task
        // As long as it counts as a connection, the plan requests no wrong part again.
        releaseOwn(.whole)
        comparePieces()
        return true
    }

    /// The own task has ended, and what was awaited has come: another one takes its place, or the attempt ends.
    func replaceOwn() {
        guard let pieces, let ended = pieces.awaiting, !pieces.isComparing, !pieces.isRecording else { return }
        let isRunning = stop == nil && engine.queue[id]?.state == .running && !engine.isShuttingDown
        if pieces.plan.isComplete, pieces.checks?.isDone != false || pieces.cannotRecord {
            return end(awaited: ended, nil)
        }
        guard isRunning, arePiecesCurrent, !pieces.cannotRecord else { return end(awaited: ended, restIsMissing) }
        if pieces.plan.isComplete { return comparePieces() }
        if let orders = self.pieces?.plan.fill(at: engine.scheduler.now) { obey(orders) }
        guard self.pieces?.awaiting != nil else { return }
        if let (key, next) = self.pieces?.helpers.first(where: { !$0.value.isCut }) {
            self.pieces?.awaiting = nil
            promote(key, next)
        } else if self.pieces?.isRecording == false {
            end(awaited: ended, restIsMissing)
        }
    }

    private func end(awaited task: DownloadTask, _ error: TransferError?) {
        pieces?.awaiting = nil
        if case .ends(let error) = ending(task, error) { engine.completed(self, task, error) }
    }

    /// The parts of a file that only one connection could fetch.
    /// - Parameter proceed: receives whether all are right.
    func compareWhole(
        _ digests: PieceDigests, _ partial: PartialFile, total: Int64,
        then proceed: @escaping @EngineActor @Sendable (Bool) -> Void
    ) {
        guard digests.fits(total) else { return proceed(false) }
        engine.update(id, .verifying) { $0.status = .verifying($0.status.note) }
        engine.readFile(of: self) {
            (0..<digests.count).allSatisfy { index in
                FileDigest.compute(digests.algorithm, of: partial.descriptor, range: digests.range(index, of: total))
                    .map { $0[...] == digests[index] } ?? false
            }
        } then: {
            proceed($0)
        }
    }
}
