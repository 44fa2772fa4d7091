// SPDX-License-Identifier: MIT

import HTTPTypes
import TransferModel

/// What the response to a creation means.
extension ResumableUpload {
    mutating func created(
        _ reply: UploadReply, _ head: HTTPResponse, _ reading: UploadReading, _ body: Range<Int64>
    ) -> Step {
        if let refusal = reply.refusal { return creationRefused(refusal, head, reading, reply) }
        let isWhole = !isCareful || subject.size == 0
        if isWhole, dialect.carrier != .tus, reading.isComplete != false {
            if reply.isEarly { return end(.answeredEarly(authority, status: head.status.code)) }
            if let offset = reading.offset, offset > available { return end(excess(offset)) }
            state = .ended
            return .finish(isVerdict: true)
        }
        if point == nil, let location = reading.location {
            do throws(TransferError) {
                let place = try place(location, from: reply.url)
                point = UploadPoint(dialect.carrier, url: place.string, target: subject.target.string)
            } catch { return end(error) }
        }
        guard point != nil else { return unsupported() }
        noteDigest(reading)
        note(reading.limits)
        if let offset = reading.offset, offset > body.upperBound { return end(excess(offset)) }
        if dialect.carrier == .tus, !body.isEmpty { return createdWithContent(reply, reading) }
        // Of an empty file nothing remains to be sent.
        if dialect.carrier == .tus, subject.size == 0 {
            state = .ended
            return .finish(isVerdict: true)
        }
        guard isCareful else { return turn() ? query() : stuck() }
        if resumption == .auto, let most = point?.maximumAppend, isTooLittle(most, from: 0) {
            giveUp()
            return unsupported()
        }
        return committed(append(from: 0))
    }

    /// tus: the creation had the whole file.
    private mutating func createdWithContent(_ reply: UploadReply, _ reading: UploadReading) -> Step {
        guard let offset = reading.offset, !reply.isEarly else { return committed(query()) }
        if let step = moved(to: offset) { return step }
        guard offset == size else { return committed(append(from: offset)) }
        state = .ended
        return .finish(isVerdict: true)
    }

    /// The point is stored before `step`.
    private func committed(_ step: Step) -> Step {
        guard case .send(let exchange) = step else { return step }
        return .commit(exchange)
    }

    /// The versions to offer after a refusal, which may state one that the server knows.
    static func next(
        of versions: some Sequence<UploadInterop>, after refusal: HTTPResponse?
    ) -> ArraySlice<UploadInterop> {
        let (left, stated) = (Array(versions), refusal.flatMap { UploadFields.version(of: $0.headerFields) })
        return left.drop { version in stated.map { left.contains($0) && version != $0 } ?? false }
    }

    private mutating func creationRefused(
        _ refusal: TransferError, _ head: HTTPResponse, _ reading: UploadReading, _ reply: UploadReply
    ) -> Step {
        let status = head.status.code
        if let step = postponed(refusal, status) { return step }
        // Complete, and refused: the status is the target's.
        let isVerdict = dialect.carrier != .tus && !isCareful && reading.isComplete == true
        // The response to a version that the server does not speak.
        if !isVerdict, dialect.carrier != .tus, point == nil, [400, 412, 501].contains(status) {
            versions = Self.next(of: versions, after: head)
            if let next = versions.popFirst() {
                dialect = IETFUpload(version: next)
                return create()
            }
        }
        // The name of a stream is that of its target, which may be the address that creates uploads.
        if let tus = dialect as? TusUpload, !tus.createsAtTarget, isStream || subject.isNameless,
            [404, 405].contains(status)
        {
            dialect = TusUpload(createsAtTarget: true)
            return create()
        }
        if [400, 404, 405, 501].contains(status), !isVerdict, let step = seek(after: reply) { return step }
        let isNew = point == nil
        giveUp()
        if resumption == .auto, !isVerdict {
            // No room for an upload that may stay unfinished; a plain one needs none, or its response says so.
            if status == 507, isNew { return sendPlain() }
            if [400, 405, 415, 501].contains(status) { return unsupported() }
            // Of the upload's own address the plain upload will tell.
            if status == 412 || (status == 404 && dialect.carrier == .tus) { return sendPlain() }
        }
        failedForSupport = !isVerdict && [400, 405, 413, 415, 501].contains(status)
        state = .ended
        var refusal = refusal
        if dialect.carrier == .tus, [404, 405].contains(status), !reply.url.path.endsWithSlash {
            refusal.fields.variant = refusal.fields.variant ?? .tusNeedsFolder
        }
        return .refused(refusal)
    }

    // MARK: Uploads of other programs

    /// The target may be an upload that another program has created, and refuses to create one.
    /// - Returns: `nil` if it is not asked.
    private mutating func seek(after reply: UploadReply) -> Step? {
        let creation = try? dialect.creation(of: subject, withBody: false).url
        guard point == nil, refusedCreation == nil, !isStream, creation == subject.target,
            dialect.carrier == .tus || resumption == .ietf
        else { return nil }
        (refusedCreation, state) = (reply, .seeking)
        return .send(dialect.query(subject.target))
    }

    /// It begins with what the server has. Nothing is known of who sent that.
    mutating func sought(_ reply: UploadReply, _ head: HTTPResponse, _ reading: UploadReading) -> Step {
        guard reply.refusal == nil, let offset = reading.offset else {
            guard let refused = refusedCreation, let head = refused.head, let refusal = refused.refusal else {
                return unsupported()
            }
            return creationRefused(refusal, head, dialect.reading(head, size: comparedSize), refused)
        }
        point = UploadPoint(dialect.carrier, url: subject.target.string, target: subject.target.string)
        reach = UploadReach(offset)
        if dialect.carrier == .tus { isLengthDeclared = reading.length != nil }
        return committed(queried(reply, head, reading))
    }

    /// The server did not say where the upload is.
    mutating func unsupported() -> Step {
        if resumption == .auto {
            found = UploadSupport.none
            return sendPlain()
        }
        failedForSupport = true
        return end(TransferError(.sendFailed, .notResumable, host: authority))
    }
}
