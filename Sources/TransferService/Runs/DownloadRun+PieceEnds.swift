// SPDX-License-Identifier: MIT

import HTTPTypes
import SessionCore
import TransferModel

/// What the tasks of a download with several connections report.
extension DownloadRun {
    // MARK: Helpers

    func piece(_ task: TransferTask, hasStoredUpTo position: Int64) {
        guard let helper = pieces?.helpers[task.identifier], !helper.isCut else { return }
        pieces?.helpers[task.identifier]?.hasBytes = true
        pieces?.isExtended = true
        let now = engine.scheduler.now
        if !helper.hasBytes, let head = task.response {
            sources.note(helper.source, validator: Validator(head.headerFields, origin: task.currentURL.origin))
        }
        attribute(helper.id, to: position, from: helper.source)
        if let orders = pieces?.plan.moved(helper.id, to: position, at: now) { obey(orders) }
        guard let plan = pieces?.plan, engine.queue[id]?.state == .running, stop == nil else { return }
        engine.moved(self, to: plan.present.count, total: plan.total, confirmed: plan.present.count)
        checkpointPieces()
        comparePieces()
    }

    func piece(_ task: DownloadTask, hasEnded error: TransferError?) {
        guard let helper = pieces?.helpers.removeValue(forKey: task.identifier) else { return }
        if !helper.isCut {
            let now = engine.scheduler.now
            // Of what is stored; the body of a refusal is not.
            if isExcess(error) {
                takeBack(helper.id, of: task)
            } else if let position = Pieces.position(of: task) {
                attribute(helper.id, to: position, from: helper.source)
                if let orders = pieces?.plan.moved(helper.id, to: position, at: now) { obey(orders) }
            }
            if let pause = engine.retryAfter(task.response) { sources.wait(helper.source, until: now + pause) }
            let end = end(Pieces.end(task, error), of: helper)
            if let orders = pieces?.plan.ended(helper.id, end, at: now) { obey(orders) }
            note(end, of: task)
            shareRate()
        }
        guard pieces?.helpers.isEmpty == true, let ending = pieces?.ending else { return }
        pieces?.ending = nil
        engine.completed(self, ending.task, ending.error)
    }

    /// What the server is remembered for.
    private func note(_ end: PiecePlan.End, of task: DownloadTask) {
        guard let plan = pieces?.plan else { return }
        switch end {
        case .refused: engine.noteConnections(most: plan.ceiling, of: self)
        case .unfit where task.response?.status.code == 200 && !isOfAnotherVersion(task):
            engine.noteConnections(most: 1, of: self)
        case .unfit, .whole, .broken, .elsewhere: break
        }
    }

    /// Says nothing about what the server can do.
    private func isOfAnotherVersion(_ task: DownloadTask) -> Bool {
        let found = task.response.flatMap { Validator($0.headerFields).ifRange }
        return found != nil && found != pieces?.point.validator.ifRange
    }

    // MARK: The end of the run's own task

    func pieceEnded(_ task: DownloadTask, _ error: TransferError?) -> TaskEnd {
        guard arePiecesCurrent else {
            dropPieces()
            return .ends(error)
        }
        // First: what follows may begin connections.
        noteWait(task)
        if isExcess(error), let own = pieces?.own { takeBack(own, of: task) } else { noteOwn(task) }
        let isRunning = stop == nil && engine.queue[id]?.state == .running && !engine.isShuttingDown
        if isRunning, let end = carryOn(task, error) { return end }
        // Paused or stopped at the same moment.
        switch pieces?.outcome(hasFailed: error != nil, isStopped: stop != nil) {
        case .whole: return ending(task, nil)
        case .restIsMissing: return ending(task, restIsMissing)
        case .asTask, nil: return ending(task, error)
        }
    }

    func isExcess(_ error: TransferError?) -> Bool { error?.fields.problem?.kind == .rangeExceeded }

