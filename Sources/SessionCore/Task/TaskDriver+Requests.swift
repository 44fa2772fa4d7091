// SPDX-License-Identifier: MIT

import HTTPTypes
import Synchronization
import TransferModel

/// Making exchanges.
extension TaskDriver {
    /// The request of `plan` in full, with what may go to its origin and nothing else.
    func makeExchange(_ plan: TaskStateMachine.ExchangePlan, _ session: TransferSession) throws(TransferError) -> Exchange {
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
        exchange.authentication = authentication(for: plan)
        if case .basic = exchange.authentication, !plan.url.isSecure { guarded.withLock { $0.hasSentPasswordInClear = true } }
        exchange.certificateAuthorities = options.certificateAuthorities
        exchange.httpVersion = options.httpVersion
        exchange.needsFreshConnection = !plan.method.isIdempotent
        (exchange.rateLimit, exchange.priority) = guarded.withLock { ($0.rateLimit, $0.priority) }
        try setConnection(&exchange, plan, session)
        if plan.url.isSecure { setTrust(&exchange, plan, session) }
        if plan.sendsBody { (exchange.body, exchange.digest) = try openBody() }
        if case .upload = payload { exchange.endsWhenAnsweredEarly = configuration.endsUploadsAnsweredEarly }
        // Of an exchange with a body, the transport computes the digest of that.
        if let target, plan.resume == nil, !plan.sendsBody { exchange.digest = target.digest }
        return exchange
    }

    func fields(for plan: TaskStateMachine.ExchangePlan, _ session: TransferSession) throws(TransferError) -> HTTPFields {
        RequestFields.make(plan: plan, options: request.options, configuration: session.configuration,
                           cookies: try cookieStorage(session), codings: codings(for: plan, session))
    }

    /// The content codings that the body of a data task may come in; none where its bytes are to stay as they are.
    private func codings(for plan: TaskStateMachine.ExchangePlan, _ session: TransferSession) -> [String] {
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

    private func setConnection(_ exchange: inout Exchange, _ plan: TaskStateMachine.ExchangePlan, _ session: TransferSession)
        throws(TransferError) {
        let configuration = session.configuration
        exchange.proxy = try session.proxies.server(for: plan.url)
        exchange.interface = request.options.interface ?? configuration.interface
        if case .satisfied(let name?) = permission(for: plan.url, session) { exchange.interface = "if!\(name)" }
        exchange.maximumConnectionAge = session.ageOfPath
        exchange.maximumNameAge = session.ageOfNames(connectionHost(session))
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
        let (proxy, alternative) = (exchange.proxy, exchange.alternative)
        guarded.withLock { ($0.proxy, $0.alternative) = (proxy, alternative) }
    }

    private func setTrust(_ exchange: inout Exchange, _ plan: TaskStateMachine.ExchangePlan, _ session: TransferSession) {
        exchange.minimumTLS = session.configuration.minimumTLSVersion
        exchange.maximumTLS = session.configuration.maximumTLSVersion
        exchange.pins = request.options.pins
        exchange.certificatePins = request.options.certificatePins
        exchange.clientIdentity = plan.clientIdentity ?? session.identity(for: plan.url)
        exchange.trust = plan.trust
        defer {
            let isException = if case .exception = exchange.trust { true } else { false }
            guarded.withLock { $0.trustsByException = isException }
        }
        guard plan.trust == .system else { return }
        if let key = session.exception(for: plan.url) {
            exchange.trust = .exception(publicKeySHA256: key)
        } else if session.configuration.challengesTrustedServers, interests(session).hear(.serverTrust) {
            exchange.trust = .ask(approved: session.approvedLeaves(for: plan.url))
        }
    }

    private func authentication(for plan: TaskStateMachine.ExchangePlan) -> Exchange.Authentication {
        if let login = plan.login { return .init(login) }
        let own = guarded.withLock { $0.machine.sendsLoginUnasked(plan) ? $0.machine.ownCredential : nil }
        return own.map { .basic($0) } ?? .none
    }

    private func openBody() throws(TransferError) -> (Exchange.Body, Checksum.Algorithm?) {
        switch payload {
        case .data(let bytes): return (.bytes(bytes ?? []), nil)
        case .download(let target): return (target.body.map { .bytes($0) } ?? .none, nil)
        case .upload(.bytes(let bytes), let digest):
            guarded.withLock { $0.progress.expectedToSend = Int64(bytes.count) }
            return (.bytes(bytes), digest)
        case .upload(.stream(let descriptor), let digest):
            let (isUsedUp, replacement) = guarded.withLock { ($0.hasReadStream && $0.newStream == nil, $0.newStream) }
            guard !isUsedUp else {
                throw TransferError(.cannotReadSource, "\(request.url.authority): asked for the body again, and what was read from "
                    + "a stream cannot be read twice; send a file instead")
            }
            return (.stream(descriptor: replacement ?? descriptor), digest)
        case .upload(.file(let path), let digest):
            let kept = guarded.withLock { $0.source }
            let source = if let kept { kept } else { try UploadSourceFile(path: path) }
            guarded.withLock { guarded in
                guarded.source = source
                guarded.progress.expectedToSend = source.size
            }
            return (.file(descriptor: source.descriptor, offset: 0, count: source.size), digest)
        }
    }
}

extension Exchange.Authentication {
    init(_ login: TaskStateMachine.Login) {
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
