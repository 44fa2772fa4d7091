// SPDX-License-Identifier: MIT

import HTTPTypes
import TransferModel

/// What the end of an exchange means.
extension MultipartUpload {
    package mutating func ended(_ reply: UploadReply) -> UploadStep {
        if case .sending(let number) = state { noteSent(reply.sent, of: number) }
        // The region's server names another one; a signature is good for one server.
        if reply.error?.code == .tooManyRedirects { return failed(otherRegion(reply)) }
        // The store refuses content that no longer has its digest.
        if let error = reply.error, error.code == .cannotReadSource { return failed(error) }
        guard let head = reply.head, reply.error == nil || reply.refusal != nil else {
            return failed(reply.error ?? TransferError(.noResponse, .failed, host: authority))
        }
        let refusal = failure(reply, head)
        switch state {
        case .idle, .ended, .awaiting:
            return end(TransferError(.other, .unrequestedResponse, host: authority))
        case .putting: return refusal.map { putRefused($0, reply) } ?? stored(reply, head)
        case .creating: return refusal.map { creationRefused($0, reply) } ?? created(reply)
        case .listing(let after): return refusal.map { listRefused($0, reply) } ?? listed(reply, after)
        case .sending(let number):
            return refusal.map { partRefused($0, reply) } ?? received(number, reply, head)
        case .completing: return refusal.map { completionRefused($0, reply) } ?? completed(reply)
        case .looking: return looked(reply, head, refusal)
        }
    }

    private mutating func failed(_ error: TransferError) -> UploadStep {
        state = .ended
        return .failed(error)
    }

    // MARK: One request

    private mutating func stored(_ reply: UploadReply, _ head: HTTPResponse) -> UploadStep {
        if reply.isEarly { return end(.answeredEarly(authority, status: head.status.code)) }
        if let digest = reply.digest, let stated = head.headerFields[Self.checksumSHA256],
            stated != digests.base64(digest)
        {
            return end(otherBytes(.init(.statedChecksum, TextLine.first(of: stated))))
        }
        state = .ended
        return .finish(isVerdict: true)
    }

    private mutating func putRefused(_ refusal: TransferError, _ reply: UploadReply) -> UploadStep {
        wholeDigest = reply.digest ?? wholeDigest
        if refusal.fields.status == 412, mayBeStored, wholeDigest != nil { return look() }
        if statesChecksums, Self.knowsNoChecksums(reply) {
            statesChecksums = false
            return put()
        }
        return postponed(refusal, reply)
    }

    /// Stores that know none of S3's checksums refuse requests with their fields. Others refuse them without as well.
    private static func knowsNoChecksums(_ reply: UploadReply) -> Bool {
        guard let status = reply.head?.status.code else { return false }
        guard case .failure(let failure) = reply.answer else { return status == 501 }
        return status == 501
            || (status == 400 && ["InvalidArgument", "InvalidRequest", "NotImplemented"].contains(failure.code))
    }

    // MARK: Creation

    private mutating func created(_ reply: UploadReply) -> UploadStep {
        guard case .created(let uploadID) = reply.answer, (1...4096).contains(uploadID.utf8.count),
            uploadID.unicodeScalars.allSatisfy({ $0.value > 0x20 && $0.value != 0x7f })
        else {
            return end(TransferError(.sendFailed, .noUploadID, host: authority))
        }
        (parts, sentDigests) = ([:], [:])
        created(uploadID)
        switch next() {
        case .send(let exchange): return .commit(exchange)
        case let other: return other
        }
    }

    private mutating func creationRefused(_ refusal: TransferError, _ reply: UploadReply) -> UploadStep {
        if statesChecksums, Self.knowsNoChecksums(reply) {
            statesChecksums = false
            return create()
        }
        return postponed(refusal, reply)
    }

    // MARK: Parts

    private mutating func listed(_ reply: UploadReply, _ after: Int) -> UploadStep {
        guard case .parts(let list) = reply.answer else {
            return busy(.init(.noPartList))
        }
        for part in list.parts {
            // A part of another size, or with other bytes than those that were sent, is sent again.
            guard part.number >= 1, count.map({ part.number <= $0 }) ?? true, !part.tag.isEmpty,
                part.size == Int64(range(of: part.number).count)
            else { continue }
            guard mayHave(part.number) else { return end(excess(range(of: part.number).upperBound)) }
            if let sent = sentDigests[part.number], let digest = part.digest, digest != sent { continue }
            parts[part.number] = part
        }
        guard let marker = list.next else {
            // The response to the last request may have been lost.
            if let expected = point?.offset, list.parts.isEmpty, parts.isEmpty, expected > 0 {
                givenUp += removals
                return restart(.init(.partsLost))
            }
            if !parts.isEmpty, parts.values.contains(where: { $0.digest == nil }) { statesChecksums = false }
            return next()
        }
        guard marker > after, marker < Int(Self.maximumParts) else {
            return busy(.init(.endlessPartList))
        }
        return self.list(after: marker)
    }

