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

    var currentURL: TransferURL { guarded.withLock { $0.plan?.url } ?? request.url }
    var response: HTTPResponse? { guarded.withLock { $0.response } }
    var error: TransferError? { guarded.withLock { $0.error } }
    var progress: TaskProgress { guarded.withLock { $0.progress } }
    var digest: [UInt8]? { guarded.withLock { $0.digest } }
    var restartReason: String? { guarded.withLock { $0.machine.restartReason } }

    var resumePoint: ResumePoint? {
        guarded.withLock { guarded in
            guard guarded.machine.hasResult else {
                if case .download(let target) = payload { return target.resume }
                return nil
            }
            return ResumePoint(offset: guarded.machine.resumedFrom + guarded.progress.received,
                               validator: guarded.machine.validator.merged(over: startValidator), total: guarded.machine.total)
        }
    }

    private var startValidator: Validator {
        if case .download(let target) = payload, let resume = target.resume { return resume.validator }
        return Validator()
    }

    /// What another task needs to go on from the file of this one.
    func makeResumeData(_ temporary: PartialFile?) -> ResumeData? {
        guard case .download(let target) = payload, let point = resumePoint else { return nil }
        let path: String? = switch target.place {
        case .temporary: temporary?.path
        case .partial(let file): file.path
        case .stream: nil
        }
        guard let path else { return nil }
        return ResumeData(url: request.url.string, validator: point.validator, ranges: ByteRangeSet(0..<point.offset),
                          total: point.total, partialPath: path, bootID: BootID.current)
    }
}

extension Validator {
    /// A 206 need not repeat what the first answer said; what it leaves out is taken from there.
    func merged(over earlier: Validator) -> Validator {
        Validator(entityTag: entityTag ?? earlier.entityTag, lastModified: lastModified ?? earlier.lastModified)
    }
}
