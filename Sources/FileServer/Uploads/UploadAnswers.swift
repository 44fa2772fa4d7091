// SPDX-License-Identifier: MIT

import HTTPTypes
import TransferModel

/// The responses of uploads, in the dialect of the request.
struct UploadAnswers: Sendable {
    let dialect: UploadDialect
    /// The path of the upload resource.
    let path: String
    /// A moment for lifetimes, seconds since 1970.
    let now: Double

    private func limits(_ resource: UploadResource) -> UploadLimits {
        UploadLimits(
            maximumSize: resource.limits.maximumSize, maximumAppend: resource.limits.maximumAppend,
            minimumAppend: resource.limits.minimumAppend,
            lifetime: Int64(max(0, resource.expires - now)))
    }

    /// The state of the upload as fields of a response.
    private func fields(_ resource: UploadResource, isComplete: Bool, limited: Bool = true) -> HTTPFields {
        var fields: HTTPFields = [:]
        switch dialect {
        case .ietf(let version, _):
            UploadFields(
                offset: resource.offset, isComplete: isComplete, limits: limited ? limits(resource) : nil
            ).write(to: &fields, version: version)
        case .tus:
            fields[.uploadOffset] = String(resource.offset)
            if resource.phase == .open { fields[.uploadExpires] = HTTPDate.format(Int64(resource.expires)) }
        }
        return fields
    }

    /// 104, first of a creation: the URL; later: the offset. `nil` if the dialect has none.
    func announcement(_ resource: UploadResource) -> HTTPResponse? {
        guard case .ietf(let version, announces: true) = dialect else { return nil }
        var fields: HTTPFields = [.location: path]
        fields[.uploadInterop] = version.field
        UploadFields(limits: limits(resource)).write(to: &fields, version: version)
        return HTTPResponse(status: .uploadResumptionSupported, headerFields: fields)
    }

    var reportsProgress: Bool {
        guard case .ietf(let version, announces: true) = dialect else { return false }
        return version.traits.reportsProgress
    }

    func progress(_ offset: Int64) -> HTTPResponse {
        var fields: HTTPFields = [.uploadOffset: String(offset)]
        if case .ietf(let version, _) = dialect { fields[.uploadInterop] = version.field }
        return HTTPResponse(status: .uploadResumptionSupported, headerFields: fields)
    }

    static let tusExtensions =
        "creation,creation-with-upload,creation-defer-length,expiration,checksum,termination,concatenation,"
        + Tus.repeatableConcatenation

    /// HEAD
    func state(_ resource: UploadResource, _ state: UploadState) -> Answer {
        var fields = fields(resource, isComplete: resource.phase == .complete)
        fields[.cacheControl] = "no-store"
        switch dialect {
        case .ietf(let version, _):
            UploadFields(length: resource.length).write(to: &fields, version: version)
            return Answer(.noContent, headers: fields)
        case .tus:
            if let length = resource.length {
                fields[.uploadLength] = String(length)
            } else {
                fields[.uploadDeferLength] = "1"
            }
            // Whether a request to join parts can be repeated, a client asks once its response is lost.
            if state.target == .none { fields[.tusExtension] = Self.tusExtensions }
            fields[.uploadMetadata] = state.tusMetadata
            fields[.uploadConcat] = state.tusConcat
            return Answer(.ok, headers: fields)
        }
    }

    /// All content arrived, the upload is incomplete.
    func appended(_ resource: UploadResource, isCreation: Bool) -> Answer {
        var fields = fields(resource, isComplete: false)
        if isCreation { fields[.location] = path }
        switch dialect {
        case .tus: return Answer(isCreation ? .created : .noContent, headers: fields)
        case .ietf(let version, _):
            let status = isCreation ? 201 : version.traits.incompleteAppendStatus
            return Answer(status == 201 ? .created : .noContent, headers: fields)
        }
    }

    /// The representation is stored: the response of its target.
    func finished(_ resource: UploadResource, _ outcome: UploadState.Outcome, isCreation: Bool) -> Answer {
        var fields = fields(resource, isComplete: true, limited: false)
        fields[.eTag] = outcome.entityTag
        fields[.reprDigest] = outcome.reprDigest
        var isFinalLocationUpload = true
        if case .ietf(let version, _) = dialect {
            isFinalLocationUpload = version.traits.finalLocationIsUpload && isCreation
        }
        if isFinalLocationUpload {
            if isCreation { fields[.location] = path }
            fields[.contentLocation] = outcome.location
        } else {
            fields[.location] = outcome.location
        }
        if dialect.isTus { return Answer(isCreation ? .created : .noContent, headers: fields) }
        guard outcome.status == 204 else {
            return Answer(HTTPResponse.Status(code: outcome.status), headers: fields, text: "stored")
        }
        return Answer(.noContent, headers: fields)
    }