    /// Who may send parts need not be allowed to list them, and some stores have no such list.
    private mutating func listRefused(_ refusal: TransferError, _ reply: UploadReply) -> UploadStep {
        var isDenied = [405, 501].contains(reply.head?.status.code)
        if case .failure(let failure) = reply.answer {
            isDenied = isDenied || ["AccessDenied", "NotImplemented"].contains(failure.code)
        }
        guard isDenied else { return postponed(refusal, reply) }
        if !formerParts.isEmpty {
            parts = formerParts
            return next()
        }
        if point?.isTailSent == true { return look() }
        givenUp += removals
        return restart(.init(.noPartList))
    }

    private mutating func received(_ number: Int, _ reply: UploadReply, _ head: HTTPResponse) -> UploadStep {
        if reply.isEarly { return turn() ? list(after: 0) : busy(.init(.earlyResponse)) }
        do throws(TransferError) { try confirm(number, reply, head) } catch { return end(error) }
        idleTurns = 0
        return next()
    }

    /// The server has the part.
    /// - Throws: why the response is none that confirms it.
    mutating func confirm(_ number: Int, _ reply: UploadReply, _ head: HTTPResponse) throws(TransferError) {
        guard let tag = head.headerFields[.eTag], !tag.isEmpty, tag.utf8.count <= 1024 else {
            throw TransferError(.sendFailed, .partNotConfirmed, number, host: authority)
        }
        var part = S3Part(number, size: Int64(range(of: number).count), tag: tag)
        sentDigests[number] = reply.digest
        if let digest = reply.digest, let stated = head.headerFields[Self.checksumSHA256] {
            guard stated == digests.base64(digest) else {
                throw otherBytes(.init(.statedChecksum, TextLine.first(of: stated), number))
            }
            part.digest = digest
        }
        if part.digest == nil { statesChecksums = false }
        parts[number] = part
    }

    private mutating func partRefused(_ refusal: TransferError, _ reply: UploadReply) -> UploadStep {
        if statesChecksums, Self.knowsNoChecksums(reply) {
            statesChecksums = false
            return next()
        }
        guard case .failure(let failure) = reply.answer else { return postponed(refusal, reply) }
        switch failure.code {
        // The bytes were damaged on the way, or did not come.
        case "BadDigest", "InvalidDigest", "XAmzContentSHA256Mismatch", "XAmzContentChecksumMismatch", "IncompleteBody",
            "RequestTimeout":
            guard turn() else { return failed(refusal) }
            return list(after: 0)
        default: return postponed(refusal, reply)
        }
    }

    // MARK: The end

    private mutating func completed(_ reply: UploadReply) -> UploadStep {
        // A status of 200 comes before the store has joined the parts.
        guard case .completed(let tag, let checksum) = reply.answer else {
            lacksResult = true
            return look()
        }
        if let expected = point?.completeChecksum, let checksum, checksum.contains("-"), checksum != expected {
            return end(otherBytes(.init(.statedChecksum, TextLine.first(of: checksum))))
        }
        if let expected = point?.completeTag, let tag = tag?.trimmingQuotes, tag.contains("-"),
            Self.parts(of: tag) != Self.parts(of: expected)
        {
            return end(otherBytes(.init(.statedTag, TextLine.first(of: tag))))
        }
        state = .ended
        return .finish(isVerdict: true)
    }

    /// The number of parts that a tag states.
    private static func parts(of tag: String) -> Substring? { tag.split(separator: "-").last }

    private mutating func completionRefused(_ refusal: TransferError, _ reply: UploadReply) -> UploadStep {
        guard case .failure(let failure) = reply.answer else { return postponed(refusal, reply) }
        switch failure.code {
        case "InvalidPart", "InvalidPartOrder":
            // What the server has is not what it had confirmed.
            guard turn() else { return failed(refusal) }
            return list(after: 0)
        case "PreconditionFailed":
            state = .ended
            return .refused(refusal)
        default: return postponed(refusal, reply)
        }
    }

    /// Whether the object under the name is the file.
    private mutating func looked(
        _ reply: UploadReply, _ head: HTTPResponse, _ refusal: TransferError?
    ) -> UploadStep {
        if let refusal {
            guard refusal.fields.status == 404 else { return postponed(refusal, reply) }
            if lacksResult { return failed(noResult) }
            return point == nil ? failed(refusal) : restart(.init(.expired))
        }
        let fields = head.headerFields
        let (checksum, tag) = (fields[Self.checksumSHA256], fields[.eTag]?.trimmingQuotes)
        let isSame = fields[.contentLength].flatMap { Int64($0) } == size
        let expected = point?.completeChecksum ?? wholeDigest.map(digests.base64)
        if isSame, let checksum, let expected, checksum == expected { return finished() }
        if isSame, let tag, tag == point?.completeTag { return finished() }
        if lacksResult { return failed(noResult) }
        // With a condition, nothing has replaced what was there before.
        return end(
            TransferError(
                .noResponse, .outcomeUnknown, TransferProblem.Outcome.otherObject, host: authority,
                fields: .init(variant: .outcomeUnknown)))
    }

