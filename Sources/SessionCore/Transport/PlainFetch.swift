// SPDX-License-Identifier: MIT

import HTTPTypes
import Synchronization
package import TransferModel

/// A transport that carries out small downloads and uploads without a task for each.
///
/// Its owner hands over requests ahead of time; the transport starts one whenever a slot is free. A fetch is plain as
/// long as its response is a 200, or of an upload another success after the whole body, of at most
/// ``PlainFetch/maximumBody`` bytes of known length whose head asks for no decision. Any other is handed over as a
/// ``FetchTicket``, whatever its stage: the exchange of a task continues it, and no request is sent twice.
package protocol PlainFetchTransport: Transport {
    /// Adds fetches behind those that wait.
    /// - Parameters:
    ///   - exchange: the request of all of them but for the address.
    ///   - receiver: one at a time for each transport.
    func fetch(_ fetches: [PlainFetch], like exchange: Exchange, for receiver: any PlainFetchReceiver)

    /// How many fetches may run at once. Each that is handed over takes its slot with it: there is one less from then
    /// on.
    /// - Parameter handedOver: how many the caller knew of, of all that were ever handed over, when it decided.
    func setFetchSlots(_ count: Int, handedOver: Int)

    /// Returns all that have not started (``FetchReport/returned(_:isPlain:)``).
    func recallFetches()

    /// Drops one, started or not; nothing is reported of it any more.
    func cancelFetch(_ key: Int)
}

/// Receives what becomes of fetches.
package protocol PlainFetchReceiver: AnyObject, Sendable {
    /// On the transport's executor; must not block. Those of one fetch come in the order of their cases, and close
    /// together in one call.
    func received(_ reports: [FetchReport])
}

/// One small download or upload.
package struct PlainFetch: Sendable {
    /// The largest body; a longer one is streamed.
    package static let maximumBody: Int64 = 65_536
    /// Seconds after which a fetch is handed over that has not ended: a task reports progress and minds the network.
    package static let patience = 1.0

    /// Its owner's name for it, unique among those that have not ended.
    package var key: Int
    /// ``TransferURL/string``.
    package var url: String
    /// `nil` for a download.
    package var upload: PlainUpload?

    package init(key: Int, url: String, upload: PlainUpload? = nil) {
        self.key = key
        self.url = url
        self.upload = upload
    }
}

package enum FetchReport: Sendable {
    /// The request is on its way.
    case started(Int)
    /// The whole response is here.
    case finished(Int, FetchedFile)
    /// The server has accepted an upload, after its whole body, and may have named where it is.
    case sent(Int, ExchangeMetrics, location: String?)
    /// The exchange of a task has to continue it (``Exchange/ticket``).
    case handedOver(Int, FetchTicket)
    /// It was not started and no longer waits. `isPlain` is false where its request or its file needs a task.
    case returned(Int, isPlain: Bool)
}

/// A whole response.
package final class FetchedFile: @unchecked Sendable {
    // Used by one thread at a time: by the transport until it is reported, then by the receiver.
    package let body: UnsafeMutableRawBufferPointer
    /// `Last-Modified`, seconds since 1970.
    package let modified: Int64?
    package let metrics: ExchangeMetrics

    /// - Parameter body: allocated; freed with this object.
    package init(body: UnsafeMutableRawBufferPointer, modified: Int64?, metrics: ExchangeMetrics) {
        (self.body, self.modified, self.metrics) = (body, modified, metrics)
    }

    deinit { body.deallocate() }
}

/// A request under way that waits for the exchange that continues it. Unless one does, it ends with the last reference.
package final class FetchTicket: Sendable {
    package let key: Int
    package let url: String
    private let isClaimed = Atomic(false)
    private let drop: @Sendable () -> Void

    /// - Parameter drop: called once, on any thread, unless the ticket is claimed.
    package init(key: Int, url: String, drop: @escaping @Sendable () -> Void) {
        (self.key, self.url, self.drop) = (key, url, drop)
    }

    /// The transport's: an exchange takes the request over.
    /// - Returns: false where one has done so already.
    package func claim() -> Bool { !isClaimed.exchange(true, ordering: .acquiringAndReleasing) }

    deinit { if !isClaimed.load(ordering: .acquiring) { drop() } }
}

/// Downloads to be fetched that differ in their addresses alone, or uploads that differ in their bodies, too.
package struct PlainFetchGroup: Sendable {
    /// That of any of them.
    package var request: TransferRequest
    package var fetches: [PlainFetch]

    package init(request: TransferRequest, fetches: [PlainFetch]) {
        self.request = request
        self.fetches = fetches
    }
}

/// Fetches without tasks.
extension TransferSession {
    /// Whether the transport can do it.
    package var hasPlainFetches: Bool { transport is any PlainFetchTransport }

    /// Hands fetches to the transport. Those of a group whose requests need a task are returned instead, in a report of
    /// their own.
    package func fetch(_ groups: [PlainFetchGroup], for receiver: any PlainFetchReceiver) {
        post { [self] _ in
            for group in groups {
                if let transport = transport as? any PlainFetchTransport, let exchange = plainExchange(group.request) {
                    transport.fetch(group.fetches, like: exchange, for: receiver)
                } else {
                    receiver.received(group.fetches.map { .returned($0.key, isPlain: false) })
                }
            }
        }
    }

    package func setFetchSlots(_ count: Int, handedOver: Int) {
        withFetches { $0.setFetchSlots(count, handedOver: handedOver) }
    }

    package func recallFetches() { withFetches { $0.recallFetches() } }
    package func cancelFetch(_ key: Int) { withFetches { $0.cancelFetch(key) } }

