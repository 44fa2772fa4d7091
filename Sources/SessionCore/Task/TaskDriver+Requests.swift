// SPDX-License-Identifier: MIT

import HTTPTypes
import Synchronization
import TransferModel

/// Making exchanges.
extension TaskDriver {
    /// An exchange, and what is known of it before it starts.
    struct MadeExchange {
        var exchange: Exchange
        var plan: TaskMachine.ExchangePlan
        var running = TaskMachine.Running()
        /// The file that is sent, which must stay open.
        var source: UploadSourceFile?
        var sendsPasswordInClear = false
    }

    /// The request of a plan in full, with what may go to its origin and nothing else.
    func makeExchange(_ draft: Draft, _ session: TransferSession) throws(TransferError) -> MadeExchange {
        let plan = draft.plan
        let options = request.options
        let configuration = session.configuration
        if !(options.pins.isEmpty && options.certificatePins.isEmpty), !plan.url.isSecure {
            throw TransferError(.pinMismatch, "\(plan.url.authority): a pin was given, and plain http has no key to compare it with")
        }
        var exchange = Exchange(url: plan.url, method: plan.method,
                                connectTimeout: options.connectTimeout ?? configuration.connectTimeout,
                                requestTimeout: options.requestTimeout ?? configuration.requestTimeout)
        exchange.fields = try fields(for: plan, session)
        exchange.decodesBody = !codings(for: plan, session).isEmpty
        exchange.authentication = plan.login.map { .init($0) } ?? draft.credential.map { .basic($0) } ?? .none
        exchange.certificateAuthorities = options.certificateAuthorities
        exchange.httpVersion = options.httpVersion
        exchange.needsFreshConnection = !plan.method.isIdempotent
        (exchange.rateLimit, exchange.priority) = (draft.rateLimit, draft.priority)
        try setConnection(&exchange, draft, session)
        if plan.url.isSecure { setTrust(&exchange, plan, session) }
        var source: UploadSourceFile?
        if plan.sendsBody { (exchange.body, exchange.digest, source) = try openBody(draft) }
        if case .upload = payload { exchange.endsWhenAnsweredEarly = configuration.endsUploadsAnsweredEarly }
        // Of an exchange with a body, the transport computes the digest of that.
        if let target, plan.resume == nil, !plan.sendsBody { exchange.digest = target.digest }
        var made = MadeExchange(exchange: exchange, plan: plan, source: source)
        (made.running.proxy, made.running.alternative) = (exchange.proxy, exchange.alternative)
        made.running.decodesBody = exchange.decodesBody
        if case .exception = exchange.trust { made.running.trustsByException = true }
        if case .basic = exchange.authentication { made.sendsPasswordInClear = !plan.url.isSecure }
        return made
    }

    func fields(for plan: TaskMachine.ExchangePlan, _ session: TransferSession) throws(TransferError) -> HTTPFields {
        RequestFields.make(plan: plan, options: request.options, configuration: session.configuration,
                           cookies: try cookieStorage(session), codings: codings(for: plan, session))
    }

    /// The content codings that the body of a data task may come in; none where its bytes are to stay as they are.
    private func codings(for plan: TaskMachine.ExchangePlan, _ session: TransferSession) -> [String] {
        guard case .data = payload, request.decodesBody ?? session.configuration.decodesBodies, plan.resume == nil,
            !request.options.headers.contains(where: { $0.name == .range }) else { return [] }
        return session.transport.supportedCodings
    }

    /// The file that the request names, else the session's own.
    func cookieStorage(_ session: TransferSession) throws(TransferError) -> CookieStorage? {
        guard let path = request.options.cookieJar else { return session.configuration.cookieStorage }
        guard let jars = session.configuration.cookieJars else {
            throw TransferError(.usage, "this session keeps no cookie files; leave the cookie jar out")
        }
        return try jars.storage(path)
    }

    private func setConnection(_ exchange: inout Exchange, _ draft: Draft, _ session: TransferSession)
        throws(TransferError) {
        let plan = draft.plan
        let configuration = session.configuration
        exchange.proxy = try session.proxies.server(for: plan.url)
        exchange.interface = draft.interface ?? request.options.interface ?? configuration.interface
        exchange.maximumConnectionAge = session.ageOfPath
        exchange.maximumNameAge = session.ageOfNames(exchange.proxy?.host ?? plan.url.host)
        exchange.usesMultipath = (request.options.multipath ?? configuration.multipathServiceType) != .none
        exchange.serviceType = configuration.networkServiceType
        if let login = plan.proxyLogin, let proxy = exchange.proxy,
            plan.loginProxy == .init(scheme: proxy.scheme.rawValue, host: proxy.host, port: proxy.port) {
            exchange.proxyAuthentication = .init(login)
        }
        if plan.url.isSecure, request.options.httpVersion == .automatic || request.options.httpVersion == .http3 {
            // A proxy is asked for the host itself.
            if !plan.avoidsAlternative, exchange.proxy == nil {
                exchange.alternative = configuration.alternativeServices?.alternative(for: plan.url)
            }
            exchange.assumesHTTP3Capable = request.options.assumesHTTP3Capable
        }
    }

    private func setTrust(_ exchange: inout Exchange, _ plan: TaskMachine.ExchangePlan, _ session: TransferSession) {
        exchange.minimumTLS = session.configuration.minimumTLSVersion
        exchange.maximumTLS = session.configuration.maximumTLSVersion
        exchange.pins = request.options.pins
        exchange.certificatePins = request.options.certificatePins
        exchange.clientIdentity = plan.clientIdentity ?? session.identity(for: plan.url)
        exchange.trust = plan.trust
        guard plan.trust == .system else { return }
        if let key = session.exception(for: plan.url) {
            exchange.trust = .exception(publicKeySHA256: key)
        } else if session.configuration.challengesTrustedServers, interests(session).hear(.serverTrust) {
            exchange.trust = .ask(approved: session.approvedLeaves(for: plan.url))
        }
    }

    private func openBody(_ draft: Draft) throws(TransferError)
        -> (Exchange.Body, Checksum.Algorithm?, UploadSourceFile?) {
        switch payload {
        case .data(let bytes): return (.bytes(bytes ?? []), nil, nil)
        case .download(let target): return (target.body.map { .bytes($0) } ?? .none, nil, nil)
        case .upload(.bytes(let bytes), let digest):
            guarded.withLock { $0.report.progress.expectedToSend = Int64(bytes.count) }
            return (.bytes(bytes), digest, nil)
        case .upload(.stream(let descriptor), let digest):
            guard !draft.upload.isUsedUp else {
                throw TransferError(.cannotReadSource, "\(request.url.authority): asked for the body again, and what was read from "
                    + "a stream cannot be read twice; send a file instead")
            }
            return (.stream(descriptor: draft.upload.newStream ?? descriptor), digest, nil)
        case .upload(.file(let path), let digest):
            let source = if let kept = draft.upload.source { kept } else { try UploadSourceFile(path: path) }
            return (.file(descriptor: source.descriptor, offset: 0, count: source.size), digest, source)
        }
    }
}

extension Exchange.Authentication {
    init(_ login: TaskMachine.Login) {
        self = switch (login.method, login.credential) {
        case (.basic, let credential?): .basic(credential)
        case (.digest, let credential?): .digest(credential)
        case (.ntlm, let credential?): .ntlm(credential)
        case (.negotiate, _): .negotiate
        case (.bearer, _): login.token.map { .bearer($0) } ?? .none
        default: .none
        }
    }
}
