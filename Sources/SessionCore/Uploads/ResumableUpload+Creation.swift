// SPDX-License-Identifier: MIT

import HTTPTypes
import TransferModel

/// What the response to a creation means.
extension ResumableUpload {
    mutating func created(
        _ reply: UploadReply, _ head: HTTPResponse, _ reading: UploadReading, _ body: Range<Int64>
    ) -> Step {
        if let refusal = reply.refusal { return creationRefused(refusal, head, reading, by: reply.url) }
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
        _ refusal: TransferError, _ head: HTTPResponse, _ reading: UploadReading, by url: TransferURL
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
        if let tus = dialect as? TusUpload, !tus.createsAtTarget, isStream, [404, 405].contains(status) {
            dialect = TusUpload(createsAtTarget: true)
            return create()
        }
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
        if dialect.carrier == .tus, [404, 405].contains(status), !url.path.endsWithSlash {
            refusal.fields.variant = refusal.fields.variant ?? .tusNeedsFolder
        }
        return .refused(refusal)
    }

    /// The server did not say where the upload is.
    mutating func unsupported() -> Step {
        if resumption == .auto {
            found = UploadSupport.none
            return sendPlain()
        }
        failedForSupport = true
        return end(TransferError(.sendFailed, .upload(.notResumable), host: authority))
    }
}
