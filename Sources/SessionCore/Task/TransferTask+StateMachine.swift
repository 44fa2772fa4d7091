// SPDX-License-Identifier: MIT

import HTTPTypes
public import TransferModel

/// Every decision of one task: events in, what to do out. No I/O, no clock, no lock.
struct TaskStateMachine: Sendable {
    enum Role: Sendable, Equatable {
        case data
        /// `rewindable` is false for a destination that cannot take bytes back, such as a pipe.
        case download(rewindable: Bool)
        case upload
    }

    private enum State: Equatable {
        /// Made, suspended. → exchanging, ended
        case idle
        /// An exchange is under way and its head has not come. → receiving, following, refusing, ended
        case exchanging(ExchangePlan)
        /// The head was accepted, the body is the task's result. → ended
        case receiving(ExchangePlan, expected: Int64?)
        /// The head asked for another exchange; this one is being ended. → exchanging, ended
        case following(ExchangePlan)
        /// The head decided against the task; the exchange is being ended. → ended
        case refusing(TransferError?)
        /// Told so. Final.
        case ended
    }

    /// What the next exchange looks like.
    struct ExchangePlan: Sendable, Equatable {
        var url: TransferURL
        var method: HTTPRequest.Method
        var sendsBody: Bool
        /// Credentials, cookies and secret fields of the request may go along.
        var isOriginalOrigin = true
        var resume: ResumePoint?
        var usesDigest = false
        var expectsContinue = true
    }

    /// What to do with the body of the answer whose head has come.
    enum HeadDecision: Sendable, Equatable {
        /// Tell of the response; its body is the task's data.
        case deliver
        /// Tell of the response; write its body from `offset` on, having cut the file there first.
        case write(offset: Int64, expectedEnd: Int64?)
        /// Read it to the end and forget it.
        case discard
        /// End the exchange at once.
        case abort
    }

    /// What to do when an exchange has ended, or a call has been made.
    enum Step: Sendable, Equatable {
        case none
        case begin(ExchangePlan)
        case pause
        case proceed
        case cancel
        case finish(TransferError?)
    }

    private var state = State.idle
    private let role: Role
    private let origin: String
    private let canAuthenticate: Bool
    private let redirectPolicy: RedirectPolicy
    private var first: ExchangePlan
    private var suspensions = 1
    private var hasBeenCancelled = false
    private var acceptedStatus: Int?

    private(set) var redirects = 0
    /// Why the download began again from its first byte, if it did.
    private(set) var restartReason: String?
    /// The first byte that the accepted answer brought.
    private(set) var resumedFrom: Int64 = 0
    /// What the accepted answer said of the resource.
    private(set) var validator = Validator()
    private(set) var total: Int64?
    /// Whether an answer was accepted whose body is the download.
    private(set) var hasResult = false

    init(role: Role, request: TransferRequest, sendsBody: Bool, resume: ResumePoint? = nil,
         redirectPolicy: RedirectPolicy = .init()) {
        self.role = role
        self.redirectPolicy = redirectPolicy
        origin = request.url.origin
        canAuthenticate = request.options.credential != nil || request.url.credential != nil
        first = ExchangePlan(url: request.url, method: request.method, sendsBody: sendsBody, resume: resume)
        total = resume?.total
    }

    // What a task's public state is made of.
    var isEnded: Bool { state == .ended }
    /// Whether the answer under way is only a step to another one.
    var isFollowing: Bool { if case .following = state { true } else { false } }
    var isSuspended: Bool { suspensions > 0 }
    var isCancelling: Bool { hasBeenCancelled && state != .ended }
    /// Whether an exchange that is under way is to be ended.
    var wantsNoExchange: Bool {
        if case .refusing = state { return true }
        return isCancelling
    }

    // MARK: Calls

    mutating func resume() -> Step {
        guard state != .ended, suspensions > 0 else { return .none }
        suspensions -= 1
        guard suspensions == 0 else { return .none }
        guard state == .idle else { return .proceed }
        state = .exchanging(first)
        return .begin(first)
    }

    mutating func suspend() -> Step {
        guard state != .ended else { return .none }
        suspensions += 1
        return suspensions == 1 && state != .idle ? .pause : .none
    }

    mutating func cancel() -> Step {
        guard state != .ended, !hasBeenCancelled else { return .none }
        hasBeenCancelled = true
        guard state == .idle else { return .cancel }
        state = .ended
        return .finish(.cancelled)
    }

    /// Ends the task from outside the exchange, with `error` as its end (the resource timer, a failing file).
    mutating func fail(_ error: TransferError) -> Step {
        guard state != .ended else { return .none }
        if state == .idle {
            state = .ended
            return .finish(error)
        }
        if case .refusing = state { return .none }
        state = .refusing(error)
        return .cancel
    }

    // MARK: Events

    mutating func headReceived(_ head: HTTPResponse) -> HeadDecision {
        guard case .exchanging(let plan) = state else { return .abort }
        do throws(TransferError) {
            if head.headerFields.first(.contentLength) != nil, head.headerFields.first(.transferEncoding) == nil,
                ResumePolicy.bodyLength(head) == nil {
                throw TransferError(.notHTTP, "\(plan.url.authority): the answer's Content-Length is no number")
            }
            if let next = try follow(head, from: plan) {
                state = .following(next)
                // Cut off, some versions of libcurl would send the body again by themselves after a 417.
                return head.status.code == 417 ? .abort : .discard
            }
        } catch {
            state = .refusing(error)
            return .abort
        }
        validator = Validator(head.headerFields)
        acceptedStatus = head.status.code
        guard case .download(let rewindable) = role else {
            state = .receiving(plan, expected: Self.expectedBody(of: head, method: plan.method))
            return .deliver
        }
        return judgeDownload(head, plan, rewindable: rewindable)
    }

