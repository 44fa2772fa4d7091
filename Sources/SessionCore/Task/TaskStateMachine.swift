// SPDX-License-Identifier: MIT

import HTTPTypes
import TransferModel

/// Every decision of one task: events in, what to do out. No I/O, no clock, no lock.
///
/// Calls are here; `+Heads` decides what an answer means, `+Challenges` who logs in how, `+Ends` what follows an exchange.
struct TaskStateMachine: Sendable {
    enum Role: Sendable, Equatable {
        case data
        /// `rewindable` is false for a destination that cannot take bytes back, such as a pipe.
        case download(rewindable: Bool)
        case upload
    }

    enum State: Equatable {
        /// Made, suspended. → exchanging, ended
        case idle
        /// An exchange is under way, or waits for its turn, and its head has not come.
        /// → asking, deciding, receiving, following, parking, refusing, ended
        case exchanging(ExchangePlan)
        /// The head has come, its body is held, and a delegate is asked what to do. → receiving, following, refusing, ended
        case asking(Pending)
        /// No exchange is under way, and a delegate is asked how the next one is to be. → exchanging, ended
        case deciding(Pending)
        /// The head was accepted, the body is the task's result. → parking, ended
        case receiving(ExchangePlan, expected: Int64?)
        /// The head asked for another exchange; this one is being ended. → exchanging, ended
        case following(ExchangePlan)
        /// The connection is being let go, because the task is suspended for long or because the network has gone.
        /// → parked, waiting, exchanging, ended
        case parking(ExchangePlan, offset: Int64, PathWait?)
        /// Suspended, without a connection. → exchanging, ended
        case parked(ExchangePlan)
        /// The network cannot carry it now, and there is no exchange. → exchanging, ended
        case waiting(ExchangePlan, PathWait)
        /// The resolver is asked why it gave no address; there is no exchange. → waiting, ended
        case checkingName(ExchangePlan, TransferError)
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
        /// How to log in; `nil`: with what the request itself carries.
        var login: Login?
        var proxyLogin: Login?
        /// The proxy that asked for ``proxyLogin``.
        var loginProxy: ProtectionSpace.Server?
        var expectsContinue = true
        var trust = TrustDemand.system
        var clientIdentity: ClientIdentity?
        /// Fields that a delegate added on a redirect, and those that ask whether a stored answer is still true.
        var extraFields = HTTPFields()
        var answersFromCache = CacheUse.none
        /// Straight to the origin: where it said that it can be had too, it could not be reached.
        var avoidsAlternative = false
        /// The exchange before ended without an answer and without a failure.
        var isRepeated = false
        /// The download has a copy already, and asks whether it is still current.
        var isConditional = false
    }

    enum CacheUse: Sendable, Equatable {
        case none
        /// A 304 says that the stored answer is the one.
        case revalidating
        /// The stored answer is the answer; nothing goes to the network.
        case stored
        /// What is stored turned out to be of no use.
        case reloading
    }

    /// Who one claims to be.
    struct Login: Sendable, Equatable {
        var method: ProtectionSpace.Method
        var credential: Credential?
        var token: Secret?
    }

    /// What waits for a delegate's answer.
    struct Pending: Sendable, Equatable {
        var plan: ExchangePlan
        var question: Question
        var head: HTTPResponse?
        /// How the task ends where the answer does not help.
        var failure: TransferError?
    }

    /// What to do with the body of the answer whose head has come.
    enum HeadDecision: Sendable, Equatable {
        /// Tell of the response; its body is the task's data.
        case deliver
        /// The body goes on where the data stopped; nothing is told of the response.
        case proceed
        /// Tell of the response; write its body from `offset` on, having cut the file there first.
        case write(offset: Int64, expectedEnd: Int64?)
        /// Tell of the response; the body is read as a stream.
        case pipe
        /// Read it to the end and forget it.
        case discard
        /// End the exchange at once.
        case abort
        /// Hold the body until the delegate has answered.
        case ask(Question)
    }

    /// What to do when an exchange has ended, or a call has been made.
    enum Step: Sendable, Equatable {
        case none
        case begin(ExchangePlan)
        case pause
        case proceed
        case cancel
        case ask(Question)
        /// The network cannot carry it now: tell so, and call ``TaskStateMachine/connectivityReturned()`` when it may again.
        case wait(PathWait)
        /// As `wait`, with the exchange still under way: its bytes are held.
        case hold(PathWait)
        case checkName(host: String)
        case finish(TransferError?)
    }

    /// What to do when a delegate has answered.
    enum Resolution: Sendable, Equatable {
        /// Too late, or not asked.
        case none
        /// The head whose body is held is decided.
        case decide(HeadDecision, HTTPResponse)
        case step(Step)
    }

