// SPDX-License-Identifier: MIT

import HTTPTypes
import TransferModel

/// What the end of an exchange means.
extension ConcatenatedUpload {
    package mutating func ended(_ reply: UploadReply) -> UploadStep {
        guard !parts.isEmpty else { return divided(whole.ended(reply)) }
        switch state {
        case .creating(let number), .querying(let number): noteExpiry(of: number, reply)
        case .appending(let number, let range):
            noteExpiry(of: number, reply)
            reaches[number].finish(range, sent: reply.sent)
        case .idle, .joining, .ended: break
        }
        if let fault { return end(fault) }
        // A redirect that is not followed: the error has the reason.
        if let error = reply.error, reply.head?.status.kind == .redirection { return broken(error) }
        guard let head = reply.head, reply.error == nil || reply.refusal != nil else {
            return broken(reply.error ?? TransferError(.noResponse, .failed, host: authority))
        }
        let reading = TusUpload().reading(head, size: nil)
        switch state {
        case .idle, .ended: return end(TransferError(.other, .unrequestedResponse, host: authority))
        case .creating(let number): return created(number, reply, reading)
        case .querying(let number): return queried(number, reply, reading)
        case .appending(let number, let range): return appended(number, range, reply, reading)
        case .joining: return joined(reply, reading)
        }
    }

    private mutating func broken(_ error: TransferError) -> UploadStep {
        switch state {
        case .appending(let number, _):
            unclear.insert(number)
            // The server may have closed a connection that was used before.
            if error.code == .noResponse, turn() { return query(number) }
        case .joining:
            switch FailurePolicy.verdict(error).path {
            // Nothing of the request was sent.
            case .unresolved, .unreached, .answered: isJoinSent = wasJoinSentBefore
            case .innocent, .broke: break
            }
        case .idle, .creating, .querying, .ended: break
        }
        return failed(error)
    }

    // MARK: Parts

    private mutating func created(_ number: Int, _ reply: UploadReply, _ reading: UploadReading) -> UploadStep {
        let isFirst = parts.allSatisfy { $0.url == nil } && restarts.isEmpty
        if let refusal = reply.refusal {
            return isFirst && !isTransient(refusal) ? united() : refused(refusal)
        }
        guard let location = reading.location else {
            guard !isFirst else { return united() }
            return end(TransferError(.sendFailed, .partWithoutAddress, number + 1, host: authority))
        }
        do throws(TransferError) { parts[number].url = try whole.place(location, from: reply.url).string } catch {
            return end(error)
        }
        (parts[number].offset, reaches[number]) = (0, UploadReach(0))
        unclear.remove(number)
        // Its address is stored before anything is sent to it, and before the next one is created.
        let step = next()
        guard case .send(let exchange) = step else { return step }
        return .commit(exchange)
    }

    private mutating func queried(_ number: Int, _ reply: UploadReply, _ reading: UploadReading) -> UploadStep {
        if let refusal = reply.refusal {
            guard TusUpload().goneStatuses.contains(reply.head?.status.code ?? 0) else { return refused(refusal) }
            if isJoinSent || (mayBeJoined && parts[number].offset == parts[number].length) {
                unclear.remove(number)
                (isJoinSent, repeatsJoin) = (true, true)
            } else {
                lose(number, .init(.expired, number + 1))
            }
            return next()
        }
        if isJoinSent {
            unclear.remove(number)
            // No longer what was to be joined.
            if let offset = reading.offset, offset < parts[number].length { repeatsJoin = true }
            let extensions = Tus.words(reply.head?.headerFields[.tusExtension])
            if extensions.contains(where: { $0 == Tus.repeatableConcatenation }) { isJoinRepeatable = true }
            return next()
        }
        take(reading, of: number)
        if let fault { return end(fault) }
        return next()
    }

    private mutating func appended(
        _ number: Int, _ range: Range<Int64>, _ reply: UploadReply, _ reading: UploadReading
    ) -> UploadStep {
        if let refusal = reply.refusal {
            return appendRefused(number, range, refusal, reply.head?.status.code ?? 0)
        }
        guard reading.offset != nil, !reply.isEarly else {
            unclear.insert(number)
            return turn() ? query(number) : stuck()
        }
        take(reading, of: number, atMost: range.upperBound)
        if let fault { return end(fault) }
        guard isWorthwhile(number, range) || turn() else { return stuck() }
        return next()
    }

    /// Whether the server took so much of a request that the next one follows at once. A part that starts again counts.
    mutating func isWorthwhile(_ number: Int, _ range: Range<Int64>) -> Bool {
        guard parts[number].url != nil else { return true }
        let share = AppendShare(taken: parts[number].offset - range.lowerBound, sent: Int64(range.count))
        maximumAppend = share.most ?? maximumAppend
        return share.isWorthwhile
    }

    private mutating func appendRefused(
        _ number: Int, _ range: Range<Int64>, _ refusal: TransferError, _ status: Int
    ) -> UploadStep {
        unclear.insert(number)
        switch status {
        case 409: return turn() ? query(number) : stuck()
        case 413:
            let size = range.upperBound - range.lowerBound
            guard size > ResumableUpload.smallestAppend else { return failed(refusal) }
            maximumAppend = max(ResumableUpload.smallestAppend, size / 4)
            return query(number)
        case _ where TusUpload().goneStatuses.contains(status):
            lose(number, .init(.expired, number + 1))
            return next()
        default: return refused(refusal)
        }
    }

    // MARK: The end

    private mutating func joined(_ reply: UploadReply, _ reading: UploadReading) -> UploadStep {
        guard let refusal = reply.refusal else {
            let status = reply.head?.status.code ?? 0
            // A redirect of this request leads to a page, such as that of a login, which says nothing about the parts.
            guard status == 201 || reading.location != nil else {
                return failed(
                    TransferError(.sendFailed, .notJoined, host: authority, fields: .init(status: status)))
            }
            state = .ended
            return .finish(isVerdict: true)
        }
        let status = reply.head?.status.code ?? 0
        // A proxy waits no longer; the server may join them all the same.
        if [502, 504, 522, 524].contains(status) { return failed(refusal) }
        isJoinSent = repeatsJoin
        if isTransient(refusal) {
            // It may be a proxy's.
            isJoinSent = wasJoinSentBefore
            mayBeJoined = mayBeJoined || status == 500
            return refused(refusal)
        }
        mayBeJoined = false
        guard !repeatsJoin else {
            // There is nothing left to continue with, or to remove.
            parts = []
            return end(outcomeUnknown(.partsForgotten))
        }
        // A part may be incomplete, or gone. If all are there and the next refusal is the same, the target is refused.
        guard [400, 404, 409, 410].contains(status), idleTurns == 0, turn() else { return failed(refusal) }
        unclear = Set(parts.indices)
        return next()
    }

    // MARK: Refusals

    /// Another attempt may succeed.
    private func isTransient(_ refusal: TransferError) -> Bool {
        [401, 407, 423].contains(refusal.fields.status) || FailurePolicy.verdict(refusal).next == .retry
    }

    /// What the server has stays, for another attempt or for a retry by the user.
    private mutating func refused(_ refusal: TransferError) -> UploadStep {
        guard refusal.fields.status == 423 else { return failed(refusal) }
        state = .ended
        return .busy(refusal)
    }

    /// - Returns: false if too many requests of this attempt have brought it no further.
    private mutating func turn() -> Bool {
        idleTurns += 1
        return idleTurns <= Self.patience
    }

    private mutating func stuck() -> UploadStep {
        state = .ended
        return .busy(standstill)
    }
}
