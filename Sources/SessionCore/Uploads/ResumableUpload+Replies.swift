// SPDX-License-Identifier: MIT

import HTTPTypes
import TransferModel

/// What the end of an exchange means.
extension ResumableUpload {
    package mutating func ended(_ reply: UploadReply) -> Step {
        switch state {
        case .creating(let range), .appending(let range): reach.finish(range, sent: reply.sent)
        case .idle, .discovering, .querying, .seeking, .awaiting, .replaying, .ended: break
        }
        let step = next(after: reply)
        if point != nil, reply.refusal == nil, let head = reply.head, let now = reply.receivedAt,
            let expires = dialect.expiry(head, now: now)
        {
            point?.expires = expires
        }
        return step
    }

    private mutating func next(after reply: UploadReply) -> Step {
        if let fault { return end(fault) }
        // An informational response may have stated the offset.
        if let offset = point?.offset, !reach.admits(offset) { return end(excess(offset)) }
        // A redirect that is not followed: the error has the reason.
        if let error = reply.error, reply.head?.status.kind == .redirection, state != .discovering {
            return broken(error)
        }
        guard let head = reply.head, reply.error == nil || reply.refusal != nil else {
            return broken(reply.error ?? TransferError(.noResponse, .failed, host: authority))
        }
        let reading = dialect.reading(head, size: comparedSize)
        switch state {
        case .idle, .ended, .awaiting:
            return end(TransferError(.other, .unrequestedResponse, host: authority))
        case .discovering: return discovered(reply)
        case .creating(let body): return created(reply, head, reading, body)
        case .querying: return queried(reply, head, reading)
        case .seeking: return sought(reply, head, reading)
        case .appending(let range): return appended(reply, reading, range)
        case .replaying: return replayed(reply, reading)
        }
    }

    private mutating func broken(_ error: TransferError) -> Step {
        // A server that closes the connection on OPTIONS, or does not respond, may take an upload all the same.
        if case .discovering = state, FailurePolicy.verdict(error).path == .broke {
            if error.fields.timer == .request {
                found = UploadSupport.none
                return create(with: .none)
            }
            if resumption == .auto { return sendPlain() }
            if resumption == .tus { return create(with: .none) }
        }
        if case .appending(let range) = state, point?.checksum != nil, FailurePolicy.verdict(error).path == .broke {
            verified.broke(range)
        }
        // The server may have closed a connection that was used before.
        if case .appending = state, error.code == .noResponse, turn() { return query() }
        // A creation with the file cannot be repeated: it might store a second one.
        if case .creating(let body) = state, dialect.carrier == .tus, !body.isEmpty, isCreationSent {
            return end(outcomeUnknown(.mayBeTwice))
        }
        state = .ended
        return .failed(error)
    }

    private mutating func discovered(_ reply: UploadReply) -> Step {
        let isSame = reply.url.origin == subject.target.origin
        let support = isSame ? UploadSupport(announcedBy: reply.head, asked: asked) : .none
        if reply.head?.status.code == 400, resumption != .tus, !asksFolder,
            let next = Self.next(of: UploadInterop.preferred.drop { $0 >= asked }, after: reply.head).first
        {
            return discover(by: next)
        }
        // A server in trouble announces nothing now, but perhaps later.
        if let refusal = reply.refusal, FailurePolicy.verdict(refusal).next == .retry {
            // Some fail on every request of this method, and take uploads.
            if resumption == .auto, reply.head?.status.code == 500 { return sendPlain() }
            state = .ended
            return .failed(refusal)
        }
        // tus announces what it has where it creates, and other addresses need not exist.
        if support == .none, resumption == .auto, !asksFolder, !subject.needsTarget,
            [404, 405].contains(reply.head?.status.code), subject.target.lastPathSegment == subject.name,
            let folder = try? subject.target.resolving("./")
        {
            asksFolder = true
            return .send(UploadExchange(.discovery, folder, .options))
        }
        found = asksFolder ? support.onlyTus : support
        return create(with: asksFolder ? support.onlyTus : support)
    }

    // MARK: Continuation