    var state = State.idle
    var role: Role
    private(set) var origin: String
    /// What the request itself says who it is; see ``sendsLoginUnasked(_:)``.
    private(set) var ownCredential: Credential?
    /// Without one, netrc is asked once the server has asked.
    private(set) var usesNetrc: Bool
    let redirectPolicy: RedirectPolicy
    private(set) var hasPins: Bool
    var first: ExchangePlan
    var ledger = ChallengeLedger()
    /// Logins that nobody was asked about, since the last redirect.
    var automaticLogins = 0
    /// Certificates that this task may meet again at the same origin without asking.
    var approvedLeaves: Set<[UInt8]> = []
    var acceptedStatus: Int?
    /// Why the system refused the certificates that are being fetched to be shown.
    var refusedCertificate: TransferError?
    private var suspensions = 1
    private var hasBeenCancelled = false
    /// What an exchange that is under way waits for.
    var pathHold: PathWait?
    /// The exchange was begun without a sign that the network would carry it, and nothing has been heard of it yet.
    private var isProbing = false

    var redirects = 0
    /// Why the download began again from its first byte, if it did.
    var restartReason: String?
    /// The first byte that the accepted answer brought.
    var resumedFrom: Int64 = 0
    /// From where a download goes on whose exchange was let go for a wait or a suspension, until another answer is accepted.
    var keptPoint: ResumePoint?
    /// What the accepted answer said of the resource.
    var validator = Validator()
    /// How the bytes came that are stored, as a later response to a range must send them.
    var contentType: String?
    var contentEncoding: String?
    var total: Int64?
    /// The bytes of the answer's body are not those that the server counts: they cannot be gone on with.
    var isDecoded = false
    /// Whether an answer was accepted whose body is the download.
    var hasResult = false

    init(role: Role, request: TransferRequest, url: TransferURL? = nil, sendsBody: Bool, resume: ResumePoint? = nil,
         copy: Validator? = nil, redirectPolicy: RedirectPolicy = .init()) {
        self.role = role
        self.redirectPolicy = redirectPolicy
        hasPins = !(request.options.pins.isEmpty && request.options.certificatePins.isEmpty)
        let url = url ?? request.url
        origin = url.origin
        ownCredential = request.options.credential ?? request.url.credential
        usesNetrc = request.options.usesNetrc
        first = ExchangePlan(url: url, method: request.method, sendsBody: sendsBody, resume: resume,
                             clientIdentity: request.options.clientIdentity)
        if let conditions = copy?.conditionalFields, !conditions.isEmpty, resume == nil {
            first.extraFields = conditions
            first.isConditional = true
        }
        total = resume?.total
        validator = resume?.validator ?? Validator()
        (contentType, contentEncoding) = (resume?.contentType, resume?.contentEncoding)
    }

    // What a task's public state is made of.
    var isEnded: Bool { state == .ended }
    /// Whether the answer under way is only a step to another one.
    var isAsking: Bool { if case .asking = state { true } else { false } }
    var isFollowing: Bool { if case .following = state { true } else { false } }
    var isSuspended: Bool { suspensions > 0 }
    var isCancelled: Bool { hasBeenCancelled }
    var isCancelling: Bool { hasBeenCancelled && state != .ended }
    /// Whether an exchange that is under way is to be ended.
    var wantsNoExchange: Bool {
        switch state {
        case .refusing, .parking: true
        default: isCancelling
        }
    }

    /// From where the exchange goes on whose head has not come yet.
    var pendingResume: ResumePoint? {
        switch state {
        case .exchanging(let plan), .parked(let plan), .waiting(let plan, _), .checkingName(let plan, _): plan.resume
        default: nil
        }
    }

    /// Where the body under way will end, counted from the resource's first byte; `nil` where nobody said.
    var announced: Int64? {
        guard case .receiving(_, let expected) = state else { return nil }
        return expected.map { resumedFrom + $0 }
    }

    /// Whether nothing is under way that would tell of its end.
    private var isAtRest: Bool {
        switch state {
        case .idle, .parked, .deciding, .waiting, .checkingName: true
        default: false
        }
    }

    // MARK: Calls

    mutating func resume() -> Step {
        guard state != .ended, suspensions > 0 else { return .none }
        suspensions -= 1
        guard suspensions == 0 else { return .none }
        switch state {
        case .idle: return start(first)
        case .parked(let plan): return start(plan)
        case .waiting(_, let wait): return .wait(wait)
        case .parking, .deciding, .checkingName: return .none
        default: return pathHold == nil ? .proceed : .none
        }
    }

    private mutating func start(_ plan: ExchangePlan) -> Step {
        isProbing = false
        state = .exchanging(plan)
        return .begin(plan)
    }

    /// Another request takes the place of one of which nothing has been sent.
    /// - Returns: the plan to begin with; `nil` where it is too late.
    mutating func requestReplaced(_ request: TransferRequest, url: TransferURL) -> ExchangePlan? {
        guard case .exchanging = state, !hasBeenCancelled, acceptedStatus == nil, redirects == 0 else { return nil }
        origin = url.origin
        ownCredential = request.options.credential ?? request.url.credential
        usesNetrc = request.options.usesNetrc
        hasPins = !(request.options.pins.isEmpty && request.options.certificatePins.isEmpty)
        (first.url, first.method, first.clientIdentity) = (url, request.method, request.options.clientIdentity)
        state = .exchanging(first)
        return first
    }

