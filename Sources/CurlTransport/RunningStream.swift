// SPDX-License-Identifier: MIT

import CCurl
import Glibc
import SessionCore

/// A running stream. Used on the engine's thread only.
final class RunningStream {
    let id: StreamID
    let route: Exchange
    let handler: any StreamHandler
    let handle: CurlHandle
    /// -1 until connected.
    private var socket: Int32 = -1
    /// The maximum of the pending read.
    private var readCapacity: Int?
    /// The data of the pending write. Its address must not change until it is done: TLS libraries require the same
    /// buffer for a retry.
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

    /// Connected. Returns a failure if libcurl does not provide the socket.
    func open() -> ExchangeFailure? {
        socket = ccurl_get_socket(handle.pointer)
        guard isOpen else { return ExchangeFailure(CURLE_COULDNT_CONNECT) }
        handler.streamDidOpen(id)
        return nil
    }

    /// - Parameter buffer: of the engine, valid during the call.
    func startReading(_ maximum: Int, buffer: UnsafeMutableRawBufferPointer) -> ExchangeFailure? {
        readCapacity = max(1, maximum)
        // Data buffered in the TLS library does not show on the socket.
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

    /// The descriptor to poll; `nil` without a pending operation, since a closed socket would wake the engine
    /// constantly.
    var wait: curl_waitfd? {
        guard isOpen, readCapacity != nil || isWriting else { return nil }
        let events = (readCapacity == nil ? 0 : CURL_WAIT_POLLIN) | (isWriting ? CURL_WAIT_POLLOUT : 0)
        return curl_waitfd(fd: socket, events: Int16(events), revents: 0)
    }

    /// The socket is ready.
    func proceed(_ buffer: UnsafeMutableRawBufferPointer) -> ExchangeFailure? { tryReading(buffer) ?? tryWriting() }

    private func tryReading(_ buffer: UnsafeMutableRawBufferPointer) -> ExchangeFailure? {
        guard isOpen, let room = readCapacity else { return nil }
        var count = 0
        let code = curl_easy_recv(handle.pointer, buffer.baseAddress, min(room, buffer.count), &count)
        if code == CURLE_AGAIN { return nil }
        guard code == CURLE_OK else { return failure(code) }
        readCapacity = nil
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
            // The kernel's buffer is full.
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
