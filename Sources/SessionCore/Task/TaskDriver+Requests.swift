// SPDX-License-Identifier: MIT

import HTTPTypes
import Synchronization
import TransferModel

/// Making exchanges.
extension TaskDriver {
    /// An exchange, and what is known of it before it starts.
    struct MadeExchange {
        var exchange: Exchange
        var running = TaskMachine.Running()
        /// The file that is sent, which must stay open.
        var source: UploadSourceFile?
        var sendsPasswordInClear = false
    }

    /// The request of a plan in full, with what may go to its origin and nothing else.
    func makeExchange(_ draft: Draft, _ session: TransferSession) throws(TransferError) -> MadeExchange {
        let (plan, options) = (draft.plan, draft.request.options)
        if !(options.pins.isEmpty && options.certificatePins.isEmpty), !plan.url.isSecure {
            throw TransferError(.pinMismatch, .pinWithoutTLS, host: plan.url.authority)
        }
        var made = MadeExchange(
            exchange: Exchange(
                url: plan.url, method: plan.method,
                connectTimeout: options.connectTimeout ?? session.configuration.connectTimeout,
                requestTimeout: options.requestTimeout ?? session.configuration.requestTimeout))
        made.exchange.responseTimeout =
            options.responseTimeout ?? (options.requestTimeout == nil ? session.configuration.responseTimeout : nil)
        let codings = codings(for: plan, draft.request, session)
        made.exchange.fields = RequestFields.make(
            plan: plan, options: options, configuration: session.configuration,
            cookies: try cookieStorage(options, session),
            codings: codings)
        made.exchange.decodesBody = !codings.isEmpty
        made.exchange.authentication = plan.login.map { .init($0) } ?? draft.credential.map { .basic($0) } ?? .none
        if case .basic = made.exchange.authentication { made.sendsPasswordInClear = !plan.url.isSecure }
        made.exchange.certificateAuthorities = options.certificateAuthorities
        made.exchange.httpVersion = options.httpVersion
        made.exchange.closesConnection = draft.request.closesConnection || plan.leg?.purpose == .discovery
        (made.exchange.rateLimit, made.exchange.priority) = (draft.rateLimit, draft.priority)
        try setConnection(&made, draft, session)
        setReuse(&made.exchange, draft)
        if plan.url.isSecure { setTrust(&made, draft, session) }
        if plan.sendsBody { (made.exchange.body, made.exchange.digest, made.source) = try openBody(draft) }
        made.exchange.lane = target?.lane ?? made.source?.lane
        made.exchange.placement = target?.placement
        if case .opened(_, _, _, _, let gate) = payload { made.exchange.gate = gate }
        if machine.role == .upload {
            made.exchange.endsWhenAnsweredEarly = session.configuration.endsUploadsOnEarlyResponse
        }
        // Of an exchange with a body, the transport computes the digest of that.
        if let target, plan.resume == nil, !plan.sendsBody { made.exchange.digest = target.digest }
        made.running.decodesBody = made.exchange.decodesBody
        if let ticket, metrics.exchanges == 0, plan.resume == nil, !plan.isConditional,
            plan.url.string == ticket.url
        {
            made.exchange.ticket = ticket
        }
        return made
    }

    func fields(for plan: TaskMachine.ExchangePlan, _ session: TransferSession) throws(TransferError) -> HTTPFields {
        let request = request
        return RequestFields.make(
            plan: plan, options: request.options, configuration: session.configuration,
            cookies: try cookieStorage(request.options, session), codings: codings(for: plan, request, session))
    }

    /// The content codings accepted for the body of a data task; none if its bytes must not change.
    private func codings(
        for plan: TaskMachine.ExchangePlan, _ request: TransferRequest, _ session: TransferSession
    ) -> [String] {
        guard case .data = payload, plan.resume == nil, request.decodesBody ?? session.configuration.decodesBodies,
            !request.options.headers.contains(where: { $0.name == .range })
        else { return [] }
        return session.transport.supportedCodings
    }

    /// The file that the request names, else the session's own, else the task's.
    func cookieStorage(_ options: TransferOptions, _ session: TransferSession) throws(TransferError) -> CookieStorage? {
        guard let path = options.cookieJar else { return session.configuration.cookieStorage ?? ownCookies }
        guard let jars = session.configuration.cookieJars else {
            throw TransferError(.sessionNoCookieFiles)
        }
        return try jars.storage(path)
    }

    private func setConnection(
        _ made: inout MadeExchange, _ draft: Draft, _ session: TransferSession
    )
        throws(TransferError)
    {
        let (plan, options) = (draft.plan, draft.request.options)
        let proxy = try session.proxies.server(for: plan.url)
        made.running.proxy = proxy
        made.running.host = proxy?.host ?? plan.url.host
        made.exchange.proxy = proxy
        made.exchange.interface = draft.interface ?? options.interface ?? session.configuration.interface
        made.exchange.maximumConnectionAge = session.ageOfPath
        made.exchange.maximumNameAge = session.ageOfNames(made.running.host)
        made.exchange.usesMultipath = (options.multipath ?? session.configuration.multipathServiceType) != .none
        made.exchange.serviceType = session.configuration.networkServiceType
        if let login = plan.proxyLogin, let proxy,
            plan.loginProxy == .init(scheme: proxy.scheme.rawValue, host: proxy.host, port: proxy.port)
        {
            made.exchange.proxyAuthentication = .init(login)
        }
        if plan.url.isSecure, options.httpVersion == .automatic || options.httpVersion == .http3 {
            // A proxy gets the host itself.
            if !plan.avoidsAlternative, proxy == nil {
                made.exchange.alternative = session.configuration.alternativeServices?.alternative(for: plan.url)
                made.running.alternative = made.exchange.alternative
            }
            made.exchange.assumesHTTP3Capable = options.assumesHTTP3Capable
        }
    }

