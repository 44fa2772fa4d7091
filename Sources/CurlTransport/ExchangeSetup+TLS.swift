// SPDX-License-Identifier: MIT

import CCurl
import FoundationEssentials
import Glibc
import Platform
import SessionCore
import TransferModel

extension ExchangeSetup {
    /// Only for `https`. A rejected option ends the exchange, which would otherwise be unprotected.
    func setTLS(_ exchange: Exchange, _ handle: CurlHandle) throws(ExchangeFailure) {
        try setAuthorities(exchange, handle)
        try setDemand(exchange, handle)
        let pool = ownPool(exchange)
        if pool != 0 { try handle.demand(CURLOPT_SSL_OPTIONS, pool, "connections of its own") }
        if let identity = exchange.clientIdentity, exchange.trust != .capture { try setIdentity(identity, handle) }
        if exchange.minimumTLS != nil || exchange.maximumTLS != nil { try setVersions(exchange, handle) }
    }

    private func setAuthorities(_ exchange: Exchange, _ handle: CurlHandle) throws(ExchangeFailure) {
        if let file = exchange.certificateAuthorities ?? configuration.certificateFile {
            try handle.demand(CURLOPT_CAINFO, file, "the certificate file \(file)")
        }
        if exchange.certificateAuthorities == nil, let folder = configuration.certificateFolder {
            try handle.demand(CURLOPT_CAPATH, folder, "the certificate folder \(folder)")
        }
    }

    private func setDemand(_ exchange: Exchange, _ handle: CurlHandle) throws(ExchangeFailure) {
        switch exchange.trust {
        case .system:
            try setPins(exchange.pins, handle)
            guard !exchange.certificatePins.isEmpty else { return }
        case .ask: try setPins(exchange.pins, handle)
        case .capture:
            setUnverified(handle)
            handle.set(CURLOPT_FRESH_CONNECT, 1)
            handle.set(CURLOPT_FORBID_REUSE, 1)
        case .exception(let key):
            let pin = "sha256//" + Data(key).base64EncodedString()
            guard key.count == 32, exchange.pins.isEmpty || exchange.pins.contains(pin) else {
                throw ExchangeFailure(.misconfigured(.pinMismatch), problem: .init(.exceptionNotPinned))
            }
            setUnverified(handle)
            try setPins([pin], handle)
        }
        try handle.demand(CURLOPT_CERTINFO, 1, "reading certificates")
        // A resumed session has no chain.
        handle.set(CURLOPT_SSL_SESSIONID_CACHE, 0)
    }

    private func setPins(_ pins: [String], _ handle: CurlHandle) throws(ExchangeFailure) {
        guard !pins.isEmpty else { return }
        try handle.demand(CURLOPT_PINNEDPUBLICKEY, pins.joined(separator: ";"), "public key pins")
    }

    private func setUnverified(_ handle: CurlHandle) {
        handle.set(CURLOPT_SSL_VERIFYPEER, 0)
        handle.set(CURLOPT_SSL_VERIFYHOST, 0)
    }

    /// Options that separate connections: libcurl reuses one only for exchanges with the same TLS options
    /// (CVE-2022-27782, fixed in 7.83.1). Exchanges that check certificates get connections whose chains are known, and
    /// those that ask for HTTP/2 none that was made for HTTP/1.1. Both options concern revocation in Schannel, and have
    /// no effect on other TLS libraries.
    private func ownPool(_ exchange: Exchange) -> Int {
        let checks =
            switch exchange.trust {
            case .system: !exchange.certificatePins.isEmpty
            case .ask: true
            case .capture, .exception: false
            }
        return (checks ? Int(CURLSSLOPT_REVOKE_BEST_EFFORT) : 0)
            | (exchange.httpVersion == .http2 ? Int(CURLSSLOPT_NO_REVOKE) : 0)
    }

    private func setIdentity(_ identity: ClientIdentity, _ handle: CurlHandle) throws(ExchangeFailure) {
        if access(identity.certificate, R_OK) != 0 {
            let code = errno
            throw ExchangeFailure(
                .misconfigured(.clientCertificate),
                problem: .init(.clientCertificateUnreadable, TextLine.first(of: identity.certificate), code))
        }
        if let key = identity.key, access(key, R_OK) != 0 {
            let code = errno
            throw ExchangeFailure(
                .misconfigured(.clientCertificate),
                problem: .init(.clientKeyUnreadable, TextLine.first(of: key), code))
        }
        try handle.demand(CURLOPT_SSLCERT, identity.certificate, "the client certificate")
        try handle.demand(
            CURLOPT_SSLCERTTYPE, identity.format == .pem ? "PEM" : "P12", "the client certificate's format")
        if identity.format == .pem {
            try handle.demand(CURLOPT_SSLKEY, identity.key ?? identity.certificate, "the client certificate's key")
        }
        // Without one OpenSSL would prompt on the terminal.
        try handle.demand(CURLOPT_KEYPASSWD, identity.passphrase?.value ?? "", "the client certificate's passphrase")
    }

    private func setVersions(_ exchange: Exchange, _ handle: CurlHandle) throws(ExchangeFailure) {
        if let lowest = exchange.minimumTLS, let highest = exchange.maximumTLS, lowest > highest {
            throw ExchangeFailure(.misconfigured(.usage), problem: .init(.tlsLimits, lowest.rawValue, highest.rawValue))
        }
        let lowest = exchange.minimumTLS.map(Self.number) ?? Int(CURL_SSLVERSION_DEFAULT)
        let highest = exchange.maximumTLS.map(Self.number) ?? 0
        try handle.demand(CURLOPT_SSLVERSION, lowest | highest << 16, "limits of the TLS version")
    }

    /// libcurl's constant for a version, as a minimum; shifted, as a maximum.
    private static func number(_ version: TLSVersion) -> Int {
        switch version {
        case .tls10: Int(CURL_SSLVERSION_TLSv1_0)
        case .tls11: Int(CURL_SSLVERSION_TLSv1_1)
        case .tls12: Int(CURL_SSLVERSION_TLSv1_2)
        case .tls13: Int(CURL_SSLVERSION_TLSv1_3)
        }
    }

    /// Observes the handshake of `running`, before its attempt, or another one after that has failed.
    func traceHandshake(_ running: RunningExchange) {
        running.connection.isTraced = true
        running.handle.set(CURLOPT_VERBOSE, 1)
        running.handle.set(CURLOPT_DEBUGDATA, pointer: Unmanaged.passUnretained(running).toOpaque())
        ccurl_set_debug_function(running.handle.pointer) { _, type, bytes, size, context in
            guard type == CURLINFO_SSL_DATA_IN, size > 0, let bytes, let context else { return 0 }
            Unmanaged<RunningExchange>.fromOpaque(context).takeUnretainedValue().connection
                .takeMessage(UnsafeRawBufferPointer(start: bytes, count: size))
            return 0
        }
    }
}
