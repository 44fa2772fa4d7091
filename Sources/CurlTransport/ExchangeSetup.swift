// SPDX-License-Identifier: MIT

import CCurl
import Glibc
import HTTPTypes
import SessionCore
import TransferModel

/// Translates an ``SessionCore/Exchange`` into options of a libcurl handle. Used on the engine's thread only.
struct ExchangeSetup {
    let configuration: CurlTransport.Configuration
    let verifiedConnections = VerifiedConnections()
    private let continueSupport = ContinueSupport()
    private let versions = HTTPVersionPolicy.loaded

    init(configuration: CurlTransport.Configuration) { self.configuration = configuration }

    /// - Throws: cause `misconfigured` if the exchange needs an unsupported option; the handle must then not be used.
    func prepare(_ running: RunningExchange) throws(ExchangeFailure) {
        try prepare(running.handle, for: running.exchange, bodySize: running.bodySize)
        setCallbacks(running)
        watchConnection(running)
        if leavesExpect(to: running.exchange, size: running.bodySize) { running.awaitedContinue = continueSupport }
        try running.handle.checkOptions()
    }

    /// All but the callbacks, and the body of a `PUT`, which the handle is given as a whole.
    func preparePlain(_ handle: CurlHandle, for exchange: Exchange) throws(ExchangeFailure) {
        try prepare(handle, for: exchange, bodySize: exchange.method == .put ? 0 : nil)
        if exchange.method == .put {
            handle.set(CURLOPT_UPLOAD, 0)
            handle.setBody(UnsafeRawBufferPointer(Self.noBytes))
        }
        try handle.checkOptions()
    }

    // Never freed.
    nonisolated(unsafe) private static let noBytes = UnsafeMutableRawBufferPointer.allocate(byteCount: 0, alignment: 1)

    /// All but the callbacks.
    private func prepare(_ handle: CurlHandle, for exchange: Exchange, bodySize: Int64?) throws(ExchangeFailure) {
        handle.reset()
        handle.set(CURLOPT_URL, exchange.url.string)
        handle.set(CURLOPT_PROTOCOLS_STR, "http,https")
        handle.set(CURLOPT_NOSIGNAL, 1)
        handle.set(CURLOPT_NOPROGRESS, 1)
        handle.set(CURLOPT_PATH_AS_IS, 1)
        setVersion(exchange, handle)
        setConnection(exchange, handle)
        handle.set(CURLOPT_BUFFERSIZE, 524_288)
        if let age = exchange.maximumConnectionAge { handle.set(CURLOPT_MAXLIFETIME_CONN, age) }
        if let age = exchange.maximumNameAge { handle.set(CURLOPT_DNS_CACHE_TIMEOUT, min(age, 60)) }
        if exchange.needsFreshConnection { handle.set(CURLOPT_FRESH_CONNECT, 1) }
        if exchange.closesConnection { handle.set(CURLOPT_FORBID_REUSE, 1) }
        setMethod(exchange, handle, size: bodySize)
        setFields(exchange, handle, size: bodySize)
        // All encodings of libcurl; the exchange sets the field itself.
        if exchange.decodesBody { handle.set(CURLOPT_ACCEPT_ENCODING, "") }
        try setAuthentication(exchange, handle)
        try setProxy(exchange, handle)
        if exchange.url.isSecure { try setTLS(exchange, handle) }
        try setNetwork(exchange, handle)
    }

    func setConnection(_ exchange: Exchange, _ handle: CurlHandle) {
        handle.set(
            CURLOPT_CONNECTTIMEOUT_MS, max(1, Int((min(exchange.connectTimeout, 2_000_000) * 1000).rounded(.up))))
        handle.set(CURLOPT_TCP_KEEPALIVE, 1)
        // A hanging resolver is abandoned instead of joined on this thread.
        handle.set(CURLOPT_QUICK_EXIT, 1)
    }

    private func setVersion(_ exchange: Exchange, _ handle: CurlHandle) {
        let isSecure = exchange.url.isSecure
        let assumesHTTP3 = exchange.assumesHTTP3Capable || exchange.alternative != nil
        let option = versions.option(for: exchange.httpVersion, isSecure: isSecure, assumesHTTP3: assumesHTTP3)
        handle.set(CURLOPT_HTTP_VERSION, option)
        if HTTPVersionPolicy.multiplexes(option, isSecure: isSecure) {
            // Prefers waiting for a connection that can be shared.
            handle.set(CURLOPT_PIPEWAIT, 1)
            if let priority = exchange.priority {
                handle.set(CURLOPT_STREAM_WEIGHT, HTTPVersionPolicy.streamWeight(priority))
            }
        }
        if isSecure, let alternative = exchange.alternative {
            handle.setRoute(host: alternative.host, port: alternative.port)
        }
    }

