// SPDX-License-Identifier: MIT

package import HTTPTypes
public import TransferModel

/// Where a download resumes, and what makes that safe.
public struct ResumePoint: Sendable, Hashable {
    /// The first missing byte; above 0.
    public var offset: Int64
    public var validator: Validator
    /// Total size, if known.
    public var total: Int64?
    /// The media type of the bytes, without parameters, lower case; `nil` if unknown.
    public var contentType: String?
    /// The content coding of the bytes, lower case; `nil` without one.
    public var contentEncoding: String?
    /// The first byte that is not requested; `nil`: all from ``offset`` on.
    package var end: Int64?
    /// A digest of the whole file, or of its parts, proves later whether the bytes belong together: a range is
    /// requested without a validator, too, which another server of the same file does not have.
    package var isVouched = false
    /// The range is requested without `If-Range`, since some servers ignore ranges with one: the response alone proves
    /// the version.
    package var isUnconditional = false
    /// The response has to state the size, too, since its address is another than that of the bytes.
    package var needsTotal = false
    /// The address that sent the bytes, after redirects. It is asked first, since the one that was requested may lead
    /// to another server each time. `nil` if unknown.
    package var address: TransferURL?
    /// Some of the bytes came in response to a range: the server has ranges.
    package var hasComeInRanges = false

    /// `nil` if there is nothing to resume, or no strong validator.
    public init?(
        offset: Int64, validator: Validator, total: Int64?, contentType: String? = nil, contentEncoding: String? = nil
    ) {
        guard offset > 0, validator.ifRange != nil else { return nil }
        self.offset = offset
        self.validator = validator
        self.total = total
        self.contentType = contentType
        self.contentEncoding = contentEncoding
    }

    /// The resume point at another server of the file, with its validator if it is known.
    package func vouched(_ validator: Validator = Validator()) -> ResumePoint {
        var point = self
        (point.validator, point.isVouched, point.address) = (validator, true, nil)
        return point
    }
}

extension ResumePoint {
    /// - Parameter offset: how many of the bytes are there.
    package init?(_ data: ResumeData, offset: Int64) {
        self.init(
            offset: offset, validator: data.validator, total: data.total, contentType: data.contentType,
            contentEncoding: data.contentEncoding)
        address = data.finalURL.flatMap { try? TransferURL($0) }
        hasComeInRanges = data.hasComeInRanges ?? (data.ranges.ranges.count > 1)
    }
}

extension ResumeData {
    /// Records the address that sent the bytes of `point`, and whether they came in ranges.
    package mutating func noteSource(_ point: ResumePoint) {
        finalURL = point.address.flatMap { $0.string == url ? nil : $0.string }
        hasComeInRanges = point.hasComeInRanges || ranges.ranges.count > 1 ? true : nil
    }
}

/// The meaning of the response for the existing bytes (RFC 9110, sections 13.1.5, 14 and 15.3.7). No I/O.
enum ResumePolicy {
    enum Verdict: Equatable {
        /// The response continues at the end of the file.
        case append(at: Int64, total: Int64?)
        /// The response is complete; it replaces the existing bytes from the first one on.
        case replace(total: Int64?)
        /// The existing bytes are complete.
        case complete(total: Int64)
        /// The complete resource, of the same version and size: perhaps a server that ignores ranges with `If-Range`.
        /// Request the range once without that.
        case retryUnconditionally
        /// The response does not match the existing bytes; request the complete resource once.
        case restart(RestartCause)
        case fail(TransferError)
    }

    /// - Parameters:
    ///   - point: the requested range; `nil` without one.
    ///   - url: of the response.
    static func evaluate(_ head: HTTPResponse, askedFor point: ResumePoint?, of url: TransferURL) -> Verdict {
        let host = url.authority
        return switch (head.status.code, point) {
        // A 200 may be a part, and a 206 the whole.
        case (200, let point?) where !head.isPart: evaluateWhole(head, point)
        case (200, nil) where !head.isPart, (206, nil) where !head.isPart:
            .replace(total: bodyLength(head) ?? head.contentRange?.total)
        case (200, let point?), (206, let point?): evaluatePartial(head, point, of: url)
        case (200, nil), (206, nil):
            .fail(
                TransferError(
                    .rangeRefused, .unrequestedPart, host: host,
                    fields: .init(status: head.status.code, variant: .unrequestedPart)))
        case (416, let point?): evaluateUnsatisfied(head, point)
        case (let status, let point?) where refusalsOfRanges.contains(status) && !point.hasComeInRanges:
            .restart(.noRanges)
        default: .replace(total: bodyLength(head))
        }
    }

    /// Statuses of servers that refuse any range: the bytes came without one.
    private static let refusalsOfRanges = [400, 403, 405, 501]

