// SPDX-License-Identifier: MIT

import HTTPTypes
import TransferModel

/// Makes every decision of one task: it receives one event at a time and returns the action to take. It has no I/O and
/// no clock.
///
/// The states and the program's calls are here; `+Start` leads to an exchange, `+Heads` decides what a head means,
/// `+Challenges` about logins and trust, `+Ends` what follows an exchange, `+Network` what its changes mean.
struct TaskMachine: Sendable {
    enum Role: Sendable, Equatable {
        case data
        /// `rewindable` is false for a destination that cannot take bytes back, such as a pipe.
        case download(rewindable: Bool)
        case upload
    }

    /// Where the task stands. The plan of the exchange is ``plan`` in each of them.
    enum State: Sendable {
        /// Made, suspended. → scheduled, ended
        case idle
        /// An exchange is wanted; `isDelayed`: its earliest begin has not come. → confirmingDelay, consultingCache,
        /// queued, sent, ended
        case scheduled(isDelayed: Bool)
        /// The earliest begin has come; a delegate decides whether the request is still right. → scheduled, ended
        case confirmingDelay
        /// The cache is looked up. → queued, sent, ended
        case consultingCache
        /// Waits for a slot, or for its resumption. → starting, sent, ended
        case queued
        /// A delegate is asked for a body, since the previous one has been read. → starting, queued, ended
        case lackingBody
        /// The exchange is being made; no other event comes in between. → sent, lackingBody, waiting, checkingName,
        /// deciding, ended
        case starting
        /// The request is on its way, the head has not come.
        /// → asking, opening, receiving, following, parking, refusing, deciding, checkingName, waiting, scheduled,
        /// ended
        case sent(Source)
        /// The head has come, its body is held, and a delegate is asked what to do. → opening, receiving,
        /// following, refusing, ended
        indirect case asking(Source, Question, HTTPResponse)
        /// The head was accepted, and its body is held until a lane has opened its file. → receiving, refusing, ended
        case opening(Source, expected: Int64?)
        /// The head was accepted, the body is the task's result. → parking, waiting, refusing, ended
        case receiving(Source, expected: Int64?)
        /// The head demanded another exchange; this one is being ended. → scheduled, refusing, ended
        indirect case following(Source, next: ExchangePlan)
        /// The connection is being given up, because of a long suspension or a lost network.
        /// → parked, waiting, scheduled, refusing, ended
        case parking(Running, offset: Int64, PathWait?)
        /// The head or a call decided against the task; the exchange is being ended. → ended
        case refusing(Source, TransferError?)
        /// No exchange is running, and a delegate decides about the next one. → scheduled, parked, ended
        indirect case deciding(Undecided)
        /// Suspended, without a connection. → scheduled, ended
        case parked
        /// The network cannot carry it now, and there is no exchange. → scheduled, ended
        case waiting(PathWait)
        /// The resolver is asked why it returned no address; there is no exchange. → waiting, ended
        case checkingName(TransferError)
        /// Completion has been reported. Terminal.
        case ended
    }

    /// Where a response comes from.
    enum Source: Sendable {
        /// The exchange is under way.
        case network(Running)
        /// The exchange is over, and what becomes of its response is still being decided or opened.
        case ended(Running, ExchangeEnd)
        /// The cache: the stored response is given as if it came from the network.
        case cache
    }

    /// State of an exchange, from its start to its end.
    struct Running: Sendable {
        var id = ExchangeID(rawValue: 0)
        /// The host of the server, or of its proxy.
        var host = ""
        var proxy: ProxyServer?
        /// Its alternative service.
        var alternative: Exchange.Alternative?
        /// The user, not the system, accepted the server's certificate.
        var trustsByException = false
        /// The transport decodes the body.
        var decodesBody = false
        /// The system's choice when the exchange began; `nil`: not known.
        var sourceAddress: HostAddress?
        /// The system's choice now, if reported.
        var betterSource: HostAddress?
    }

    /// A decision that a delegate has to make while no exchange runs.
    struct Undecided: Sendable {
        var question: Question
        var head: HTTPResponse?
        /// How the task ends if the decision does not help.
        var failure: TransferError?
        /// The proxy of the previous exchange.
        var proxy: ProxyServer?
    }

    /// The slot that the task needs from the session's ``ExchangeGate``.
    enum Slot: Sendable { case none, queued, held }