    /// - Parameter failure: already translated; `nil` where HTTP's framing found the answer whole.
    /// - Parameter received: body bytes of this exchange that were stored.
    mutating func exchangeEnded(_ failure: TransferError?, received: Int64) -> Step {
        guard state != .ended else { return .none }
        if hasBeenCancelled { return end(.cancelled) }
        switch state {
        case .idle, .ended: return .none
        case .refusing(let error):
            state = .ended
            return .finish(error)
        case .following(let next):
            if let failure, failure.code == .timedOut { return end(failure) }
            state = .exchanging(next)
            return .begin(next)
        case .exchanging(let plan):
            return end(failure ?? TransferError(.notHTTP, "\(plan.url.authority): the connection ended without an answer"))
        case .receiving(let plan, let expected):
            if failure == nil, let expected, received != expected {
                return end(TransferError(.partialFile, "\(plan.url.authority): \(received) bytes came, "
                    + "\(expected) were announced", curlCode: 18))
            }
            return end(isAnsweredEarly(failure) ? nil : failure)
        }
    }

    /// A server that refuses an upload may answer and close before it has read all; its status is the result then.
    private func isAnsweredEarly(_ failure: TransferError?) -> Bool {
        guard role == .upload, let failure, let acceptedStatus, acceptedStatus >= 400 else { return false }
        return failure.code == .sendFailed || failure.code == .receiveFailed
    }

    /// The accepted answer's head came while the destination could not take it.
    mutating func destinationFailed(_ error: TransferError) {
        hasResult = false
        state = .refusing(error)
    }

    // MARK: Decisions

    private mutating func follow(_ head: HTTPResponse, from plan: ExchangePlan) throws(TransferError) -> ExchangePlan? {
        let status = head.status.code
        if status == 417, plan.sendsBody, plan.expectsContinue {
            var next = plan
            next.expectsContinue = false
            return next
        }
        if status == 401, canAuthenticate, plan.isOriginalOrigin, !plan.usesDigest,
            head.headerFields[values: .wwwAuthenticate].contains(where: { $0.lowercased().contains("digest") }) {
            var next = plan
            next.usesDigest = true
            return next
        }
        guard let target = try redirectPolicy.target(of: head, from: plan.url, method: plan.method,
                                                     isUpload: role == .upload, count: redirects)
        else { return nil }
        redirects += 1
        var next = plan
        next.url = target.url
        next.method = target.method
        next.sendsBody = plan.sendsBody && target.keepsBody
        next.isOriginalOrigin = target.url.origin == origin
        next.usesDigest = plan.usesDigest && next.isOriginalOrigin
        return next
    }

    private mutating func judgeDownload(_ head: HTTPResponse, _ plan: ExchangePlan, rewindable: Bool) -> HeadDecision {
        switch ResumePolicy.judge(head, askedFor: plan.resume, host: plan.url.authority) {
        case .append(let offset, let total):
            return accept(plan, from: offset, to: total)
        case .replace(let total):
            if plan.resume != nil, !(200..<300).contains(head.status.code) {
                state = .refusing(TransferError(.httpStatus, "\(plan.url.authority): answered \(head.status.code)"))
                return .discard
            }
            guard plan.resume == nil || rewindable else { return refuseRewind(plan) }
            if plan.resume != nil { restartReason = "the file changed on the server, or it sends no ranges" }
            return accept(plan, from: 0, to: plan.method == .head ? 0 : total ?? Self.expectedBody(of: head, method: plan.method))
        case .complete(let total):
            self.total = total
            resumedFrom = total
            hasResult = true
            state = .refusing(nil)
            return .discard
        case .restart(let reason):
            guard rewindable else { return refuseRewind(plan) }
            restartReason = reason
            var next = plan
            next.resume = nil
            state = .following(next)
            return .abort
        case .fail(let error):
            state = .refusing(error)
            return .abort
        }
    }

    private mutating func accept(_ plan: ExchangePlan, from offset: Int64, to total: Int64?) -> HeadDecision {
        self.total = total
        resumedFrom = offset
        hasResult = true
        state = .receiving(plan, expected: total.map { $0 - offset })
        return .write(offset: offset, expectedEnd: total)
    }

    private mutating func refuseRewind(_ plan: ExchangePlan) -> HeadDecision {
        state = .refusing(TransferError(.partialFile, "\(plan.url.authority): cannot go on where the last try stopped, "
            + "and what was already written to the output cannot be taken back"))
        return .abort
    }

    /// Body bytes the answer must bring; `nil` where only its framing tells (RFC 9112, section 6.3).
    private static func expectedBody(of head: HTTPResponse, method: HTTPRequest.Method) -> Int64? {
        if method == .head || head.status.code == 204 || head.status.code == 304 { return 0 }
        return ResumePolicy.bodyLength(head)
    }

    private mutating func end(_ error: TransferError?) -> Step {
        state = .ended
        return .finish(error)
    }
}

extension TransferError {
    /// How a task that was cancelled ends.
    public static let cancelled = TransferError(.other, "cancelled")
}