    /// `Content-Length`, unless another framing overrides it.
    static func bodyLength(_ head: HTTPResponse) -> Int64? {
        guard head.headerFields.first(.transferEncoding) == nil, let text = head.headerFields.first(.contentLength),
            text.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) })
        else { return nil }
        return Int64(text)
    }

    /// A 200 without `Content-Range` to a range request should have the whole, and may have the rest alone. What a
    /// request without a range brings is the whole, whatever its length: the known one may have been a false statement.
    private static func evaluateWhole(_ head: HTTPResponse, _ point: ResumePoint) -> Verdict {
        let length = bodyLength(head)
        let condition = Validator(head.headerFields).ifRange
        let isSame = condition != nil && condition == point.validator.ifRange
        if isSame, let length, length == point.total {
            let hasNoRanges = head.headerFields.first(.acceptRanges)?.lowercased() == "none"
            return point.isUnconditional || hasNoRanges ? .replace(total: length) : .retryUnconditionally
        }
        let type = head.mediaType
        let isOfType = type == nil || point.contentType == nil || type == point.contentType
        let isRestOrUnknown = length == nil || length == (point.end ?? point.total).map { $0 - point.offset }
        if isSame || condition == nil && isOfType && isRestOrUnknown {
            return .restart(causeOfWhole(head, askedFor: point))
        }
        return .replace(total: length ?? head.contentRange?.total)
    }

    private static func evaluatePartial(_ head: HTTPResponse, _ point: ResumePoint, of url: TransferURL) -> Verdict {
        if head.headerFields[.contentType]?.lowercased().hasPrefix("multipart/byteranges") == true {
            return .fail(TransferError(.rangeRefused, .severalRanges, host: url.authority))
        }
        guard case .satisfied(let range, let total)? = head.contentRange else {
            return .restart(.malformedContentRange)
        }
        guard range.lowerBound == point.offset else {
            return .restart(.otherRange(sent: range.lowerBound, requested: point.offset))
        }
        if let end = point.end, range.upperBound > end {
            return .restart(.otherRange(sent: range.lowerBound, requested: point.offset))
        }
        let found = Validator(head.headerFields, origin: url.origin)
        guard point.isVouched || !point.validator.isOfOtherOrigin(than: found) else {
            return .restart(.otherAddress)
        }
        guard point.validator.agrees(with: found) else {
            return .restart(.changed)
        }
        guard point.isVouched || point.validator.isConfirmed(by: found) else {
            return .restart(.unprovenVersion)
        }
        // A 206 may omit fields of the first response (RFC 9110, section 15.3.7); a coding must not be guessed.
        guard head.contentCoding == point.contentEncoding else {
            return .restart(.codingChanged)
        }
        if let total, let known = point.total, total != known {
            return .restart(.sizeChanged(from: known, to: total))
        }
        guard !(point.isUnconditional || point.needsTotal) || total != nil else {
            return .restart(.unprovenVersion)
        }
        if let length = bodyLength(head), length != Int64(range.count) {
            return .restart(.contradictingLengths)
        }
        guard let whole = total ?? point.total else {
            return .restart(.unknownSize)
        }
        return .append(at: point.offset, total: whole)
    }

    /// Why a range request got the complete resource.
    static func causeOfWhole(_ head: HTTPResponse, askedFor point: ResumePoint) -> RestartCause {
        let found = Validator(head.headerFields)
        guard let condition = found.ifRange else { return .noRangesOrChanged }
        return condition == point.validator.ifRange ? .noRanges : .changed
    }

    private static func evaluateUnsatisfied(_ head: HTTPResponse, _ point: ResumePoint) -> Verdict {
        if case .unsatisfied(let total)? = head.contentRange,
            total == point.offset, point.total == nil || point.total == total,
            saysSameVersion(point.validator, Validator(head.headerFields))
        {
            return .complete(total: total)
        }
        return .restart(.noBytes(from: point.offset))
    }

    /// A 416 without validator proves nothing about the version.
    private static func saysSameVersion(_ mine: Validator, _ theirs: Validator) -> Bool {
        if let tag = theirs.entityTag { return tag == mine.entityTag }
        if let date = theirs.lastModified { return mine.entityTag == nil && date == mine.lastModified }
        return false
    }
}

extension HTTPResponse {
    /// `nil` without the field, or if it is malformed.
    package var contentRange: ContentRange? { headerFields[.contentRange].flatMap { ContentRange(parsing: $0) } }

    /// Whether the content is not the whole representation: a 206, or a 200 of a server that answers a range so
    /// although it states a `Content-Range`. A 206 with all bytes from the first on is the whole.
    package var isPart: Bool {
        guard case .satisfied(let range, let total)? = contentRange else { return status.code == 206 }
        return range.lowerBound != 0 || Int64(range.count) != total
            || ResumePolicy.bodyLength(self).map { $0 != total } ?? false
    }

    /// `Content-Encoding` in lower case, without identity codings; `nil` without one.
    package var contentCoding: String? {
        var names: [String] = []
        for field in headerFields where field.name == .contentEncoding {
            for part in field.value.lowercased().split(separator: ",") {
                let name = part.trimming(while: \.isWhitespace)
                guard !name.isEmpty, name != "identity" else { continue }
                names.append(String(name.hasPrefix("x-") ? name.dropFirst(2) : name))
            }
        }
        return names.isEmpty ? nil : names.joined(separator: ", ")
    }

    /// `Content-Type` in lower case, without parameters; `nil` without one.
    package var mediaType: String? {
        guard let text = headerFields.first(.contentType)?.lowercased() else { return nil }
        let type = text.prefix { $0 != ";" }.trimming(while: \.isWhitespace)
        return type.isEmpty ? nil : String(type)
    }
}

extension Substring {
    fileprivate func trimming(while matches: (Character) -> Bool) -> Substring {
        var rest = drop(while: matches)
        while let last = rest.last, matches(last) { rest.removeLast() }
        return rest
    }
}