    var state = State.idle
    /// The exchange under way, or without one the next; after the end, the last one.
    var plan: ExchangePlan
    private(set) var hasBegun = false
    var role: Role
    var origin: String
    /// The request's own credential; see ``sendsLoginPreemptively(_:)``.
    var ownCredential: Credential?
    /// Without one, netrc is read after the server's challenge.
    var usesNetrc: Bool
    let redirectPolicy: RedirectPolicy
    var hasPins: Bool
    var first: ExchangePlan
    var ledger = ChallengeLedger()
    /// Logins without a question to a delegate, since the last redirect.
    var automaticLogins = 0
    /// Certificates that this task may meet again at the same origin without asking.
    var approvedLeaves: Set<[UInt8]> = []
    var acceptedStatus: Int?
    /// Why the system refused the certificates that are being fetched to be shown.
    var refusedCertificate: TransferError?
    private var suspensions = 1
    /// Rises with each suspension and each resumption.
    private(set) var suspensionTurn = 0
    private(set) var hasBeenCancelled = false
    /// The reader of a response that became a stream is slower than what comes.
    var isReaderBehind = false
    var isDelayTimed = false
    var hasAskedAboutDelay = false
    /// The network condition that a running exchange waits for.
    var pathHold: PathWait?
    /// The exchange was begun without a sign that the network would carry it, and nothing has been received yet.
    var isProbing = false

    var redirects = 0
    /// Why the address that sent the bytes does not send the rest, if that may pass: another server's response does not
    /// take their place then.
    var directFailure: TransferError?
    /// Why the download restarted from its first byte, if it did.
    var restartCause: RestartCause?
    /// The position of the accepted response's first byte.
    var resumedFrom: Int64 = 0
    /// The size of the same version as an earlier response stated it, if the accepted one states no length.
    var formerTotal: Int64?
    /// Some of the stored bytes came in response to a range.
    var hasComeInRanges = false
    /// Where the accepted response ends, if that is before the end of the resource.
    var requestedEnd: Int64?
    /// Where the first of several parts began, each of which ended, as its head had stated, before the requested range.
    var firstPartBegan: Int64?
    /// How many parts of a few bytes have come.
    var smallParts = 0
    /// Where a download resumes whose exchange was given up for a wait or a suspension, until another response is
    /// accepted.
    var storedPoint: ResumePoint?
    /// The validator of the accepted response.
    var validator = Validator()
    /// The content type of the stored bytes; the response to a range must have the same.
    var contentType: String?
    var contentEncoding: String?
    var total: Int64?
    /// An upload that may be resumed, until its response has been accepted.
    var resumable: ResumableUpload?
    /// Bytes of the content under way that were sent at most.
    var sentOfLeg: Int64 = 0
    /// Progress of a resumable upload that the session has not read yet.
    var uploadNews: UploadNews?
    /// The delivered bytes are not those that the server counts: they cannot be resumed.
    var isDecoded = false
    /// Whether a response was accepted whose body is the download.
    var hasResult = false

    init(
        role: Role, request: TransferRequest, url: TransferURL? = nil, sendsBody: Bool, resume: ResumePoint? = nil,
        copy: Validator? = nil, redirectPolicy: RedirectPolicy = .init()
    ) {
        self.role = role
        self.redirectPolicy = redirectPolicy
        hasPins = !(request.options.pins.isEmpty && request.options.certificatePins.isEmpty)
        let url = url ?? request.url
        origin = url.origin
        ownCredential = request.options.credential ?? request.url.credential
        usesNetrc = request.options.takesNetrc
        first = ExchangePlan(
            url: url, method: request.method, sendsBody: sendsBody, resume: resume,
            clientIdentity: request.options.clientIdentity)
        if let conditions = copy?.conditionalFields, !conditions.isEmpty, resume == nil {
            first.extraFields = conditions
            first.isConditional = true
        }
        plan = first
        if let address = resume?.address, address.string != url.string, redirectPolicy.maximum > 0,
            (try? redirectPolicy.check(address, from: url)) != nil
        {
            (plan.url, plan.isDirect, plan.isOriginalOrigin) = (address, true, address.origin == origin)
            if !plan.isOriginalOrigin { plan.clientIdentity = nil }
        }
        total = resume?.total
        validator = resume?.validator ?? Validator()
        hasComeInRanges = resume?.hasComeInRanges ?? false
        (contentType, contentEncoding) = (resume?.contentType, resume?.contentEncoding)
    }

    // For the task's public state.
    var isEnded: Bool { if case .ended = state { true } else { false } }
    var isSuspended: Bool { suspensions > 0 }
    var isCancelling: Bool { hasBeenCancelled && !isEnded }
    /// Whether the current response only leads to another one.
    var isFollowing: Bool { if case .following = state { true } else { false } }
    var isRefusing: Bool { if case .refusing = state { true } else { false } }

    /// Where the current response comes from.
    var source: Source? {
        switch state {
        case .sent(let source), .asking(let source, _, _), .opening(let source, _), .receiving(let source, _),
            .following(let source, _), .refusing(let source, _):
            source
        case .parking(let running, _, _): .network(running)
        default: nil
        }
    }