    /// The store still has the parts: another attempt completes the upload.
    private var noResult: TransferError {
        TransferError(.sendFailed, .notJoined, host: authority, fields: .init(status: 200))
    }

    private mutating func finished() -> UploadStep {
        state = .ended
        return .finish(isVerdict: false)
    }

    // MARK: Refusals

    /// Another attempt may succeed from the same point, or the upload is gone.
    private mutating func postponed(_ refusal: TransferError, _ reply: UploadReply) -> UploadStep {
        guard point != nil, refusal.fields.status == 404 else { return failed(refusal) }
        if case .failure(let failure) = reply.answer, failure.code != "NoSuchUpload" { return failed(refusal) }
        // It is gone as well when it has been completed.
        return point?.isTailSent == true ? look() : restart(.init(.expired))
    }

    private mutating func restart(_ problem: TransferProblem) -> UploadStep {
        (state, point) = (.ended, nil)
        (parts, sentDigests, besides) = ([:], [:], [])
        return .restart(TransferError(.rangeRefused, problem, host: authority))
    }

    private mutating func busy(_ problem: TransferProblem) -> UploadStep {
        state = .ended
        return .busy(TransferError(.sendFailed, problem, host: authority))
    }

    /// - Returns: false if too many requests of this attempt have brought it no further.
    private mutating func turn() -> Bool {
        idleTurns += 1
        return idleTurns <= Self.patience
    }

    private func otherBytes(_ stated: TransferProblem) -> TransferError {
        TransferError(.checksumMismatch, stated, host: authority, fields: .init(variant: .storedOtherBytes))
    }

    // MARK: Errors

    /// The failure that the response means; `nil`: none.
    private func failure(_ reply: UploadReply, _ head: HTTPResponse) -> TransferError? {
        guard case .failure(let failure) = reply.answer else {
            guard var refusal = reply.refusal else { return nil }
            if head.status.kind == .redirection { return otherRegion(reply) }
            if head.status.code == 403 { refusal.fields.variant = .s3Denied }
            return refusal
        }
        let region = head.headerFields[Self.bucketRegion] ?? failure.region
        switch failure.code {
        case "PermanentRedirect", "TemporaryRedirect": return otherRegion(reply)
        case "AuthorizationHeaderMalformed", "IllegalLocationConstraintException":
            if let region, region != self.region { return otherRegion(reply) }
        case "RequestTimeTooSkewed": return error(failure, head, .init(.clockDiffers), .clockDiffers)
        default: break
        }
        let variant: TransferError.Variant? =
            switch failure.code {
            case "AccessDenied", "InvalidAccessKeyId", "SignatureDoesNotMatch", "ExpiredToken", "InvalidToken",
                "AuthorizationHeaderMalformed":
                .s3Denied
            case "NoSuchBucket": .s3BucketMissing
            default: nil
            }
        let words = TransferProblem(
            .s3, head.status.code, TextLine.first(of: failure.code), TextLine.first(of: failure.message))
        return error(failure, head, words, variant)
    }

    private func error(
        _ failure: S3Failure, _ head: HTTPResponse, _ problem: TransferProblem, _ variant: TransferError.Variant?
    ) -> TransferError {
        // Completion states its failures behind a status of 200.
        let transient = ["InternalError", "SlowDown", "ServiceUnavailable", "RequestTimeout", "OperationAborted"]
        let isHidden = head.status.kind == .successful
        let status = transient.contains(failure.code) ? 503 : isHidden ? Self.status(of: failure) : head.status.code
        return TransferError(.httpStatus, problem, host: authority, fields: .init(status: status, variant: variant))
    }

    private static func status(of failure: S3Failure) -> Int {
        switch failure.code {
        case "NoSuchUpload": 404
        case "PreconditionFailed": 412
        default: 400
        }
    }

    private func otherRegion(_ reply: UploadReply) -> TransferError {
        var region = reply.head?.headerFields[Self.bucketRegion]
        if region == nil, case .failure(let failure) = reply.answer { region = failure.region }
        return TransferError(
            .httpStatus,
            .otherRegion, self.region, region.map { TextLine.first(of: $0) }, host: authority,
            fields: .init(status: reply.head?.status.code, variant: .s3OtherRegion))
    }
}