    mutating func queried(_ reply: UploadReply, _ head: HTTPResponse, _ reading: UploadReading) -> Step {
        if let refusal = reply.refusal {
            let status = reply.head?.status.code ?? 0
            if let step = postponed(refusal, status) { return step }
            // By the draft, some proxies let GET alone through.
            if dialect.carrier != .tus, !queriesByGet, [403, 405, 501].contains(status) {
                queriesByGet = true
                return query()
            }
            return gone(status) ?? refused(refusal)
        }
        noteDigest(reading)
        note(reading.limits)
        if let length = reading.length, let size, length != size {
            return end(
                TransferError(.sendFailed, .length, length, size, host: authority))
        }
        if isStream { isLengthDeclared = reading.length != nil }
        guard let offset = reading.offset else {
            return end(TransferError(.sendFailed, .noOffset, host: authority))
        }
        if let step = moved(to: offset) { return step }
        verified.offsetStated(offset)
        let isComplete = dialect.reading(head, size: comparedSize).isComplete
        guard isComplete == true else { return append(from: offset) }
        guard offset == size else { return end(incomplete(offset)) }
        guard dialect.replaysFinalResponse, let url = try? TransferURL(point?.url ?? "") else {
            state = .ended
            return .finish(isVerdict: false)
        }
        state = .replaying
        return .send(dialect.append(offset..<offset, of: size, to: url, declaresLength: false))
    }

    /// Takes the server's offset. `nil`: it can be used.
    mutating func moved(to offset: Int64) -> Step? {
        guard offset <= available, reach.admits(offset) else { return end(excess(offset)) }
        let known = point?.offset ?? 0
        guard offset >= known else {
            giveUp()
            return restart(.init(.lost, known - offset))
        }
        if AppendShare.isProgress(offset - known, of: available - known) { idleTurns = 0 }
        point?.offset = offset
        return nil
    }

    private func incomplete(_ offset: Int64) -> TransferError {
        TransferError(
            .sendFailed, .incomplete, offset, size, host: authority,
            fields: .init(variant: .storedOtherBytes))
    }

    private mutating func restart(_ problem: TransferProblem) -> Step {
        (state, point) = (.ended, nil)
        return .restart(TransferError(.rangeRefused, problem, host: authority))
    }

    /// The server has no such upload, as far as the status says.
    private mutating func gone(_ status: Int) -> Step? {
        guard dialect.goneStatuses.contains(status) else { return nil }
        if let verdict { return refused(verdict) }
        guard point?.isTailSent != true else {
            point = nil
            return end(outcomeUnknown(.uploadForgotten))
        }
        return restart(.init(.expired))
    }

    private func outcomeUnknown(_ outcome: TransferProblem.Outcome) -> TransferError {
        TransferError(.noResponse, .outcomeUnknown, outcome, host: authority, fields: .init(variant: .outcomeUnknown))
    }

    private mutating func appended(_ reply: UploadReply, _ reading: UploadReading, _ range: Range<Int64>) -> Step {
        if let refusal = reply.refusal {
            return appendRefused(refusal, reply.head?.status.code ?? 0, reading, range)
        }
        if let most = reading.limits?.maximumAppend { point?.maximumAppend = most }
        let isLast = sendsEnd
        if reply.isEarly {
            return turn() ? query() : end(.answeredEarly(authority, status: reply.head?.status.code ?? 0))
        }
        if let offset = reading.offset, offset > range.upperBound { return end(excess(offset)) }
        // tus has no other word for the end.
        if isLast, dialect.carrier == .tus, reading.offset == nil { return turn() ? query() : stuck() }
        if isLast, reading.isComplete != false {
            if let offset = reading.offset, offset != range.upperBound { return turn() ? query() : stuck() }
            point?.offset = range.upperBound
            state = .ended
            return .finish(isVerdict: true)
        }
        if !isLast, reading.isComplete == true {
            return end(incomplete(range.upperBound))
        }
        let reached = reading.offset ?? range.upperBound
        let share = AppendShare(taken: reached - range.lowerBound, sent: Int64(range.count))
        if let most = share.most { point?.maximumAppend = most }
        if isLast { return turn() ? query() : stuck() }
        let (offset, turns) = (reached, idleTurns)
        if let step = moved(to: offset) { return step }
        if !share.isWorthwhile {
            idleTurns = turns
            guard turn() else { return stuck() }
        }
        verified.confirmed()
        return append(from: offset)
    }

