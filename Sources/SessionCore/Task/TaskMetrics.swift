// SPDX-License-Identifier: MIT

import HTTPTypes
import TransferModel

/// The metrics of exchanges as those of their task.
extension TransferMetrics {
    /// Adds one exchange; its times replace those of the previous one.
    mutating func add(_ outcome: ExchangeOutcome, url: TransferURL, method: HTTPRequest.Method, isStored: Bool = false)
    {
        let times = outcome.metrics
        nameLookup = times.nameLookup
        connect = times.connect
        tls = times.tls
        firstByte = times.firstByte
        total = times.total
        protocolName = times.protocolName ?? protocolName
        remoteAddress = times.remoteEndpoint ?? remoteAddress
        isReusedConnection = times.isReusedConnection
        bodyReceived += outcome.progress.received
        bodySent += outcome.bodyHandedOver
        var transaction = TransactionMetrics(outcome, url: url, method: method)
        if isStored { transaction.fetchType = .localCache }
        append(transaction)
    }
}

extension TransactionMetrics {
    /// One exchange, with wall-clock times.
    init(_ outcome: ExchangeOutcome, url: TransferURL, method: HTTPRequest.Method) {
        self.init(
            outcome.metrics, handedOver: outcome.bodyHandedOver, received: outcome.progress.received, url: url,
            method: method)
    }

    init(
        _ times: ExchangeMetrics, handedOver: Int64 = 0, received: Int64, url: TransferURL, method: HTTPRequest.Method
    ) {
        self.init(method: method.rawValue, url: url)
        status = times.status
        protocolName = times.protocolName
        isReusedConnection = times.isReusedConnection
        isProxyConnection = times.isProxyConnection
        isMultipath = times.isMultipath
        (remoteAddress, remotePort) = (times.remoteAddress, times.remotePort)
        (localAddress, localPort) = (times.localAddress, times.localPort)
        (tlsVersion, tlsCipher) = (times.tlsVersion, times.tlsCipher)
        requestHeaderBytes = times.requestHeaderBytes
        requestBodyBytesSent = times.requestBodyBytesSent
        requestBodyBytes = handedOver
        responseHeaderBytes = times.responseHeaderBytes
        responseBodyBytesReceived = times.responseBodyBytesReceived
        responseBodyBytes = received
        if let began = times.began { setTimes(times, began) }
    }

    /// A stage begins where the previous one ended: the transport reports ends alone.
    private mutating func setTimes(_ times: ExchangeMetrics, _ began: Double) {
        fetchStart = began
        if !times.isReusedConnection { setConnection(times, began) }
        guard let requestSent = times.requestSent else { return responseEnd = began + times.total }
        requestStart = began + requestSent
        requestEnd = began + max(requestSent, times.bodySent ?? requestSent)
        responseStart = times.firstByte.map { began + max(requestSent, $0) }
        responseEnd = began + times.total
    }

    private mutating func setConnection(_ times: ExchangeMetrics, _ began: Double) {
        guard let nameLookup = times.nameLookup else { return }
        (domainLookupStart, domainLookupEnd) = (began, began + nameLookup)
        guard let connect = times.connect else { return }
        connectStart = domainLookupEnd
        connectEnd = began + max(connect, times.tls ?? connect)
        guard times.tls != nil else { return }
        // QUIC's handshake is TLS's.
        secureConnectionStart = times.protocolName == "h3" ? connectStart : began + connect
        secureConnectionEnd = connectEnd
    }
}

extension ExchangeMetrics {
    /// `192.0.2.1:443`, `[2001:db8::1]:443`.
    package var remoteEndpoint: String? {
        guard let remoteAddress, let remotePort else { return nil }
        return remoteAddress.contains(":") ? "[\(remoteAddress)]:\(remotePort)" : "\(remoteAddress):\(remotePort)"
    }
}