    private func setMethod(_ exchange: Exchange, _ handle: CurlHandle, size: Int64?) {
        if exchange.body == .none, exchange.method != .post, exchange.method != .put, exchange.method != .patch {
            if exchange.method == .head { handle.set(CURLOPT_NOBODY, 1) } else { handle.set(CURLOPT_HTTPGET, 1) }
        } else {
            handle.set(CURLOPT_UPLOAD, 1)
            handle.setOffset(CURLOPT_INFILESIZE_LARGE, size ?? -1)
            handle.set(CURLOPT_UPLOAD_BUFFERSIZE, 524_288)
        }
        if exchange.method != .get, exchange.method != .head {
            handle.set(CURLOPT_CUSTOMREQUEST, exchange.method.rawValue)
        }
    }

    /// Bodies up to this size are sent without `Expect`: libcurl would send it for every PUT, which costs a second with
    /// servers that do not support it.
    private static let expectThreshold: Int64 = 1 << 20

    /// Whether libcurl may send `Expect`.
    private func leavesExpect(to exchange: Exchange, size: Int64?) -> Bool {
        guard exchange.body != .none, exchange.fields[.expect] == nil, size.map({ $0 > Self.expectThreshold }) ?? true
        else { return false }
        return !continueSupport.isLacking(at: exchange.url.origin)
    }

    private func setFields(_ exchange: Exchange, _ handle: CurlHandle, size: Int64?) {
        var lines: [String] = []
        let sendsBody = size != nil || exchange.body != .none
        if exchange.fields[.expect] == nil, sendsBody, !leavesExpect(to: exchange, size: size) {
            lines.append("Expect:")
        }
        var cookies: [String] = []
        for field in exchange.fields {
            if field.name == .cookie {
                cookies.append(field.value)
            } else if field.value.isEmpty {
                lines.append(field.name == .expect ? "Expect:" : "\(field.name.rawName);")
            } else {
                lines.append("\(field.name.rawName): \(field.value)")
            }
        }
        handle.setHeaders(lines)
        // As an option, not a field, so that the jar's cookies go into the same field.
        if !cookies.isEmpty { handle.set(CURLOPT_COOKIE, cookies.joined(separator: "; ")) }
    }

    /// - Parameter asksForBody: false where libcurl has the body already.
    func setCallbacks(_ running: RunningExchange, asksForBody: Bool = true) {
        let handle = running.handle
        // The engine retains the exchange as long as the handle is in use.
        let context = Unmanaged.passUnretained(running).toOpaque()
        handle.set(CURLOPT_PRIVATE, pointer: Unmanaged<HandleOwner>.passUnretained(running).toOpaque())
        handle.set(CURLOPT_WRITEDATA, pointer: context)
        handle.set(CURLOPT_HEADERDATA, pointer: context)
        ccurl_set_data_function(handle.pointer, CURLOPT_WRITEFUNCTION) { bytes, size, count, context in
            guard let bytes, let context else { return 0 }
            return Unmanaged<RunningExchange>.fromOpaque(context).takeUnretainedValue()
                .bodyArrived(UnsafeRawBufferPointer(start: bytes, count: size * count))
        }
        ccurl_set_data_function(handle.pointer, CURLOPT_HEADERFUNCTION) { bytes, size, count, context in
            guard let bytes, let context else { return 0 }
            let isWelcome = Unmanaged<RunningExchange>.fromOpaque(context).takeUnretainedValue()
                .headerArrived(UnsafeRawBufferPointer(start: bytes, count: size * count))
            return isWelcome ? size * count : 0
        }
        guard asksForBody else { return }
        handle.set(CURLOPT_READDATA, pointer: context)
        handle.set(CURLOPT_SEEKDATA, pointer: context)
        ccurl_set_data_function(handle.pointer, CURLOPT_READFUNCTION) { room, size, count, context in
            guard let room, let context else { return ccurl_read_abort }
            return Unmanaged<RunningExchange>.fromOpaque(context).takeUnretainedValue()
                .bodyWanted(UnsafeMutableRawBufferPointer(start: room, count: size * count))
        }
        ccurl_set_seek_function(handle.pointer) { context, offset, origin in
            guard let context, origin == SEEK_SET else { return CURL_SEEKFUNC_FAIL }
            let couldSeek = Unmanaged<RunningExchange>.fromOpaque(context).takeUnretainedValue().bodyRewound(
                to: Int64(offset))
            return couldSeek ? CURL_SEEKFUNC_OK : CURL_SEEKFUNC_FAIL
        }
    }
}
