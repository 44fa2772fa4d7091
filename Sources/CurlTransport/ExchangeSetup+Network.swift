// SPDX-License-Identifier: MIT

import CCurl
import Glibc
import SessionCore
import TransferModel

extension ExchangeSetup {
    func setNetwork(_ exchange: Exchange, _ handle: CurlHandle) throws(ExchangeFailure) {
        if let interface = exchange.interface {
            try handle.demand(CURLOPT_INTERFACE, try Self.beginning(interface), "the interface \(interface)")
        }
        if exchange.usesMultipath {
            ccurl_set_opensocket_function(handle.pointer) { _, purpose, address in
                guard let address else { return CURL_SOCKET_BAD }
                return Self.openSocket(purpose, address)
            }
        }
    }

    /// With libcurl's prefix, so that it is never resolved as a name, which would block the thread.
    private static func beginning(_ text: String) throws(ExchangeFailure) -> String {
        if text.hasPrefix("if!"), text.utf8.count > 3 { return text }
        let address = text.hasPrefix("host!") ? String(text.dropFirst(5)) : text
        var bytes = [UInt8](repeating: 0, count: 16)
        if inet_pton(AF_INET, address, &bytes) == 1 || inet_pton(AF_INET6, address, &bytes) == 1 {
            return "host!" + address
        }
        guard !text.isEmpty, !text.contains("!") else {
            throw ExchangeFailure(.misconfigured(.usage), problem: .init(.noInterface, TextLine.first(of: text)))
        }
        return "if!" + text
    }

    private static func openSocket(
        _ purpose: curlsocktype, _ address: UnsafeMutablePointer<curl_sockaddr>
    ) -> curl_socket_t {
        let requested = address.pointee
        if purpose == CURLSOCKTYPE_IPCXN, requested.socktype & 0xf == Int32(SOCK_STREAM.rawValue),
            [AF_INET, AF_INET6].contains(requested.family)
        {
            let multipath = socket(requested.family, requested.socktype | Int32(SOCK_CLOEXEC.rawValue), ipprotoMPTCP)
            if multipath >= 0 { return multipath }
            // Kernels without it, or with it disabled.
            guard [EPROTONOSUPPORT, EINVAL, ENOPROTOOPT, EPERM].contains(errno) else { return CURL_SOCKET_BAD }
        }
        return socket(requested.family, requested.socktype | Int32(SOCK_CLOEXEC.rawValue), requested.protocol)
    }

    /// `IPPROTO_MPTCP`, missing in older headers.
    private static let ipprotoMPTCP: Int32 = 262

    /// Reports its connections to `running`, if needed.
    func watchConnection(_ running: RunningExchange) {
        let exchange = running.exchange
        running.connection.isTunnelling = exchange.opensTunnel
        let verifies = exchange.url.isSecure && (exchange.trust != .system || !exchange.certificatePins.isEmpty)
        if verifies { running.connection.verified = verifiedConnections }
        let watches = exchange.url.isSecure && exchange.reportsCertificateRequest
        if watches { traceHandshake(running) }
        guard verifies || watches || exchange.opensTunnel || exchange.serviceType != .default else { return }
        let context = Unmanaged.passUnretained(running).toOpaque()
        running.handle.set(CURLOPT_SOCKOPTDATA, pointer: context)
        running.handle.set(CURLOPT_PREREQDATA, pointer: context)
        ccurl_set_sockopt_function(running.handle.pointer) { context, socket, _ in
            guard let context else { return CURL_SOCKOPT_ERROR }
            Unmanaged<RunningExchange>.fromOpaque(context).takeUnretainedValue().socketOpened(socket)
            return CURL_SOCKOPT_OK
        }
        ccurl_set_prereq_function(running.handle.pointer) { context, remote, local, remotePort, localPort in
            guard let context, let remote, let local else { return CURL_PREREQFUNC_ABORT }
            let key = ConnectionKey(
                remote: String(cString: remote), remotePort: Int(remotePort),
                local: String(cString: local), localPort: Int(localPort))
            let mayProceed = Unmanaged<RunningExchange>.fromOpaque(context).takeUnretainedValue().connectionReady(key)
            return mayProceed ? CURL_PREREQFUNC_OK : CURL_PREREQFUNC_ABORT
        }
    }
}

/// The socket mark, for routing rules.
enum ServiceMark {
    /// A socket of the other family rejects one of the two.
    static func set(_ type: NetworkServiceType, on socket: curl_socket_t) {
        // The two lowest bits of the byte are not part of it (RFC 3168).
        var value = Int32(type.codePoint) << 2
        let size = socklen_t(MemoryLayout<Int32>.size)
        setsockopt(socket, Int32(IPPROTO_IP), IP_TOS, &value, size)
        setsockopt(socket, Int32(IPPROTO_IPV6), IPV6_TCLASS, &value, size)
    }
}
