// SPDX-License-Identifier: MIT

import CCurl
import HTTPTypes
import SessionCore
import TransferModel

/// What an exchange keeps in mind of its connection.
struct ConnectionWatch {
    /// Heads that come now are the proxy's answers to CONNECT: from a new socket on until the request begins.
    var isTunnelling = false
    private var proxyParser: HeadParser?
    private var proxyHead: HTTPResponse?

    /// Where the chains of connections are kept; `nil` where this exchange does not look at them.
    var judged: JudgedConnections?
    /// A connection was made since the last request began: its chain is fresh.
    var isNew = false
    /// The socket that bears the exchange's service type.
    var markedSocket: (descriptor: Int32, key: ConnectionKey)?
    /// Why the request was kept from being sent.
    var objection: ExchangeFailure?

    /// The handshake is listened to.
    var isTraced = false
    private(set) var hasSeenCertificateRequest = false

    /// A proxy is asked anew.
    mutating func beginTunnel() {
        isTunnelling = true
        proxyHead = nil
    }

    /// - Returns: false for a head that is too large.
    mutating func takeProxyLine(_ line: UnsafeRawBufferPointer) -> Bool {
        var parser = proxyParser ?? HeadParser()
        defer { proxyParser = parser }
        switch parser.take(line) {
        case .final(let head): proxyHead = head
        case .tooLarge: return false
        case .none, .informational: break
        }
        return true
    }

    /// The answer by which the proxy refused the tunnel.
    var refusal: HTTPResponse? {
        guard isTunnelling, let proxyHead, proxyHead.status.kind != .successful else { return nil }
        return proxyHead
    }

    /// - Parameter type: of one message (RFC 8446, section 4).
    mutating func takeHandshake(_ type: UInt8) {
        if type == 13 { hasSeenCertificateRequest = true }
    }
}

extension RunningExchange {
    /// libcurl has opened a socket for this exchange, not yet connected.
    func socketOpened(_ socket: curl_socket_t) {
        connection.isNew = true
        if exchange.opensTunnel { connection.beginTunnel() }
        if exchange.serviceType != .default { ServiceMark.set(exchange.serviceType, on: socket) }
    }

    /// The connection stands, with its tunnel and TLS, and the request is about to be sent: false keeps it from being
    /// sent. Called for each request that libcurl sends on behalf of the exchange.
    func connectionReady(_ key: ConnectionKey) -> Bool {
        connection.isTunnelling = false
        let isNew = connection.isNew
        connection.isNew = false
        if exchange.serviceType != .default, let socket = key.socket {
            connection.markedSocket = (socket, key)
            ServiceMark.set(exchange.serviceType, on: socket)
        }
        guard let judged = connection.judged else { return true }
        if isNew { judged.note(handle.certificates, of: key) }
        connection.objection = TrustVerdict.objection(exchange, judged.chain(of: key))
        return connection.objection == nil
    }

    /// Whoever uses the connection next may want it otherwise.
    func takeServiceMarkBack() {
        guard let (socket, key) = connection.markedSocket, key.isConnection(socket) else { return }
        ServiceMark.set(.default, on: socket)
    }

    /// A server that refuses the handshake does not always say why. Nothing was sent, so it can be tried once more:
    /// whether it had asked for a certificate then tells.
    func shouldTraceHandshake(after code: CURLcode) -> Bool {
        code == CURLE_SSL_CONNECT_ERROR && exchange.clientIdentity == nil && !connection.isTraced
            && handle.errorMessage.contains("alert handshake failure")
    }

    /// What a failure of TLS says of the client's certificate; `nil`: nothing. There is no other way to learn of the
    /// server's alerts (RFC 8446, section 6.2) than by libcurl's words. Without a certificate 116 says it, 42 can mean
    /// nothing else, and 40, which older versions use, does so where one was asked for.
    func clientCertificateFailure(_ code: CURLcode, _ text: String) -> ExchangeFailure.Cause? {
        guard exchange.url.isSecure else { return nil }
        if code == CURLE_SSL_CLIENTCERT { return .clientCertificateRequired }
        guard [CURLE_SSL_CONNECT_ERROR, CURLE_RECV_ERROR, CURLE_SEND_ERROR].contains(code) else { return nil }
        let text = text.lowercased()
        guard exchange.clientIdentity == nil || exchange.trust == .capture else {
            let refusals = [
                "bad certificate", "unsupported certificate", "certificate revoked", "certificate expired",
                "certificate unknown", "unknown ca", "access denied",
            ]
            return refusals.contains { text.contains("alert " + $0) } ? .clientCertificateRefused : nil
        }
        if connection.hasSeenCertificateRequest, code == CURLE_SSL_CONNECT_ERROR { return .clientCertificateRequired }
        let demands = ["alert certificate required", "certificate is required", "alert bad certificate"]
        return demands.contains(where: text.contains) ? .clientCertificateRequired : nil
    }
}
