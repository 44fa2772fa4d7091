// SPDX-License-Identifier: MIT

import HTTPTypes
import TransferModel

/// What a task has learned of the resumable uploads of its server.
enum UploadNews: Sendable, Equatable {
    case announced(UploadSupport)
    /// The task has failed because of what was announced.
    case outdated
}

/// A resumable upload as one task: what ``ResumableUpload`` decides becomes the task's next exchange.
extension TaskMachine {
    /// The server has bytes of this upload, or will say which: another exchange can continue it.
    var canContinueUpload: Bool { plan.leg != nil && resumable?.point != nil }

    /// Where the content of the exchange under way begins in what is uploaded; without content, what the server has.
    var uploadBase: Int64 {
        guard let leg = plan.leg else { return 0 }
        return leg.body?.lowerBound ?? resumable?.point?.offset ?? 0
    }

    /// An attempt begins: its first exchange replaces the plan. While the exchange is being made.
    /// - Parameter support: what the server has announced to earlier tasks; `nil`: not known.
    mutating func beginUpload(knowing support: UploadSupport?) throws(TransferError) {
        guard case .starting = state, resumable?.isBetweenAttempts == true,
            let step = resumable?.begin(knowing: support)
        else { return }
        noteSupport(since: nil)
        switch step {
        case .send(let exchange), .commit(let exchange): plan = planned(exchange)
        case .end(let error), .failed(let error), .busy(let error), .refused(let error), .restart(let error):
            throw error
        // `await` is a stream's, and streams are sent without a protocol; `join` is one of several tasks.
        case .sendPlain, .finish, .await, .join: plan = planWithoutProtocol()
        }
    }

    /// The next exchange, with the login of the one before. At another origin it is as after a redirect.
    private mutating func planned(_ exchange: UploadExchange) -> ExchangePlan {
        var next = plan.isOriginalOrigin ? plan : first
        (next.url, next.method, next.leg) = (exchange.url, exchange.method, exchange)
        next.sendsBody = exchange.body != nil
        sentOfLeg = 0
        resumable?.willSend(upTo: exchange.body?.upperBound ?? 0)
        (next.extraFields, next.isRepeated, next.isOriginalOrigin) = ([:], false, exchange.url.origin == origin)
        if !next.isOriginalOrigin {
            (next.login, next.clientIdentity, next.trust, approvedLeaves) = (nil, nil, first.trust, [])
        }
        return next
    }

    private mutating func planWithoutProtocol() -> ExchangePlan {
        resumable = nil
        var next = plan.isOriginalOrigin ? plan : first
        (next.url, next.method, next.leg) = (first.url, first.method, nil)
        (next.sendsBody, next.extraFields, next.isRepeated) = (true, [:], false)
        return next
    }

    /// The final response to an exchange of a resumable upload.
    ///
    /// A status of 400 and above is the task's response, as without a protocol; ``resumable`` keeps the point if the
    /// upload can be continued later all the same.
    mutating func uploadAnswered(_ head: HTTPResponse, _ source: Source, _ interests: Interests) -> HeadDecision {
        let authority = plan.url.authority
        let status = head.status.code
        let refusal =
            head.status.kind == .successful
            ? nil
            : TransferError(
                status == 401 || status == 407 ? .loginDenied : .httpStatus, .init(), host: authority, status: status)
        let known = resumable?.found
        guard let step = resumable?.ended(UploadReply(head, from: plan.url, refusal: refusal)) else { return .abort }
        noteSupport(since: known)
        switch step {
        case .send(let exchange), .commit(let exchange): return follow(planned(exchange), source)
        case .sendPlain: return follow(planWithoutProtocol(), source)
        case .end(let error): return refuse(source, error)
        case .restart(let error):
            guard restartCause == nil, let old = resumable else { return refuse(source, error) }
            restartCause = .failure(error)
            resumable = ResumableUpload(old.subject, old.resumption)
            // Without a step, the next exchange begins the attempt.
            var next = plan
            next.leg = nil
            return follow(next, source)
        case .finish:
            resumable = nil
            return response(head, source, interests)
        case .failed, .busy, .refused, .await, .join: return response(head, source, interests)
        }
    }

    /// An exchange of a resumable upload ended without a response.
    /// - Returns: `nil` if the failure stands.
    mutating func uploadBroke(_ failure: TransferError) -> Step? {
        let known = resumable?.found
        var reply = UploadReply(nil, from: plan.url, error: failure)
        reply.sent = sentOfLeg
        guard plan.leg != nil, let step = resumable?.ended(reply) else { return nil }
        noteSupport(since: known)
        switch step {
        case .send(let exchange), .commit(let exchange): return begin(planned(exchange))
        case .sendPlain: return begin(planWithoutProtocol())
        case .end(let error): return end(error)
        case .failed, .busy, .refused, .restart, .finish, .await, .join: return nil
        }
    }

    /// - Parameter known: what the attempt had found out before.
    private mutating func noteSupport(since known: UploadSupport?) {
        if let found = resumable?.found, found != known { uploadNews = .announced(found) }
        if resumable?.failedForSupport == true { uploadNews = .outdated }
    }

    /// An informational response; it may say where the upload continues.
    mutating func uploadInformed(_ head: HTTPResponse) {
        guard plan.leg != nil else { return }
        _ = resumable?.interim(head, from: plan.url)
    }

    /// `count` bytes of the content under way have been sent.
    mutating func uploadSent(_ count: Int64) {
        if plan.leg != nil { resumable?.sent(count) }
    }
}