    /// Fetches reach the transport by way of the executor; a direct call would overtake them.
    private func withFetches(_ body: @escaping @Sendable (any PlainFetchTransport) -> Void) {
        post { [self] _ in if let transport = transport as? any PlainFetchTransport { body(transport) } }
    }

    /// Takes note of a server as a task does that it has answered.
    package func noteServer(_ url: TransferURL, _ metrics: ExchangeMetrics) {
        post { [self] _ in
            if let name = metrics.protocolName { noteProtocol(name, host: url.origin) }
            noteAddress(metrics.remoteAddress, of: url.host)
        }
    }

    /// The exchange, but for the body, of a request that needs no decision of a task: no login, cookie, proxy, pin or
    /// choice of network but by preference.
    /// - Returns: `nil` where it needs one.
    private func plainExchange(_ request: TransferRequest) -> Exchange? {
        let (url, options) = (request.url, request.options)
        var requirements = requirements(for: options, isUnrestricted: options.liftsRestrictions)
        requirements.hasPreferences = false
        guard request.method == .get || request.method == .put, url.credential == nil, options.credential == nil,
            options.cookieJar == nil,
            configuration.cookieStorage == nil, options.pins.isEmpty, options.certificatePins.isEmpty,
            options.clientIdentity == nil, options.rateLimit == nil, options.interface == nil,
            requirements == PathRequirements(),
            case .satisfied(let interface) = permission(
                for: url, options, isUnrestricted: options.liftsRestrictions),
            (options.multipath ?? configuration.multipathServiceType) == .none,
            configuration.networkServiceType == .default, options.httpVersion != .http3, !options.assumesHTTP3Capable,
            proxies.isDirect(for: url), configuration.transportSecurity?.secured(url) ?? url == url
        else { return nil }
        let timeouts = (
            options.connectTimeout ?? configuration.connectTimeout,
            options.requestTimeout ?? configuration.requestTimeout
        )
        // A slot has no timers of its own.
        let others = min(options.responseTimeout ?? .infinity, options.resourceTimeout ?? .infinity)
        guard min(timeouts.0, timeouts.1, others) > 2 * PlainFetch.patience else { return nil }
        let method = request.method
        var exchange = Exchange(url: url, method: method, connectTimeout: timeouts.0, requestTimeout: timeouts.1)
        let plan = TaskMachine.ExchangePlan(url: url, method: method, sendsBody: method == .put)
        exchange.fields = RequestFields.make(plan: plan, options: options, configuration: configuration)
        guard !exchange.fields.contains(.range) else { return nil }
        exchange.certificateAuthorities = options.certificateAuthorities
        exchange.httpVersion = options.httpVersion
        exchange.priority = options.priority
        exchange.interface = interface.map { "if!\($0)" }
        exchange.maximumConnectionAge = ageOfPath
        exchange.maximumNameAge = ageOfNames(url.host)
        if url.isSecure {
            guard exception(for: url) == nil, identity(for: url) == nil,
                configuration.alternativeServices?.alternative(for: url) == nil,
                !configuration.challengesTrustedServers || delegate == nil
            else { return nil }
            exchange.minimumTLS = configuration.minimumTLSVersion
            exchange.maximumTLS = configuration.maximumTLSVersion
        }
        return exchange
    }
}

extension Exchange {
    /// Whether two plain requests differ in their paths alone.
    package func isAlike(_ other: Exchange) -> Bool {
        url.host == other.url.host && url.port == other.url.port && url.isSecure == other.url.isSecure
            && method == other.method && fields == other.fields
            && (connectTimeout, requestTimeout) == (other.connectTimeout, other.requestTimeout)
            && certificateAuthorities == other.certificateAuthorities && httpVersion == other.httpVersion
            && (priority, interface) == (other.priority, other.interface)
            && (minimumTLS, maximumTLS) == (other.minimumTLS, other.maximumTLS)
            && maximumConnectionAge == other.maximumConnectionAge && maximumNameAge == other.maximumNameAge
    }
}

extension ProxyPolicy {
    /// Whether no proxy is used for `url`.
    func isDirect(for url: TransferURL) -> Bool {
        do throws(TransferError) { return try server(for: url) == nil } catch { return false }
    }
}

extension TransferMetrics {
    /// Of a whole response that needed no task.
    /// - Parameters:
    ///   - now: seconds since 1970.
    ///   - endpoint: the server's (``ExchangeMetrics/remoteEndpoint``).
    package init(_ file: FetchedFile, url: TransferURL, now: Double, endpoint: String?) {
        self.init(file.metrics, now: now, endpoint: endpoint)
        bodyReceived = Int64(file.body.count)
        transactions = [TransactionMetrics(file.metrics, received: bodyReceived, url: url, method: .get)]
    }

    /// Of an upload of `size` bytes that needed no task; the rest as above.
    package init(_ times: ExchangeMetrics, sent size: Int64, url: TransferURL, now: Double, endpoint: String?) {
        self.init(times, now: now, endpoint: endpoint)
        (bodySent, bodyReceived) = (size, times.responseBodyBytesReceived)
        transactions = [
            TransactionMetrics(times, handedOver: size, received: bodyReceived, url: url, method: .put)
        ]
    }

    private init(_ times: ExchangeMetrics, now: Double, endpoint: String?) {
        self.init()
        (nameLookup, connect, tls) = (times.nameLookup, times.connect, times.tls)
        (firstByte, total) = (times.firstByte, times.total)
        (protocolName, remoteAddress, isReusedConnection) = (times.protocolName, endpoint, times.isReusedConnection)
        (exchanges, taskStart, taskEnd) = (1, times.began, now)
    }
}