    mutating func suspend() -> Step {
        guard state != .ended else { return .none }
        suspensions += 1
        guard suspensions == 1 else { return .none }
        return isAtRest ? .none : .pause
    }

    /// The task has been suspended so long that its connection is better let go. Nothing happens where it could not come
    /// back to where it is.
    mutating func suspensionLasted() -> Step {
        guard isSuspended, !hasBeenCancelled else { return .none }
        switch state {
        case .exchanging(let plan) where !plan.sendsBody && plan.method.isIdempotent:
            state = .parking(plan, offset: plan.resume?.offset ?? 0, nil)
            return .cancel
        case .receiving(let plan, _) where canComeBack(plan):
            state = .parking(plan, offset: resumedFrom, nil)
            return .cancel
        default: return .none
        }
    }

    // MARK: The network

    /// The network that carried the task has gone, or may no longer be used by it.
    ///
    /// A task that does not wait goes on where the network has only gone, since a connection outlives short gaps, and fails
    /// where it may no longer be used.
    mutating func pathLost(_ wait: PathWait, _ context: DecisionContext) -> Step {
        guard !hasBeenCancelled, !isSuspended else { return .none }
        guard context.waitsForConnectivity else { return wait.canBeLifted ? fail(Self.forbidden(wait, first.url)) : .none }
        switch state {
        case .exchanging(let plan) where !plan.sendsBody:
            state = .parking(plan, offset: plan.resume?.offset ?? 0, wait)
            return .cancel
        // It may send nothing more over this network, not even what the other end has on its way.
        case .receiving(let plan, _) where wait.canBeLifted && canComeBack(plan):
            state = .parking(plan, offset: resumedFrom, wait)
            return .cancel
        case .exchanging, .receiving:
            // Closing a connection sends packets. Without a network they only make the kernel forget, for seconds, how the
            // next hop is reached: a download's, too, is kept until there is one.
            guard pathHold != wait else { return .none }
            pathHold = wait
            return .hold(wait)
        default: return .none
        }
    }

    /// The network may carry the task again.
    mutating func connectivityReturned() -> Step {
        if pathHold != nil {
            pathHold = nil
            return isSuspended || isAtRest ? .none : comingBackWhereItCan() ?? .proceed
        }
        guard !isSuspended, !hasBeenCancelled else { return .none }
        switch state {
        case .waiting(let plan, _): return start(plan)
        case .exchanging(let plan) where isProbing && (!plan.sendsBody || plan.method.isIdempotent):
            // A connection begun without a network fails seconds after there is one.
            isProbing = false
            state = .parking(plan, offset: plan.resume?.offset ?? 0, nil)
            return .cancel
        default: return .none
        }
    }

    /// The address that the connection has on this side is not the network's any more: nothing will come over it.
    mutating func connectionLost() -> Step {
        guard !isSuspended, !hasBeenCancelled, pathHold == nil else { return .none }
        if case .exchanging(let plan) = state, !plan.sendsBody {
            state = .parking(plan, offset: plan.resume?.offset ?? 0, nil)
            return .cancel
        }
        return comingBackWhereItCan() ?? .none
    }

    /// Bytes that were lost on the way come again after seconds, those of a new exchange at once.
    private mutating func comingBackWhereItCan() -> Step? {
        guard case .receiving(let plan, _) = state, canComeBack(plan) else { return nil }
        state = .parking(plan, offset: resumedFrom, nil)
        return .cancel
    }

    /// It has waited for a while, and nothing says that the network carries it: that may be wrong.
    mutating func probe() -> Step {
        guard case .waiting(let plan, _) = state, !isSuspended else { return .none }
        let step = start(plan)
        isProbing = true
        return step
    }

    /// The other end has sent something, or taken it.
    mutating func connectivityConfirmed() { isProbing = false }

    /// Another reason than before, while it waits.
    mutating func waitChanged(_ wait: PathWait) -> Bool {
        guard case .waiting(let plan, let previous) = state, previous != wait else { return false }
        state = .waiting(plan, wait)
        return true
    }

    /// What it waits for now.
    var wait: PathWait? {
        if case .waiting(_, let wait) = state { return wait }
        return pathHold
    }

    func canComeBack(_ plan: ExchangePlan) -> Bool {
        plan.method == .get && !plan.sendsBody && validator.ifRange != nil && (acceptedStatus == 200 || acceptedStatus == 206)
            && plan.answersFromCache != .stored
    }

    mutating func cancel() -> Step {
        guard state != .ended, !hasBeenCancelled else { return .none }
        hasBeenCancelled = true
        return isAtRest ? end(.cancelled) : .cancel
    }

    /// Ends the task from outside the exchange, with `error` as its end (the resource timer, a failing file).
    mutating func fail(_ error: TransferError) -> Step {
        guard state != .ended else { return .none }
        if isAtRest { return end(error) }
        if case .refusing = state { return .none }
        state = .refusing(error)
        return .cancel
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
