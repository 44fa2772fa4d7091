// SPDX-License-Identifier: MIT

import HTTPTypes
import Synchronization
import TransferModel

/// Where a download's bytes go.
extension TaskDriver {
    struct Storage {
        var temporary: PartialFile?
        /// The destination of another version than that of the target's file.
        var replacement: PartialFile?
        /// The destination of a data task's response that became a download.
        var becameDownload: DownloadTarget?
        /// The destination of a data task's response that became a stream.
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
        let target = adoptTarget(session)
        if let lane = target.lane, case .partial(let given) = target.place, let exchange = machine.running?.id {
            openDestination(given, target, on: lane, (exchange, verdict, offset, expectedEnd))
            return .hold
        }
        do throws(TransferError) {
            if case .refuse(let error) = target.admit(verdict.head, machine.plan.url) { throw error }
            let disposition = try openDestination(target, offset: offset, expectedEnd: expectedEnd, session)
            announceStoring(verdict, session)
            return disposition
        } catch { return refuse(verdict, error, session) }
    }

    private func announceStoring(_ verdict: HeadVerdict, _ session: TransferSession) {
        announceHead(verdict.head, session)
        // To the listener, several parts are one.
        if verdict.resumedFrom > 0 || target?.isContinued == true, machine.firstPartBegan == nil {
            announce([.resumed(offset: verdict.resumedFrom, expected: verdict.total)], session)
        }
    }

    private func refuse(
        _ verdict: HeadVerdict, _ error: TransferError, _ session: TransferSession
    ) -> BodyDisposition {
        machine.destinationFailed(error)
        publish()
        announceHead(verdict.head, session)
        return verdict.head.status.code >= 400 ? explanation(session) : .abort
    }

    // MARK: By a lane

    /// An accepted response whose body waits for its file.
    private typealias Accepted = (exchange: ExchangeID, verdict: HeadVerdict, offset: Int64, expectedEnd: Int64?)

    /// Admits the response and opens its file on `lane`; the transport holds the body meanwhile.
    private func openDestination(
        _ given: PartialFile, _ target: DownloadTarget, on lane: any FileLane, _ accepted: Accepted
    ) {
        machine.awaitDestination()
        let (current, head, offset) = (storage.replacement ?? given, accepted.verdict.head, accepted.offset)
        let url = machine.plan.url
        lane.perform { () throws(TransferError) -> PartialFile in
            if case .refuse(let error) = target.admit(head, url) { throw error }
            let file = try Self.file(for: target, current, offset: offset)
            try Self.prepare(file, target, at: offset)
            return file
        } reply: { [weak self] result in
            self?.post { $0.destinationOpened(result, given, accepted) }
        }
    }

    /// The result of an exchange that has been ended meanwhile is dropped.
    private func destinationOpened(
        _ result: Result<PartialFile, TransferError>, _ given: PartialFile, _ accepted: Accepted
    ) {
        guard let session, machine.opening == accepted.exchange else { return }
        switch result {
        case .success(let file):
            if file !== (storage.replacement ?? given) { storage.replacement = file }
            machine.destinationOpened()
            announceStoring(accepted.verdict, session)
            place(
                .file(descriptor: file.descriptor, offset: accepted.offset, expectedEnd: accepted.expectedEnd), session)
        case .failure(let error): place(refuse(accepted.verdict, error, session), session)
        }
    }

    /// Removes what the exchange has stored. Of a file that others write as well, its range is requested again.
    func takeBack() {
        guard storage.isStoring, let target, target.placement?.isPositioned != true,
            let file = storedFile(storage.temporary)
        else { return }
        let length = storage.before
        guard let lane = target.lane else { return _ = try? file.truncate(to: length) }
        lane.perform { () throws(TransferError) in
            try file.truncate(to: length)
        } reply: { _ in
        }
    }

    // MARK: The body of a refusal

    static let explanationBytes = 4096
    /// Seconds for the body of a refusal.
    private static let explanationTime = 2.0

    /// Reads the first bytes of an error response that is not stored.
    func explanation(_ session: TransferSession) -> BodyDisposition {
        face.withLock { $0.refusedBody = [] }
        schedule(after: Self.explanationTime, session) { $0.call { $0.explained() } }
        return .deliver
    }

    /// A data task whose response becomes a download has no destination yet.
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
        case .partial(let given):
            let current = storage.replacement ?? given
            file = try Self.file(for: target, current, offset: offset)
            if file !== current { storage.replacement = file }
        case .temporary: file = try openTemporary(session)
        }
        try Self.prepare(file, target, at: offset)
        return .file(descriptor: file.descriptor, offset: offset, expectedEnd: expectedEnd)
    }

    /// The file for a body from `offset` on: another version than the bytes of `current` goes to the file that the
    /// target makes for it.
    private static func file(
        for target: DownloadTarget, _ current: PartialFile, offset: Int64
    ) throws(TransferError) -> PartialFile {
        guard offset == 0, let makeReplacement = target.replacement, current.length > 0 else { return current }
        return try makeReplacement()
    }

    /// A file with one writer ends where that begins.
    private static func prepare(
        _ file: PartialFile, _ target: DownloadTarget, at offset: Int64
    ) throws(TransferError) {
        guard target.placement?.isPositioned == true else {
            let length = file.length
            // Never longer: the gap would be taken for bytes.
            guard length >= offset else {
                throw TransferError(
                    .partialFile, file: FileProblem(.shorter, bytes: length, position: offset), path: file.path,
                    variant: .mustStartAgain)
            }
            if length != offset { try file.truncate(to: offset) }
            return
        }
        if let length = target.extendsTo, file.length < length { try file.truncate(to: length) }
    }

    private func openTemporary(_ session: TransferSession) throws(TransferError) -> PartialFile {
        if let kept = storage.temporary { return kept }
        let file = try TemporaryFile.make(in: session.configuration.temporaryFolder)
        storage.temporary = file
        return file
    }
}
