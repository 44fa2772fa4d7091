// SPDX-License-Identifier: MIT

import HTTPTypes
import TransferModel

/// The context of a decision: the delegates that can be asked, and what the session knows.
struct DecisionContext {
    var interests: Interests = []
    /// The proxy the exchange went through.
    var proxy: ProtectionSpace?
    /// The proxy's address has a login, which is sent as Basic without a challenge.
    var proxyHasLogin = false
    /// The schemes that the transport supports.
    var supported: Set<ProtectionSpace.Method> = [.basic, .digest]
    /// What the session's storage holds for a space.
    var stored: (ProtectionSpace) -> Credential? = { _ in nil }
    /// What netrc holds for a host.
    var netrc: (String) -> Credential? = { _ in nil }
    /// Whether a 304 is about the stored version.
    var storedIsConfirmed = true
    /// The transport decodes the body: ranges do not count its bytes.
    var isDecoded = false
    var waitsForConnectivity = false
    /// What the network allows toward a host, for this task.
    var path: (TransferURL) -> PathVerdict = { _ in .satisfied(boundTo: nil) }
    /// The address to use instead, if the host demands TLS (HSTS).
    var secured: (TransferURL) -> TransferURL = { $0 }
}

/// Decides what the head of a response means.
extension TaskMachine {
    mutating func headReceived(_ head: HTTPResponse, _ context: DecisionContext = .init()) -> HeadDecision {
        guard case .sent(let source) = state else { return .abort }
        if plan.isDirect, !sendsTheRest(head, context) {
            let refusal = statusError(head)
            if FailurePolicy.verdict(refusal).next == .retry { directFailure = refusal }
            state = .following(source, next: indirectly())
            return .abort
        }
        do throws(TransferError) {
            if head.headerFields.first(.contentLength) != nil, head.headerFields.first(.transferEncoding) == nil,
                ResumePolicy.bodyLength(head) == nil
            {
                throw TransferError(.notHTTP, .contentLength, host: plan.url.authority)
            }
            if let decision = try step(from: source, head, context) { return decision }
        } catch {
            return refuse(source, error)
        }
        isDecoded = context.isDecoded
        return accept(head, source, context.interests)
    }

    /// The next step if the head is not the final response yet; `nil` if it is.
    private mutating func step(
        from source: Source, _ head: HTTPResponse, _ context: DecisionContext
    )
        throws(TransferError) -> HeadDecision?
    {
        switch head.status.code {
        case 417 where plan.sendsBody && plan.expectsContinue:
            var next = plan
            next.expectsContinue = false
            state = .following(source, next: next)
            // Otherwise some versions of libcurl automatically send the body again after a 417.
            return .abort
        case 304 where plan.answersFromCache == .revalidating:
            var next = plan
            for name in [HTTPField.Name.ifNoneMatch, .ifModifiedSince] { next.extraFields[name] = nil }
            next.answersFromCache = context.storedIsConfirmed ? .stored : .reloading
            return follow(next, source)
        case 401: return challenged(source, head, server: .init(of: plan.url), context)
        case 407:
            // Inside a tunnel the response is the server's.
            guard let proxy = context.proxy, proxy.scheme.hasPrefix("http"), !plan.url.isSecure else { return nil }
            return challenged(source, head, server: proxy, context)
        default: return try redirected(source, head, context)
        }
    }

    mutating func follow(_ next: ExchangePlan, _ source: Source) -> HeadDecision {
        state = .following(source, next: next)
        return .discard
    }

    mutating func refuse(_ source: Source, _ error: TransferError) -> HeadDecision {
        state = .refusing(source, error)
        return .abort
    }

    // MARK: The address that sent the bytes

    /// Its response, or that of a proxy before it.
    private func sendsTheRest(_ head: HTTPResponse, _ context: DecisionContext) -> Bool {
        if head.status.code == 407, context.proxy != nil, !plan.url.isSecure { return true }
        return switch ResumePolicy.evaluate(head, askedFor: plan.resume, of: plan.url) {
        case .append, .complete, .retryUnconditionally: true
        case .replace, .restart, .fail: false
        }
    }

    /// The plan for the same range at the address that was requested: a redirect may be valid for a while only.
    mutating func indirectly() -> ExchangePlan {
        var next = first
        (next.resume, next.proxyLogin, next.loginProxy) = (plan.resume, plan.proxyLogin, plan.loginProxy)
        next.resume?.isUnconditional = false
        (redirects, automaticLogins, approvedLeaves) = (0, 0, [])
        return next
    }

    // MARK: Redirects

    private mutating func redirected(
        _ source: Source, _ head: HTTPResponse, _ context: DecisionContext
    )
        throws(TransferError) -> HeadDecision?
    {
        guard
            let target = try redirectPolicy.target(
                of: head, from: plan.url, method: plan.method,
                isUpload: role == .upload, count: redirects)
        else { return nil }
        let redirect = Redirect(
            response: head, url: context.secured(target.url), method: target.method,
            keepsBody: plan.sendsBody && target.keepsBody)
        try redirectPolicy.check(redirect.url, from: plan.url, for: plan.leg)
        if context.interests.contains(.redirect) {
            state = .asking(source, .redirect(redirect), head)
            return .ask(.redirect(redirect))
        }
        return follow(redirect, source)
    }

