// SPDX-License-Identifier: MIT

import HTTPTypes
import Synchronization
import TransferModel

/// What a task tells of itself, and what it leaves behind.
extension TaskDriver {
    var publicState: TransferTask.State {
        guarded.withLock { guarded in
            if guarded.machine.isEnded { return .completed }
            if guarded.machine.isCancelling { return .canceling }
            return guarded.machine.isSuspended ? .suspended : .running
        }
    }

    var currentURL: TransferURL { guarded.withLock { $0.machine.hasBegun ? $0.machine.plan.url : nil } ?? request.url }
    var currentRequest: TransferRequest {
        var current = request
        guard let sent = guarded.withLock({ $0.report.sent }) else { return current }
        (current.url, current.method) = (sent.url, sent.method)
        current.options.headers = Array(sent.fields)
        // They are in the fields, as far as they were sent.
        current.options.cookies = []
        if !sent.isOriginalOrigin { current.options.credential = nil }
        return current
    }

    var response: HTTPResponse? { guarded.withLock { $0.report.response } }
    var error: TransferError? { guarded.withLock { $0.report.error } }
    var progress: TaskProgress {
        guarded.withLock { guarded in
            var progress = guarded.report.progress
            progress.expectedToReceive = progress.expectedToReceive ?? guarded.settings.clientExpects.toReceive
            progress.expectedToSend = progress.expectedToSend ?? guarded.settings.clientExpects.toSend
            return progress
        }
    }
    var digest: [UInt8]? { guarded.withLock { $0.report.digest } }
    var refusedBody: [UInt8] { guarded.withLock { $0.report.refusedBody ?? [] } }
    var isAnsweredEarly: Bool { guarded.withLock { $0.report.isAnsweredEarly } }
    var restartReason: String? { guarded.withLock { $0.machine.restartReason } }

    var resumePoint: ResumePoint? {
        let given = target?.resume
        return guarded.withLock { guarded in
            guard guarded.machine.hasResult else { return given }
            // Between two exchanges, or before the next one's head, what is stored is what the plan goes on from.
            if let next = guarded.machine.pendingResume ?? guarded.machine.keptPoint { return next }
            let received = guarded.storage.isStoring ? guarded.report.progress.received : 0
            return ResumePoint(
                offset: guarded.storage.before + received, validator: guarded.machine.validator,
                total: guarded.machine.total,
                contentType: guarded.machine.contentType, contentEncoding: guarded.machine.contentEncoding)
        }
    }

    /// What another task needs to go on from the file of this one.
    func makeResumeData(_ temporary: PartialFile?) -> ResumeData? {
        guard let target, let point = resumePoint else { return nil }
        let path: String? =
            switch target.place {
            case .temporary: temporary?.path
            case .partial(let file): (guarded.withLock { $0.storage.replacement } ?? file).path
            case .stream: nil
            }
        guard let path else { return nil }
        var data = ResumeData(
            url: request.url.string, validator: point.validator, ranges: ByteRangeSet(0..<point.offset),
            total: point.total, partialPath: path, bootID: BootID.current,
            contentType: point.contentType, contentEncoding: point.contentEncoding)
        data.isTemporary = temporary == nil && payload.givenTemporary == nil ? nil : true
        return data
    }
}
