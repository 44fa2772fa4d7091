// SPDX-License-Identifier: MIT

import CCurl
import Glibc
import SessionCore

/// One stream between its opening and its end. Used on the engine's thread alone.
final class RunningStream {
    let id: StreamID
    let route: Exchange
    let handler: any StreamHandler
    let handle: CurlHandle
    /// -1 until the connection stands.
    private var socket: Int32 = -1
    /// What the read that waits may bring.
    private var readRoom: Int?
    /// What the write that waits brings. It keeps its place in memory until it is done: a TLS library that could not
    /// take a piece wants the same piece again.
    private var outgoing: [UInt8] = []
    private var outgoingDone = 0
    private var isWriting = false

    init(id: StreamID, route: Exchange, handler: any StreamHandler, handle: CurlHandle) {
        self.id = id
        self.route = route
        self.handler = handler
        self.handle = handle
    }

    private var isOpen: Bool { socket >= 0 }

    /// The connection stands. Returns a failure where libcurl does not give its socket away.
    func open() -> ExchangeFailure? {
        socket = ccurl_get_socket(handle.pointer)
        guard isOpen else { return ExchangeFailure(CURLE_COULDNT_CONNECT) }
        handler.streamDidOpen(id)
        return nil
    }

    /// - Parameter buffer: of the engine's, used during the call alone.
    func startReading(_ maximum: Int, buffer: UnsafeMutableRawBufferPointer) -> ExchangeFailure? {
        readRoom = max(1, maximum)
        // What the TLS library holds already, no socket tells of.
        return tryReading(buffer)
    }

    func startWriting(_ bytes: [UInt8]) -> ExchangeFailure? {
        outgoing = bytes
        outgoingDone = 0
        isWriting = true
        return tryWriting()
    }

    func closeWriting() {
        guard isOpen else { return }
        shutdown(socket, Int32(SHUT_WR))
        handler.streamDidCloseWriting(id)
    }

    /// What to wait for; `nil` where nobody waits for anything: a socket is watched only then, or its end would wake
    /// the engine without pause.
    var wait: curl_waitfd? {
        guard isOpen, readRoom != nil || isWriting else { return nil }
        let events = (readRoom == nil ? 0 : CURL_WAIT_POLLIN) | (isWriting ? CURL_WAIT_POLLOUT : 0)
        return curl_waitfd(fd: socket, events: Int16(events), revents: 0)
    }

    /// The socket is ready for something.
    func proceed(_ buffer: UnsafeMutableRawBufferPointer) -> ExchangeFailure? { tryReading(buffer) ?? tryWriting() }

    private func tryReading(_ buffer: UnsafeMutableRawBufferPointer) -> ExchangeFailure? {
        guard isOpen, let room = readRoom else { return nil }
        var count = 0
        let code = curl_easy_recv(handle.pointer, buffer.baseAddress, min(room, buffer.count), &count)
        if code == CURLE_AGAIN { return nil }
        guard code == CURLE_OK else { return failure(code) }
        readRoom = nil
        handler.stream(id, didRead: [UInt8](UnsafeRawBufferPointer(rebasing: buffer.prefix(count))))
        return nil
    }

    private func tryWriting() -> ExchangeFailure? {
        guard isOpen, isWriting else { return nil }
        while outgoingDone < outgoing.count {
            var count = 0
            let code = outgoing.withUnsafeBytes { bytes in
                curl_easy_send(handle.pointer, bytes.baseAddress! + outgoingDone, bytes.count - outgoingDone, &count)
            }
            if code == CURLE_AGAIN { return nil }
            guard code == CURLE_OK else { return failure(code) }
            outgoingDone += count
            // The kernel has no room for more.
            if count == 0 { return nil }
        }
        outgoing = []
        isWriting = false
        handler.streamDidWrite(id)
        return nil
    }

    func failure(_ code: CURLcode) -> ExchangeFailure? {
        ExchangeFailure(code, on: handle, connectTimeout: route.connectTimeout)
    }
}