    /// An append to a resumable upload is followed by a query if its connection turns out dead.
    private func setReuse(_ exchange: inout Exchange, _ draft: Draft) {
        guard !draft.plan.method.isIdempotent else {
            exchange.needsFreshConnection = draft.plan.needsNewConnection
            return
        }
        // A login in several requests sends the body more than once.
        let reuses =
            (draft.request.reusesConnection || draft.plan.leg?.purpose == .append)
            && !exchange.authentication.hasSteps && !exchange.proxyAuthentication.hasSteps
        (exchange.needsFreshConnection, exchange.sendsBodyOnce) = (!reuses, reuses)
    }

    private func setTrust(_ made: inout MadeExchange, _ draft: Draft, _ session: TransferSession) {
        let (plan, options) = (draft.plan, draft.request.options)
        made.exchange.minimumTLS = session.configuration.minimumTLSVersion
        made.exchange.maximumTLS = session.configuration.maximumTLSVersion
        made.exchange.pins = options.pins
        made.exchange.certificatePins = options.certificatePins
        made.exchange.clientIdentity = plan.clientIdentity ?? session.identity(for: plan.url)
        made.exchange.reportsCertificateRequest =
            made.exchange.clientIdentity == nil && !plan.declinesIdentity
            && interests(session).include(.clientCertificate)
        made.exchange.trust = plan.trust
        if plan.trust == .system {
            if let key = session.exception(for: plan.url) {
                made.exchange.trust = .exception(publicKeySHA256: key)
            } else if session.configuration.challengesTrustedServers, interests(session).include(.serverTrust) {
                made.exchange.trust = .ask(approved: session.approvedLeaves(for: plan.url))
            }
        }
        if case .exception = made.exchange.trust { made.running.trustsByException = true }
    }

    private func openBody(
        _ draft: Draft
    ) throws(TransferError)
        -> (Exchange.Body, Checksum.Algorithm?, UploadSourceFile?)
    {
        switch payload {
        case .data(let bytes): return (.bytes(bytes ?? []), nil, nil)
        case .download(let target): return (target.body.map { .bytes($0) } ?? .none, nil, nil)
        case .upload(.bytes(let bytes), let digest) where draft.plan.leg != nil:
            let range = draft.plan.leg?.body ?? 0..<0
            let whole = range.count == bytes.count
            return (.bytes(Array(bytes[Int(range.lowerBound)..<Int(range.upperBound)])), whole ? digest : nil, nil)
        case .upload(.bytes(let bytes), let digest):
            face.withLock { $0.progress.expectedToSend = Int64(bytes.count) }
            return (.bytes(bytes), digest, nil)
        case .upload(.stream(let descriptor), let digest):
            guard !draft.upload.isUsedUp else {
                throw TransferError(
                    .cannotReadSource, .streamUsedUp, host: request.url.authority,
                    fields: .init(variant: .streamUsedUp))
            }
            return (.stream(descriptor: draft.upload.newStream ?? descriptor), digest, nil)
        case .upload(.file(let path), let digest):
            let source = if let kept = draft.upload.source { kept } else { try UploadSourceFile(path: path) }
            return Self.body(source, draft.plan.leg, digest)
        case .continued(let data):
            let source = if let kept = draft.upload.source { kept } else { try UploadSourceFile(path: data.filePath) }
            return Self.body(source, draft.plan.leg, nil)
        case .opened(let source, let range, let digest, _, _):
            let body = Exchange.Body.file(
                descriptor: source.descriptor, offset: range.lowerBound, count: Int64(range.count))
            return (body, digest, source)
        }
    }
}

extension TaskDriver {
    /// The bytes of a file that an exchange sends.
    private static func body(
        _ source: UploadSourceFile, _ leg: UploadExchange?, _ digest: Checksum.Algorithm?
    ) -> (Exchange.Body, Checksum.Algorithm?, UploadSourceFile?) {
        let range = leg.map { $0.body ?? 0..<0 } ?? 0..<source.size
        guard !range.isEmpty || source.size == 0 else { return (.bytes([]), nil, source) }
        let body = Exchange.Body.file(
            descriptor: source.descriptor, offset: range.lowerBound, count: Int64(range.count))
        return (body, range.count == source.size ? digest : nil, source)
    }
}

extension Exchange.Authentication {
    /// Whether the transport may send several requests for one.
    package var hasSteps: Bool {
        switch self {
        case .none, .basic, .bearer: false
        case .digest, .ntlm, .negotiate: true
        }
    }

    init(_ login: TaskMachine.Login) {
        self =
            switch (login.method, login.credential) {
            case (.basic, let credential?): .basic(credential)
            case (.digest, let credential?): .digest(credential)
            case (.ntlm, let credential?): .ntlm(credential)
            case (.negotiate, _): .negotiate
            case (.bearer, _): login.token.map { .bearer($0) } ?? .none
            default: .none
            }
    }
}