    /// An error, with the state of the upload.
    /// - Parameter isFinal: the target has refused the representation: nothing is left to resume.
    func refused(_ refusal: Refusal, _ resource: UploadResource, isFinal: Bool = false) -> Answer {
        var answer = Answer(refusal)
        // A conflict is an offset that differs, for tus.
        if dialect.isTus, isFinal, answer.status == .conflict { answer.status = .unprocessableContent }
        guard resource.phase != .failed || isFinal else {
            if case .ietf(let version, _) = dialect {
                UploadFields(isComplete: false).write(to: &answer.headers, version: version)
            }
            return answer
        }
        // Whose response it is: that of the target only if the target has refused the representation.
        for field in fields(resource, isComplete: isFinal) { answer.headers[field.name] = field.value }
        if dialect.isTus, isFinal { answer.headers[.uploadOffset] = nil }
        return answer
    }

    func refused(_ fault: UploadFault, _ resource: UploadResource) -> Answer {
        let (refusal, kind) = refusal(for: fault, resource)
        var answer = refused(refusal, resource)
        if case .ietf(let version, _) = dialect, let kind,
            kind == .mismatchingDigest || version.traits.problems.contains(kind)
        {
            var problem = UploadProblemDetails(kind)
            if kind == .mismatchingOffset {
                problem = UploadProblemDetails(
                    kind, expectedOffset: resource.offset, providedOffset: fault.providedOffset)
            }
            answer.body = .bytes(problem.json())
            answer.headers[.contentType] = UploadProblemDetails.mediaType
        }
        return answer
    }

    private func refusal(for fault: UploadFault, _ resource: UploadResource) -> (Refusal, UploadProblemDetails.Kind?) {
        switch fault {
        case .appendToCompleted(let provided) where provided != resource.offset && !rejectsAppendsToCompleted:
            return refusal(
                for: .mismatchingOffset(expected: resource.offset, provided: provided), resource)
        case .mismatchingOffset(let expected, let provided):
            let text = "the upload is at byte \(expected), the request at byte \(provided)"
            return (Refusal(.conflict, text), .mismatchingOffset)
        case .completed, .appendToCompleted:
            guard !dialect.isTus else {
                return (Refusal(.contentTooLarge, "the upload is complete"), nil)
            }
            return (
                Refusal(.badRequest, "the upload is complete"),
                rejectsAppendsToCompleted ? .completed : .inconsistentLength
            )
        case .inconsistentLength:
            return (Refusal(.badRequest, "the lengths of this upload contradict each other"), .inconsistentLength)
        case .beyondLength:
            let status = dialect.isTus ? HTTPResponse.Status.contentTooLarge : .badRequest
            return (Refusal(status, "the content is longer than the upload"), .inconsistentLength)
        case .tooLarge(let most):
            return (
                most.map { RequestHandler.tooLarge($0) } ?? Refusal(.contentTooLarge, "the upload is too large"), nil
            )
        case .appendTooLarge(let most):
            return (Refusal(.contentTooLarge, "one request may have at most \(most) bytes"), nil)
        case .appendTooSmall(let least):
            return (Refusal(.badRequest, "one request must have at least \(least) bytes"), nil)
        case .expired, .deactivated:
            let text = fault == .expired ? "the upload has expired" : "the upload has failed; start it again"
            if case .ietf(let version, _) = dialect, version < .v8 { return (Refusal(.notFound, text), nil) }
            return (Refusal(.gone, text), nil)
        case .checksumMismatch:
            let text = "the checksum of the content does not match"
            guard !dialect.isTus else { return (Refusal(.checksumMismatch, text), nil) }
            return (Refusal(.badRequest, text), .mismatchingDigest)
        }
    }

    private var rejectsAppendsToCompleted: Bool { !repeatsOutcome }

    /// The empty append at the end of a complete upload gets the response of its target once more.
    var repeatsOutcome: Bool {
        guard case .ietf(let version, _) = dialect else { return true }
        return version.traits.replaysFinalResponse
    }
}

extension Answer {
    /// The content is not that of its digest.
    mutating func stateDamagedContent() {
        (status, body) = (.badRequest, .bytes(UploadProblemDetails(.mismatchingDigest).json()))
        headers[.contentType] = UploadProblemDetails.mediaType
    }
}

extension UploadFault {
    var providedOffset: Int64? {
        switch self {
        case .mismatchingOffset(_, let provided), .appendToCompleted(let provided): provided
        default: nil
        }
    }
}