    /// The exchange of the current response; it may have ended.
    var running: Running? {
        switch source {
        case .network(let running), .ended(let running, _): running
        case .cache, nil: nil
        }
    }

    mutating func updateRunning(_ change: (inout Running) -> Void) {
        guard case .network(var running)? = source else { return }
        change(&running)
        setSource(.network(running))
    }

    mutating func setSource(_ source: Source) {
        switch (state, source) {
        case (.sent, _): state = .sent(source)
        case (.asking(_, let question, let head), _): state = .asking(source, question, head)
        case (.opening(_, let expected), _): state = .opening(source, expected: expected)
        case (.receiving(_, let expected), _): state = .receiving(source, expected: expected)
        case (.following(_, let next), _): state = .following(source, next: next)
        case (.refusing(_, let error), _): state = .refusing(source, error)
        case (.parking(_, let offset, let wait), .network(let running)): state = .parking(running, offset: offset, wait)
        default: break
        }
    }

    /// The exchange under way.
    var exchange: ExchangeID? { if case .network(let running)? = source { running.id } else { nil } }

    var proxy: ProxyServer? { if case .deciding(let undecided) = state { undecided.proxy } else { running?.proxy } }

    /// Whether the bytes of an exchange are to be held.
    var isHeld: Bool { isSuspended || pathHold != nil || isReaderBehind }

    var slot: Slot {
        guard !isSuspended else { return .none }
        switch state {
        case .queued: return .queued
        case .starting, .lackingBody: return .held
        default: return exchange == nil ? .none : .held
        }
    }

    /// Where the exchange resumes whose head has not come yet.
    var pendingResume: ResumePoint? {
        switch state {
        case .scheduled, .confirmingDelay, .consultingCache, .queued, .lackingBody, .starting, .sent, .parked, .waiting,
            .checkingName:
            plan.resume
        case .idle, .asking, .opening, .receiving, .following, .parking, .refusing, .deciding, .ended: nil
        }
    }

    /// The announced end of the current body, counted from the resource's first byte; `nil` if unknown.
    var announced: Int64? {
        guard case .receiving(_, let expected) = state else { return nil }
        return expected.map { resumedFrom + $0 }
    }

    // MARK: Calls

    mutating func resume() -> Step {
        guard !isEnded, suspensions > 0 else { return .none }
        suspensions -= 1
        guard suspensions == 0 else { return .none }
        suspensionTurn += 1
        switch state {
        case .idle, .parked: return start()
        case .scheduled: return .begin
        case .queued: return queue()
        case .waiting(let wait): return .wait(wait)
        case .parking: return .none
        default: return exchange != nil && pathHold == nil ? .proceed : .none
        }
    }

    mutating func start() -> Step {
        isProbing = false
        return begin()
    }

    mutating func begin(_ next: ExchangePlan) -> Step {
        plan = next
        return begin()
    }

    mutating func begin() -> Step {
        hasBegun = true
        state = .scheduled(isDelayed: false)
        return .begin
    }

    mutating func suspend() -> Step {
        guard !isEnded else { return .none }
        suspensions += 1
        guard suspensions == 1 else { return .none }
        suspensionTurn += 1
        return exchange == nil ? .none : .pause
    }

    /// The task has been suspended so long that its connection is given up. Without effect if it could not resume where
    /// it is.
    /// - Parameter turn: ``suspensionTurn`` when it was suspended.
    mutating func suspensionLasted(_ turn: Int) -> Step {
        guard turn == suspensionTurn, isSuspended, !hasBeenCancelled else { return .none }
        switch state {
        case .sent(.network(let running)) where mayRepeat(plan) || canContinueUpload:
            state = .parking(running, offset: plan.resume?.offset ?? 0, nil)
            return .cancel
        case .receiving(.network(let running), _) where canComeBack:
            state = .parking(running, offset: resumedFrom, nil)
            return .cancel
        default: return .none
        }
    }

    mutating func cancel() -> Step {
        guard !isEnded, !hasBeenCancelled else { return .none }
        hasBeenCancelled = true
        return exchange == nil ? end(.cancelled) : .cancel
    }

    /// Ends the task with `error` from outside the exchange (the resource timer, a failing file).
    mutating func fail(_ error: TransferError) -> Step {
        switch state {
        case .ended, .refusing: return .none
        default:
            guard let source, case .network = source else { return end(error) }
            state = .refusing(source, error)
            return .cancel
        }
    }

    mutating func end(_ error: TransferError?) -> Step {
        state = .ended
        return .finish(error)
    }
}

extension HTTPRequest.Method {
    /// RFC 9110, section 9.2.2: repeating it changes nothing more.
    var isIdempotent: Bool {
        [.get, .head, .put, .delete, .options, .trace].contains(self)
    }
}
