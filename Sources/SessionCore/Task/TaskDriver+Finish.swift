// SPDX-License-Identifier: MIT

import HTTPTypes
import Synchronization
import TransferModel

/// The end of a task, told once.
extension TaskDriver {
    func finish(_ proposed: TransferError?, _ session: TransferSession) {
        var error = proposed
        let (source, receiver, metrics, found, pipe) = guarded.withLock { guarded in
            guarded.stage = .none
            guarded.session = nil
            guarded.metrics.redirects = guarded.machine.redirects
            guarded.metrics.resumedFrom = guarded.machine.resumedFrom
            guarded.metrics.taskEnd = session.scheduler.wallNow
            defer {
                (guarded.source, guarded.resumeDataReceiver, guarded.temporary) = (nil, nil, nil)
                guarded.pipe = nil
            }
            return (guarded.source, guarded.resumeDataReceiver, guarded.metrics, guarded.temporary, guarded.pipe)
        }
        // A file that was given is left alone by a task that never began: its resume data is still good.
        let temporary = payload.givenTemporary != nil && metrics.exchanges == 0 ? nil : found
        session.leaveGate(identifier)
        session.stopWaiting(identifier)
        if error == nil, let source, source.hasChanged {
            error = TransferError(.cannotReadSource, "\(source.path): changed while it was being sent; send it again")
        }
        pipe?.ended(error)
        let isWorthResuming = error != nil && (receiver != nil || (temporary != nil && error?.code != .cancelled))
        let resumeData = isWorthResuming ? makeResumeData(temporary) : nil
        if receiver == nil { error?.resumeData = resumeData }
        let ending = error
        guarded.withLock { $0.error = ending }
        var events: [TaskEvent] = []
        if ending == nil, let path = storedPath(temporary) { events.append(.finishedDownload(path: path)) }
        events += [.metrics(metrics), .completed(ending)]
        // Whoever gets the data may open the file before the last reference to it here has gone.
        if resumeData != nil { temporary?.unlock() }
        if ending == nil { keepInCache(session) }
        observer.deliver(events, of: identifier, session: session,
                         ending: TaskEnding(receiver: receiver, resumeData: resumeData, temporary: temporary))
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
        guard let target, guarded.withLock({ $0.machine.hasResult }) else { return nil }
        switch target.place {
        case .temporary: return temporary?.path
        case .partial(let file): return (guarded.withLock { $0.replacement } ?? file).path
        case .stream: return nil
        }
    }
}
