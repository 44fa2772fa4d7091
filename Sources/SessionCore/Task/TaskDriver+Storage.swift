// SPDX-License-Identifier: MIT

import HTTPTypes
import Synchronization
import TransferModel

/// Where a download's bytes go.
extension TaskDriver {
    func store(_ head: HTTPResponse, offset: Int64, expectedEnd: Int64?, _ machine: TaskStateMachine, _ session: TransferSession)
        -> BodyDisposition {
        guard let target = adoptTarget(session) else { return .discard }
        do throws(TransferError) {
            if case .refuse(let error) = target.admit(head) { throw error }
            let disposition = try openDestination(target, offset: offset, expectedEnd: expectedEnd)
            announceHead(head)
            if machine.resumedFrom > 0 { announce([.resumed(offset: machine.resumedFrom, expected: machine.total)]) }
            return disposition
        } catch {
            guarded.withLock { $0.machine.destinationFailed(error) }
            announceHead(head)
            return head.status.code >= 400 ? explanation(session) : .abort
        }
    }

    // MARK: What a refusal says

    private static let explanationBytes = 4096
    /// Seconds for a server to say why.
    private static let explanationTime = 2.0

    /// Of an error response that is not stored, the first bytes are read.
    func explanation(_ session: TransferSession) -> BodyDisposition {
        guarded.withLock { $0.refusedBody = [] }
        session.scheduler.schedule(at: session.scheduler.now + Self.explanationTime) { [weak self] in self?.endExplanation() }
        return .deliver
    }

    /// - Returns: false where the bytes belong elsewhere.
    func takesExplanation(_ bytes: UnsafeRawBufferPointer) -> Bool {
        let isFull: Bool? = guarded.withLock { guarded in
            guard let count = guarded.refusedBody?.count else { return nil }
            guarded.refusedBody?.append(contentsOf: bytes.prefix(Self.explanationBytes - count))
            return count + bytes.count >= Self.explanationBytes
        }
        if isFull == true { endExplanation() }
        return isFull != nil
    }

    /// The exchange is of no more use; its end ends the task.
    private func endExplanation() {
        let (stage, session, isRefusing) = guarded.withLock { ($0.stage, $0.session, $0.machine.wantsNoExchange) }
        if case .running(let exchange) = stage, isRefusing { session?.transport.cancel(exchange) }
    }

    /// A data task whose answer becomes a download has no place for it yet.
    private func adoptTarget(_ session: TransferSession) -> DownloadTarget? {
        if let target { return target }
        let target = DownloadTarget()
        guarded.withLock { $0.becameDownload = target }
        session.becameDownload(self)
        return target
    }

    private func openDestination(_ target: DownloadTarget, offset: Int64, expectedEnd: Int64?)
        throws(TransferError) -> BodyDisposition {
        let file: PartialFile
        switch target.place {
        case .stream(let descriptor): return .stream(descriptor: descriptor)
        case .partial(let given): file = try fileForVersion(given, target, offset: offset)
        case .temporary:
            file = try openTemporary()
        }
        if file.length != offset { try file.truncate(to: offset) }
        return .file(descriptor: file.descriptor, offset: offset, expectedEnd: expectedEnd)
    }

    /// Another version of what `given` holds goes where its owner wants it, and all that follows goes there too.
    private func fileForVersion(_ given: PartialFile, _ target: DownloadTarget, offset: Int64) throws(TransferError) -> PartialFile {
        let current = guarded.withLock { $0.replacement } ?? given
        guard offset == 0, let makeReplacement = target.replacement, current.length > 0 else { return current }
        let file = try makeReplacement()
        guarded.withLock { $0.replacement = file }
        return file
    }

    /// A task that has ended meanwhile leaves nothing behind.
    private func openTemporary() throws(TransferError) -> PartialFile {
        let (kept, session) = guarded.withLock { ($0.temporary, $0.session) }
        if let kept { return kept }
        guard let session else { throw .cancelled }
        let file = try TemporaryFile.make(in: session.configuration.temporaryFolder)
        let isStillWanted = guarded.withLock { guarded in
            guard guarded.session != nil else { return false }
            guarded.temporary = file
            return true
        }
        guard isStillWanted else {
            TemporaryFile.discard(file)
            throw .cancelled
        }
        return file
    }
}