    mutating func follow(_ redirect: Redirect, _ source: Source) -> HeadDecision {
        redirects += 1
        var next = plan
        (next.url, next.isDirect) = (redirect.url, false)
        next.method = redirect.method
        next.sendsBody = plan.sendsBody && redirect.keepsBody
        next.isOriginalOrigin = redirect.url.origin == origin
        if redirect.url.origin != plan.url.origin {
            next.login = nil
            next.clientIdentity = next.isOriginalOrigin ? first.clientIdentity : nil
            next.trust = first.trust
            approvedLeaves = []
        }
        next.extraFields = plan.isConditional ? first.extraFields : [:]
        automaticLogins = 0
        for field in redirect.additionalFields { next.extraFields[field.name] = field.value }
        next.answersFromCache = .none
        return follow(next, source)
    }

    // MARK: The response

    /// The head is the task's response, whatever its status.
    mutating func accept(_ head: HTTPResponse, _ source: Source, _ interests: Interests) -> HeadDecision {
        if case .download(let rewindable) = role {
            note(head)
            return evaluateDownload(head, source, rewindable: rewindable)
        }
        if plan.resume != nil { return evaluateContinuation(head, source) }
        if plan.leg != nil { return uploadAnswered(head, source, interests) }
        return response(head, source, interests)
    }

    /// The head is that of a data or upload task's response.
    mutating func response(_ head: HTTPResponse, _ source: Source, _ interests: Interests) -> HeadDecision {
        note(head)
        if interests.contains(.response) {
            state = .asking(source, .response(head), head)
            return .ask(.response(head))
        }
        return deliver(head, source)
    }

    private mutating func note(_ head: HTTPResponse) {
        validator =
            isDecoded
            ? Validator()
            : Validator(head.headerFields, origin: plan.url.origin).merged(over: plan.resume?.validator ?? Validator())
        acceptedStatus = head.status.code
        // A part says nothing about the coding of the stored bytes.
        if plan.resume == nil || (200..<300).contains(head.status.code) && !head.isPart {
            (contentType, contentEncoding) = (head.mediaType, head.contentCoding)
        }
    }

    mutating func deliver(_ head: HTTPResponse, _ source: Source) -> HeadDecision {
        state = .receiving(source, expected: Self.expectedBody(of: head, method: plan.method))
        return .deliver
    }

    /// A data task resumes after its connection was given up: delivered bytes cannot be taken back.
    private mutating func evaluateContinuation(_ head: HTTPResponse, _ source: Source) -> HeadDecision {
        switch ResumePolicy.evaluate(head, askedFor: plan.resume, of: plan.url) {
        case .append(let offset, let total):
            (resumedFrom, requestedEnd) = (offset, total)
            storedPoint = nil
            state = .receiving(source, expected: head.end(within: total).map { $0 - offset })
            return .proceed
        case .retryUnconditionally: return requestUnconditionally(source)
        case .replace, .complete, .restart, .fail:
            return refuse(
                source,
                TransferError(
                    .partialFile, .restChanged, host: plan.url.authority,
                    fields: .init(variant: .mustStartAgain)))
        }
    }

    private mutating func requestUnconditionally(_ source: Source) -> HeadDecision {
        var next = plan
        next.resume?.isUnconditional = true
        state = .following(source, next: next)
        return .abort
    }

    /// A data task's response goes to a file.
    mutating func becomeDownload(_ head: HTTPResponse, _ source: Source) -> HeadDecision {
        role = .download(rewindable: true)
        return evaluateDownload(head, source, rewindable: true)
    }