    mutating func note(_ stated: UploadLimits?) {
        if let most = stated?.maximumAppend { point?.maximumAppend = most }
        if let least = stated?.minimumAppend { limits.minimumAppend = least }
    }

    private mutating func appendRefused(
        _ refusal: TransferError, _ status: Int, _ reading: UploadReading, _ range: Range<Int64>
    ) -> Step {
        // Complete, and refused: the status is the target's.
        let isOfTarget = sendsEnd && dialect.carrier != .tus && reading.isComplete == true
        switch status {
        case 409:
            if isOfTarget, reading.offset == size {
                if range.isEmpty { return refused(refusal) }
                // Or the request was sent twice, and the first one completed the upload.
                verdict = refusal
            }
            guard turn() else {
                // The server waits for these bytes, and refuses them for another reason.
                return reading.offset == range.lowerBound ? busy(refusal) : stuck()
            }
            guard let offset = reading.offset, offset != range.lowerBound else { return query() }
            return moved(to: offset) ?? append(from: offset)
        case _ where isOfTarget: return postponed(refusal, status) ?? refused(verdict ?? refusal)
        case 413:
            // Smaller pieces, if the server takes any.
            let size = range.upperBound - range.lowerBound
            let stated = reading.limits?.maximumAppend.flatMap { $0 < size && $0 > 0 ? $0 : nil }
            guard let most = stated ?? (size > Self.smallestAppend ? max(Self.smallestAppend, size / 4) : nil) else {
                failedForSupport = true
                return refused(refusal)
            }
            point?.maximumAppend = most
            return query()
        case 507:
            // The server keeps what it has: a later attempt continues, when there is room.
            state = .ended
            return .failed(refusal)
        case 460:
            guard !turn() else { return query() }
            return end(
                TransferError(
                    .checksumMismatch, .damaged, idleTurns, host: authority,
                    fields: .init(status: status, variant: .storedOtherBytes)))
        case 400 where refusesDigest(of: range, reading), 422 where refusesDigest(of: range, reading):
            return turn() ? query() : refused(refusal)
        default: return postponed(refusal, status) ?? gone(status) ?? refused(refusal)
        }
    }

    /// The response of the target, asked for again.
    private mutating func replayed(_ reply: UploadReply, _ reading: UploadReading) -> Step {
        guard let refusal = reply.refusal else {
            state = .ended
            return .finish(isVerdict: true)
        }
        let status = reply.head?.status.code ?? 0
        if let step = postponed(refusal, status) { return step }
        // The server has said that the upload is complete, and does not repeat what its target said.
        let isOfTarget = reading.isComplete == true && [404, 409, 410].contains(status)
        guard [400, 404, 405, 409, 410, 501].contains(status), !isOfTarget else { return refused(refusal) }
        state = .ended
        return .finish(isVerdict: false)
    }

    private mutating func refused(_ refusal: TransferError) -> Step {
        state = .ended
        giveUp()
        return .refused(refusal)
    }

    /// Another attempt may succeed, from the same point. `nil`: the status is final.
    mutating func postponed(_ refusal: TransferError, _ status: Int) -> Step? {
        if status == 423 { return busy(refusal) }
        let isLogin = status == 401 || status == 407
        guard isLogin || FailurePolicy.verdict(refusal).next == .retry else { return nil }
        state = .ended
        return .failed(refusal)
    }

    /// - Returns: false if too many requests of this attempt have brought it no further.
    mutating func turn() -> Bool {
        idleTurns += 1
        return idleTurns <= Self.patience
    }

    mutating func stuck() -> Step { busy(standstill) }

    private mutating func busy(_ error: TransferError) -> Step {
        state = .ended
        return .busy(error)
    }
}
