// SPDX-License-Identifier: MIT

import HTTPTypes
import Synchronization
import TransferModel

/// The end of a task, told once.
extension TaskDriver {
    func finish(_ proposed: TransferError?, _ session: TransferSession) {
        var error = proposed
        let (left, metrics, hasWaited) = guarded.withLock { guarded in
            guarded.session = nil
            guarded.report.metrics.redirects = guarded.machine.redirects
            guarded.report.metrics.resumedFrom = guarded.machine.resumedFrom
            guarded.report.metrics.taskEnd = session.scheduler.wallNow
            let left = Leftovers(
                source: guarded.upload.source, receiver: guarded.resumeDataReceiver,
                temporary: guarded.storage.temporary,
                pipe: guarded.storage.pipe, hasResult: guarded.machine.hasResult)
            (guarded.upload.source, guarded.resumeDataReceiver, guarded.storage.temporary) = (nil, nil, nil)
            guarded.storage.pipe = nil
            return (left, guarded.report.metrics, guarded.notice.hasWaited)
        }
        // A file that was given is left alone by a task that never began: its resume data is still good.
        let temporary = payload.givenTemporary != nil && metrics.exchanges == 0 ? nil : left.temporary
        if hasWaited { session.stopWaiting(identifier) }
        if error == nil, let source = left.source, source.hasChanged {
            error = TransferError(.cannotReadSource, "\(source.path): changed while it was being sent; send it again")
        }
        left.pipe?.ended(error)
        let receiver = left.receiver
        let isWorthResuming = error != nil && (receiver != nil || (temporary != nil && error?.code != .cancelled))
        let resumeData = isWorthResuming ? makeResumeData(temporary) : nil
        if receiver == nil { error?.resumeData = resumeData }
        let ending = error
        if ending != nil { guarded.withLock { $0.report.error = ending } }
        var events: [TaskEvent] = []
        if ending == nil, left.hasResult, let path = storedPath(temporary) {
            events.append(.finishedDownload(path: path))
        }
        events += [.metrics(metrics), .completed(ending)]
        // Whoever gets the data may open the file before the last reference to it here has gone.
        if resumeData != nil { temporary?.unlock() }
        if ending == nil { keepInCache(session) }
        observer.deliver(
            events, of: identifier, session: session,
            ending: TaskEnding(receiver: receiver, resumeData: resumeData, temporary: temporary))
    }

    /// What a task has to let go when it ends.
    private struct Leftovers {
        var source: UploadSourceFile?
        var receiver: (@Sendable (ResumeData?) -> Void)?
        var temporary: PartialFile?
        var pipe: ResponsePipe?
        var hasResult: Bool
    }

    /// After the last event.
    func forgetDelegate() {
        // Let go outside the lock: what a delegate does at its own end is its own affair.
        let former = guarded.withLock { guarded in
            defer { guarded.delegate = Audience(nil) }
            return guarded.delegate
        }
        withExtendedLifetime(former) {}
    }

    /// Where a whole download lies; `nil` where none was stored.
    private func storedPath(_ temporary: PartialFile?) -> String? {
        guard let target else { return nil }
        switch target.place {
        case .temporary: return temporary?.path
        case .partial(let file): return (guarded.withLock { $0.storage.replacement } ?? file).path
        case .stream: return nil
        }
    }
}