    private mutating func evaluateDownload(_ head: HTTPResponse, _ source: Source, rewindable: Bool) -> HeadDecision {
        if plan.isConditional, head.status.code == 304 {
            state = .refusing(source, nil)
            return .discard
        }
        let verdict = ResumePolicy.evaluate(head, askedFor: plan.resume, of: plan.url)
        if let directFailure, plan.resume != nil {
            switch verdict {
            case .replace where head.status.kind == .successful, .restart: return refuse(source, directFailure)
            case .append, .replace, .complete, .retryUnconditionally, .fail: break
            }
        }
        switch verdict {
        case .append(let offset, let total):
            // Bytes in front of a range show at its end, which a piece need not reach.
            let isPiece = !rewindable && plan.resume?.end != nil
            if isPiece, ResumePolicy.bodyLength(head) == nil { return refuseRewind(source) }
            return write(source, from: offset, to: total, upTo: plan.resume?.end, as: head)
        case .replace(let total):
            // Also if the whole was requested after a range was refused: its page does not replace the bytes.
            let hasBytes = plan.resume != nil || storedPoint != nil || first.resume != nil
            if hasBytes, !(200..<300).contains(head.status.code) { return refuseStatus(head, source) }
            guard plan.resume == nil || rewindable else { return refuseRewind(source) }
            if let point = plan.resume { restartCause = ResumePolicy.causeOfWhole(head, askedFor: point) }
            validator = isDecoded ? Validator() : Validator(head.headerFields, origin: plan.url.origin)
            let end = plan.method == .head ? 0 : total ?? Self.expectedBody(of: head, method: plan.method)
            let known = storedPoint ?? first.resume
            defer { formerTotal = end == nil ? totalOfSameVersion(as: known) : nil }
            return write(source, from: 0, to: end)
        case .complete(let total):
            self.total = total
            resumedFrom = total
            storedPoint = nil
            hasResult = true
            state = .refusing(source, nil)
            return .discard
        case .retryUnconditionally:
            // A piece: other connections have the rest.
            guard rewindable || plan.resume?.end == nil else { return refuseRewind(source) }
            return requestUnconditionally(source)
        case .restart(let cause):
            guard rewindable else {
                return [200, 206, 416].contains(head.status.code) ? refuseRewind(source) : refuseStatus(head, source)
            }
            restartCause = cause
            var next = plan
            next.resume = nil
            state = .following(source, next: next)
            return .abort
        case .fail(let error): return refuse(source, error)
        }
    }

    /// - Parameters:
    ///   - end: of the requested range, if that ends before the resource.
    ///   - part: may state that it ends before that range.
    private mutating func write(
        _ source: Source, from offset: Int64, to total: Int64?, upTo end: Int64? = nil, as part: HTTPResponse? = nil
    ) -> HeadDecision {
        self.total = total
        resumedFrom = offset
        hasComeInRanges = offset > 0
        requestedEnd = end
        storedPoint = nil
        (formerTotal, directFailure) = (nil, nil)
        if offset == 0 { firstPartBegan = nil }
        hasResult = true
        let end = end ?? total
        state = .receiving(source, expected: (part?.end(within: end) ?? end).map { $0 - offset })
        return .write(offset: offset, expectedEnd: end)
    }

    /// The size that the replaced bytes state, if they are of the version of the accepted response.
    private func totalOfSameVersion(as known: ResumePoint?) -> Int64? {
        guard let known, let condition = known.validator.ifRange, condition == validator.ifRange,
            !known.validator.isOfOtherOrigin(than: validator)
        else { return nil }
        return known.total
    }

    private mutating func refuseStatus(_ head: HTTPResponse, _ source: Source) -> HeadDecision {
        state = .refusing(source, statusError(head))
        return .discard
    }

    private func statusError(_ head: HTTPResponse) -> TransferError {
        TransferError(
            [401, 407].contains(head.status.code) ? .loginDenied : .httpStatus,
            .init(phrase: TextLine.first(of: head.status.reasonPhrase)),
            host: plan.url.authority, status: head.status.code)
    }

    private mutating func refuseRewind(_ source: Source) -> HeadDecision {
        refuse(source, TransferError(.partialFile, .outputWritten, host: plan.url.authority))
    }

    /// A lane opens the file of the accepted body: it is held until ``destinationOpened()`` or
    /// ``destinationFailed(_:)``.
    mutating func awaitDestination() {
        if case .receiving(let source, let expected) = state { state = .opening(source, expected: expected) }
    }

    /// The exchange whose body waits for its file.
    var opening: ExchangeID? { if case .opening = state { running?.id } else { nil } }

    mutating func destinationOpened() {
        if case .opening(let source, let expected) = state { state = .receiving(source, expected: expected) }
    }

    /// Enough was read of a refusal to know its reason.
    mutating func explained() -> Step { isRefusing && exchange != nil ? .cancel : .none }

    /// The destination does not take the accepted response.
    mutating func destinationFailed(_ error: TransferError) {
        guard let source else { return }
        hasResult = false
        state = .refusing(source, error)
    }

    /// Body bytes that the response must have; `nil` if only its end shows it (RFC 9112, section 6.3).
    private static func expectedBody(of head: HTTPResponse, method: HTTPRequest.Method) -> Int64? {
        if method == .head || head.status.code == 204 || head.status.code == 304 { return 0 }
        return ResumePolicy.bodyLength(head)
    }
}

extension HTTPResponse {
    /// Where the part ends that it states; at most `end`, which is that of the requested range.
    fileprivate func end(within end: Int64?) -> Int64? {
        guard case .satisfied(let range, _)? = contentRange, let end else { return end }
        return min(range.upperBound, end)
    }
}

extension Validator {
    /// A 206 need not repeat the fields of the first response; the missing ones are taken from there.
    func merged(over earlier: Validator) -> Validator {
        var merged = Validator(
            entityTag: entityTag ?? earlier.entityTag, lastModified: lastModified ?? earlier.lastModified, date: date)
        // A date that was weak with the first bytes does not become strong when it is repeated later.
        if earlier.lastModified != nil { merged.date = earlier.date }
        merged.origin = origin
        return merged
    }
}