    /// The response was longer than its range: what is stored of it is missing again.
    private func takeBack(_ piece: Int, of task: DownloadTask) {
        let start = task.progress.resumedFrom
        guard let end = pieces?.plan.pieces.first(where: { $0.id == piece })?.position, end > start else { return }
        pieces?.plan.invalidate(start..<end)
    }

    /// What the own task has stored.
    private func noteOwn(_ task: DownloadTask) {
        guard let own = pieces?.own, pieces?.isOwnCut == false,
            let position = Pieces.position(of: task) ?? task.resumePoint?.offset
        else { return }
        attribute(own, to: position, from: sources.lead)
        if let orders = pieces?.plan.moved(own, to: position, at: engine.scheduler.now) { obey(orders) }
    }

    /// The work of the own task is free for others.
    func releaseOwn(_ end: PiecePlan.End) {
        pieces?.hasOwnEnded = true
        guard let own = pieces?.own, pieces?.isOwnCut == false else { return }
        if let orders = pieces?.plan.ended(own, end, at: engine.scheduler.now) { obey(orders) }
    }

    var restIsMissing: TransferError {
        TransferError(.partialFile, .restMissing, host: description.url.authority, fields: .init(variant: .restMissing))
    }

    /// No task has failed: another attempt requests the rest at once, or when the transfer is resumed.
    func requestsRest(after error: TransferError) -> Bool {
        guard error.fields.variant == .restMissing else { return false }
        if engine.queue[id]?.state == .paused { return true }
        guard hasProgressed else { return false }
        engine.tryNext(self, .failure(error))
        return true
    }

    /// - Returns: `nil` if the attempt ends as the task did.
    private func carryOn(_ task: DownloadTask, _ error: TransferError?) -> TaskEnd? {
        let isDone = error == nil || pieces?.isOwnCut == true
        if isDone, pieces?.plan.isComplete == true {
            return awaitsComparison(task) ? .continues : ending(task, nil)
        }
        guard isDone || mayCarryOn(error), pieces?.helpers.values.contains(where: { !$0.isCut }) == true || isDone
        else { return nil }
        releaseOwn(Pieces.end(task, error))
        guard let pieces else { return nil }
        let live = pieces.helpers.filter { !$0.value.isCut }
        guard let (key, next) = live.first(where: { $0.value.hasBytes }) ?? live.first else {
            guard error == nil || pieces.isOwnCut else { return nil }
            guard pieces.isRecording, !pieces.waiting.isEmpty else { return ending(task, restIsMissing) }
            self.pieces?.awaiting = task
            return .continues
        }
        promote(key, next)
        return .continues
    }

    /// The helper takes the place of the own task, which has ended.
    func promote(_ key: Int, _ next: Pieces.Helper) {
        pieces?.helpers[key] = nil
        pieces?.own = next.id
        pieces?.isOwnCut = false
        pieces?.hasOwnEnded = false
        sources.lead(by: next.source)
        placement = next.placement
        engine.promote(helper: next.task, of: self)
        shareRate()
    }

    /// The failure is one of the connection, not of the disk or the user's wishes.
    private func mayCarryOn(_ error: TransferError?) -> Bool {
        guard let error, error.code != .folderNotResponding else { return false }
        let verdict = FailurePolicy.verdict(error)
        return !verdict.isShortage && [.retry, .wait].contains(verdict.next)
    }

    /// The attempt ends once no helper writes the file any more.
    func ending(_ task: DownloadTask, _ error: TransferError?) -> TaskEnd {
        pieces?.waiting = []
        guard let pieces, !pieces.helpers.isEmpty else { return .ends(error) }
        self.pieces?.ending = (task, error)
        for (key, helper) in pieces.helpers where !helper.isCut {
            self.pieces?.helpers[key]?.isCut = true
            self.pieces?.hasCut = true
            helper.task.cancel()
        }
        return .continues
    }
}
