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
            return .abort
        }
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
        case .partial(let given): file = given
        case .temporary:
            file = try openTemporary()
        }
        if file.length != offset { try file.truncate(to: offset) }
        return .file(descriptor: file.descriptor, offset: offset, expectedEnd: expectedEnd)
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
