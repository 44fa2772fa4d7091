// SPDX-License-Identifier: MIT

import HTTPTypes
import Synchronization
import TransferModel

/// The end of a task, reported once.
extension TaskDriver {
    func finish(_ proposed: TransferError?, _ session: TransferSession) {
        var error = proposed
        self.session = nil
        metrics.redirects = machine.redirects
        metrics.resumedFrom = machine.firstPartBegan ?? machine.resumedFrom
        metrics.taskEnd = session.scheduler.wallNow
        let left = Leftovers(
            source: upload.source, receiver: resumeDataReceiver, temporary: storage.temporary, pipe: storage.pipe)
        (upload.source, resumeDataReceiver, storage.temporary, storage.pipe) = (nil, nil, nil, nil)
        session.forgetDeadline(identifier)
        // A task that never began leaves a given file alone: its resume data is still valid.
        let temporary = payload.givenTemporary != nil && metrics.exchanges == 0 ? nil : left.temporary
        if notice.hasWaited { session.stopWaiting(identifier) }
        if error == nil, let source = left.source, source.lane == nil, source.hasChanged {
            error = source.changeError
        }
        if error == nil, machine.hasResult, target?.lane == nil { error = storedFile(temporary)?.closingError }
        left.pipe?.ended(error)
        let receiver = left.receiver
        let isWorthResuming = error != nil && (receiver != nil || (temporary != nil && error?.code != .cancelled))
        let resumeData = isWorthResuming ? makeResumeData(temporary) : nil
        if receiver == nil {
            error?.resumeData = resumeData
            error?.uploadResumeData = uploadResumeData
        }
        let ending = error
        // Together: who sees the end finds its error.
        face.withLock { ($0.error, $0.isEnded) = (ending, true) }
        var events: [TaskEvent] = []
        if ending == nil, machine.hasResult, let path = storedFile(temporary)?.path {
            events.append(.finishedDownload(path: path))
        }
        events += [.metrics(metrics), .completed(ending)]
        // The receiver of the data may open the file before the last reference here is released.
        if resumeData != nil { temporary?.unlock() }
        if ending == nil { storeInCache(session) }
        observer.deliver(
            events, of: identifier, session: session,
            ending: TaskEnding(receiver: receiver, resumeData: resumeData, temporary: temporary))
    }

    /// Resources that a task releases when it ends.
    private struct Leftovers {
        var source: UploadSourceFile?
        var receiver: (@Sendable (ResumeData?) -> Void)?
        var temporary: PartialFile?
        var pipe: ResponsePipe?
    }

    /// The file of a download; `nil` if none was stored.
    func storedFile(_ temporary: PartialFile?) -> PartialFile? {
        guard let target else { return nil }
        switch target.place {
        case .temporary: return temporary
        case .partial(let file): return storage.replacement ?? file
        case .stream: return nil
        }
    }

    /// The resume data by which another task resumes from the file of this one.
    private func makeResumeData(_ temporary: PartialFile?) -> ResumeData? {
        // Of a file that others write as well, it knows only a part.
        guard target?.placement?.isPositioned != true, let point = resumePoint,
            let path = storedFile(temporary)?.path
        else { return nil }
        var data = ResumeData(
            url: request.url.string, validator: point.validator, ranges: ByteRangeSet(0..<point.offset),
            total: point.total, partialPath: path, bootID: BootID.current,
            contentType: point.contentType, contentEncoding: point.contentEncoding)
        data.noteSource(point)
        data.isTemporary = temporary == nil && payload.givenTemporary == nil ? nil : true
        return data
    }
}
