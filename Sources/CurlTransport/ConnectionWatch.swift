// SPDX-License-Identifier: MIT

import CCurl
import HTTPTypes
import SessionCore
import TransferModel

/// An exchange's view of its connection.
struct ConnectionWatch {
    /// Heads are the proxy's responses to CONNECT: from a new socket until the request begins.
    var isTunnelling = false
    private var proxyParser: HeadParser?
    private var proxyHead: HTTPResponse?

    /// The known chains of connections; `nil` if this exchange does not check them.
    var verified: VerifiedConnections?
    /// A new connection since the last request: its chain is fresh.
    var isNew = false
    /// The socket that has the exchange's service type.
    var markedSocket: (descriptor: Int32, key: ConnectionKey)?
    /// Why the request was blocked.
    var objection: ExchangeFailure?

    /// Whether the handshake is observed.
    var isTraced = false
    private(set) var hasSeenCertificateRequest = false

    /// A new CONNECT request begins.
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

    /// The proxy's response that rejected the tunnel.
    var refusal: HTTPResponse? {
        guard isTunnelling, let proxyHead, proxyHead.status.kind != .successful else { return nil }
        return proxyHead
    }

    /// - Parameter message: of TLS, received. Those of a handshake begin with their type and their length (RFC 8446,
    ///   section 4).
    mutating func takeMessage(_ message: UnsafeRawBufferPointer) {
        if message.count >= 4, message[0] == 13 { hasSeenCertificateRequest = true }
    }
}

extension RunningExchange {
    /// libcurl has opened a socket for this exchange, not connected yet.
    func socketOpened(_ socket: curl_socket_t) {
        connection.isNew = true
        if exchange.opensTunnel { connection.beginTunnel() }
        if exchange.serviceType != .default { ServiceMark.set(exchange.serviceType, on: socket) }
    }

    /// The connection is ready, with tunnel and TLS, and the request is about to be sent: false blocks it. Called for
    /// each request of the exchange, including libcurl's own.
    func connectionReady(_ key: ConnectionKey) -> Bool {
        connection.isTunnelling = false
        let isNew = connection.isNew
        connection.isNew = false
        if exchange.serviceType != .default, let socket = key.socket {
            connection.markedSocket = (socket, key)
            ServiceMark.set(exchange.serviceType, on: socket)
        }
        if let verified = connection.verified {
            if isNew { verified.note(handle.certificates, of: key) }
            connection.objection = TrustVerdict.objection(exchange, verified.chain(of: key))
        }
        if connection.objection == nil, exchange.reportsCertificateRequest, connection.hasSeenCertificateRequest {
            connection.objection = ExchangeFailure(.clientCertificateRequested)
        }
        return connection.objection == nil
    }

    /// The next exchange on the connection may have other settings.
    func restoreServiceMark() {
        guard let (socket, key) = connection.markedSocket, key.isConnection(socket) else { return }
        ServiceMark.set(.default, on: socket)
    }

    /// Servers do not always say why they reject a handshake. Nothing was sent, so one more attempt is safe: it shows
    /// whether the server requested a certificate.
    func shouldTraceHandshake(after code: CURLcode) -> Bool {
        code == CURLE_SSL_CONNECT_ERROR && exchange.clientIdentity == nil && !connection.isTraced
            && handle.errorMessage.contains("alert handshake failure")
    }

    /// The client certificate's part in a TLS failure; `nil` if it has none. Only libcurl's error text has the server's
    /// alerts (RFC 8446, section 6.2): 116 means a missing certificate, 42 a bad one, and 40, which older versions use,
    /// counts if one was requested.
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
