// SPDX-License-Identifier: MIT

import HTTPTypes
import Synchronization
import TransferModel

/// Where a download's bytes go.
extension TaskDriver {
    struct Storage {
        var temporary: PartialFile?
        /// Where the body goes since another version came than the target's file holds.
        var replacement: PartialFile?
        /// Where the body goes since the response of a data task became a download.
        var becameDownload: DownloadTarget?
        /// Where the body goes since the response of a data task became a stream.
        var pipe: ResponsePipe?
        /// Bytes of the file that were there before the exchange.
        private(set) var before: Int64 = 0
        /// The bytes that the exchange receives go to the file.
        private(set) var isStoring = false

        init(temporary: PartialFile?) { self.temporary = temporary }

        mutating func begin(at offset: Int64) { (before, isStoring) = (offset, false) }
        mutating func store(from offset: Int64) { (before, isStoring) = (offset, true) }
    }

    func store(
        _ verdict: HeadVerdict, offset: Int64, expectedEnd: Int64?, _ session: TransferSession
    )
        -> BodyDisposition
    {
        let head = verdict.head
        let target = adoptTarget(session)
        do throws(TransferError) {
            if case .refuse(let error) = target.admit(head) { throw error }
            let disposition = try openDestination(target, offset: offset, expectedEnd: expectedEnd, session)
            announceHead(head, session)
            if verdict.resumedFrom > 0 {
                announce([.resumed(offset: verdict.resumedFrom, expected: verdict.total)], session)
            }
            return disposition
        } catch {
            machine.destinationFailed(error)
            publish()
            announceHead(head, session)
            return head.status.code >= 400 ? explanation(session) : .abort
        }
    }

    // MARK: What a refusal says

    static let explanationBytes = 4096
    /// Seconds for a server to say why.
    private static let explanationTime = 2.0

    /// Of an error response that is not stored, the first bytes are read.
    func explanation(_ session: TransferSession) -> BodyDisposition {
        face.withLock { $0.refusedBody = [] }
        schedule(after: Self.explanationTime, session) { $0.call { $0.explained() } }
        return .deliver
    }

    /// A data task whose answer becomes a download has no place for it yet.
    private func adoptTarget(_ session: TransferSession) -> DownloadTarget {
        if let target { return target }
        let target = DownloadTarget()
        storage.becameDownload = target
        session.becameDownload(self)
        return target
    }

    private func openDestination(
        _ target: DownloadTarget, offset: Int64, expectedEnd: Int64?, _ session: TransferSession
    )
        throws(TransferError) -> BodyDisposition
    {
        let file: PartialFile
        switch target.place {
        case .stream(let descriptor): return .stream(descriptor: descriptor)
        case .partial(let given): file = try fileForVersion(given, target, offset: offset)
        case .temporary: file = try openTemporary(session)
        }
        if file.length != offset { try file.truncate(to: offset) }
        return .file(descriptor: file.descriptor, offset: offset, expectedEnd: expectedEnd)
    }

    /// Another version of what `given` holds goes where its owner wants it, and all that follows goes there too.
    private func fileForVersion(
        _ given: PartialFile, _ target: DownloadTarget, offset: Int64
    ) throws(TransferError) -> PartialFile {
        let current = storage.replacement ?? given
        guard offset == 0, let makeReplacement = target.replacement, current.length > 0 else { return current }
        let file = try makeReplacement()
        storage.replacement = file
        return file
    }

    private func openTemporary(_ session: TransferSession) throws(TransferError) -> PartialFile {
        if let kept = storage.temporary { return kept }
        let file = try TemporaryFile.make(in: session.configuration.temporaryFolder)
        storage.temporary = file
        return file
    }
}
