// SPDX-License-Identifier: MIT

import Foundation
import Glibc
import Synchronization
import TransferTesting

/// Forwards connections to a server and keeps an ``UploadLedger``. It can hold requests at a chosen byte: whatever is
/// killed then is killed in the middle of an upload, however slow the machine is. It can play a server that speaks only
/// older versions of the IETF draft.
final class HoldingRelay: Sendable {
    private struct State {
        var ledger = UploadLedger()
        /// Requests are held as soon as so many bytes of content have passed, and so many parts of S3 are confirmed.
        var limit: Int64 = .max
        var parts = 0
        /// Until so many uploads are created, requests without content pass meanwhile.
        var creations = 0
        /// Sockets of connections.
        var open: Set<Int32> = []
        var isStopped = false
    }

    let port: Int
    private let target: Int
    private let newest: Int64?
    private let listener: Int32
    private let state = Mutex(State())

    /// - Parameter newest: version of the draft; newer ones are refused, and nothing is announced. `nil`: all pass.
    init(to target: Int, newest: Int64? = nil) throws {
        (self.target, self.newest) = (target, newest)
        (port, listener) = try listeningSocket()
        Thread.detachNewThread { [self] in accept() }
    }

    var ledger: UploadLedger { state.withLock { $0.ledger } }
    var isHeld: Bool {
        state.withLock { state in
            state.ledger.sent >= state.limit && state.ledger.confirmedParts.count >= state.parts && !state.isStopped
        }
    }

    /// Lets requests pass, and holds them again after so many bytes of content.
    /// - Parameters:
    ///   - parts: of S3, that are confirmed until then.
    ///   - creations: so many uploads can be created, also while content is held.
    func release(holdingAfter count: Int64, parts: Int = 0, creations: Int = 0) {
        state.withLock { state in
            state.limit = count == .max ? .max : state.ledger.sent + count
            state.parts = state.ledger.confirmedParts.count + parts
            state.creations = creations
        }
    }

    func finds(recorded offset: Int64, of url: String) {
        state.withLock { $0.ledger.finds(recorded: offset, of: url) }
    }

    func stop() {
        let open = state.withLock { state in
            state.isStopped = true
            return state.open
        }
        for socket in open.union([listener]) { shutdown(socket, Int32(SHUT_RDWR)) }
    }

    // MARK: Connections

    private func accept() {
        while case let client = Glibc.accept(listener, nil, nil), client >= 0 {
            Thread.detachNewThread { [self] in carry(client) }
        }
        close(listener)
    }

    private func carry(_ client: Int32) {
        let server = connectLoopback(target)
        let isOpen = state.withLock { state in
            guard server >= 0, !state.isStopped else { return false }
            state.open.formUnion([client, server])
            return true
        }
        if isOpen {
            let connection = Connection()
            let back = DispatchGroup()
            back.enter()
            Thread.detachNewThread { [self] in
                forward(from: server, to: client) { bytes in
                    respond(bytes, connection, to: client)
                    return nil
                }
                connection.isOver.store(true, ordering: .relaxed)
                back.leave()
            }
            forward(from: client, to: server) { request($0, connection) }
            back.wait()
        }
        state.withLock { _ = ($0.open.remove(client), $0.open.remove(server)) }
        close(client)
        if server >= 0 { close(server) }
    }

    /// - Parameter pass: gets what may pass, or returns a response to the source that ends the connection.
    private func forward(from source: Int32, to sink: Int32, _ pass: (ArraySlice<UInt8>) -> String?) {
        var buffer = [UInt8](repeating: 0, count: 16_384)
        while case let count = recv(source, &buffer, buffer.count, 0), count > 0 {
            if let response = pass(buffer[..<count]) {
                end(source, with: response)
                break
            }
            var start = 0
            while start < count {
                let sent = buffer[start..<count].withUnsafeBytes {
                    Glibc.send(sink, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
                }
                guard sent > 0 else { break }
                start += sent
            }
            guard start == count else { break }
        }
        for socket in [source, sink] { shutdown(socket, Int32(SHUT_RDWR)) }
    }

    /// Reads what still comes, since unread bytes would reset the connection before the response is read.
    private func end(_ client: Int32, with response: String) {
        let bytes = Array(response.utf8)
        guard Glibc.send(client, bytes, bytes.count, Int32(MSG_NOSIGNAL)) == bytes.count else { return }
        shutdown(client, Int32(SHUT_WR))
        var rest = [UInt8](repeating: 0, count: 16_384)
        while recv(client, &rest, rest.count, 0) > 0 {}
    }

    // MARK: What passes

    private final class Connection: Sendable {
        struct Talk {
            var (up, down) = (HTTPReader(), HTTPReader())
            /// Without a final response yet.
            var requests: [UploadLedger.Request] = []
            /// The path of the last request that has one, if it was a GET, and the content of the response.
            var got: (path: String, content: [UInt8])?
        }
        let talk = Mutex(Talk())
        let isOver = Atomic(false)
    }

    /// Returns when the bytes may pass.
    /// - Returns: the response, if they may not.
    private func request(_ bytes: ArraySlice<UInt8>, _ connection: Connection) -> String? {
        var (rest, hasContent) = (bytes, false)
        let response: String? = state.withLock { state in
            connection.talk.withLock { talk -> String? in
                while let event = talk.up.next(&rest) {
                    switch event {
                    case .head(let head):
                        if let refusal = self.refusal(of: head) { return refusal }
                        talk.requests.append(state.ledger.begins(head))
                        talk.up.expect(head.number("content-length") ?? 0)
                    case .content(let piece):
                        hasContent = true
                        guard let last = talk.requests.indices.last else { continue }
                        state.ledger.carries(piece.count, of: &talk.requests[last])
                    }
                }
                return nil
            }
        }
        if let response { return response }
        // Ends with the connection, or when the relay lets requests pass.
        let isContent = hasContent
        while holds(isContent), !connection.isOver.load(ordering: .relaxed) {
            _ = eventually(within: 1) { !holds(isContent) || connection.isOver.load(ordering: .relaxed) }
        }
        return nil
    }

    private func holds(_ isContent: Bool) -> Bool {
        isHeld && (isContent || state.withLock { $0.ledger.created >= $0.creations })
    }

    private func refusal(of head: HTTPHead) -> String? {
        guard let newest else { return nil }
        let isQuestion = head.words.first == "OPTIONS"
        guard isQuestion || head.number("upload-draft-interop-version") ?? 0 > newest else { return nil }
        let status = isQuestion ? "405 Method Not Allowed" : "400 Bad Request"
        return "HTTP/1.1 \(status)\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
    }

    private func respond(_ bytes: ArraySlice<UInt8>, _ connection: Connection, to client: Int32) {
        var rest = bytes
        let isRead = !isClosed(client)
        state.withLock { state in
            connection.talk.withLock { talk in
                while let event = talk.down.next(&rest) {
                    switch event {
                    case .head(let head):
                        guard !talk.requests.isEmpty else { continue }
                        let (method, path) = (talk.requests[0].method, talk.requests[0].path)
                        if state.ledger.responds(head, to: &talk.requests[0], isRead: isRead) {
                            talk.requests.removeFirst()
                            talk.got = nil
                            if method == "GET" { talk.got = (path: path, content: []) }
                        }
                        talk.down.expect(method == "HEAD" ? 0 : head.number("content-length") ?? 0)
                    case .content(let piece):
                        guard var got = talk.got else { continue }
                        got.content += piece
                        talk.got = got
                        state.ledger.lists(String(decoding: got.content, as: UTF8.self), in: got.path)
                    }
                }
            }
        }
    }
}

/// Whether its peer has closed it, and all that the peer sent has arrived.
private func isClosed(_ socket: Int32) -> Bool {
    // POLLRDHUP, which Glibc's module lacks.
    var polled = pollfd(fd: socket, events: 0x2000, revents: 0)
    return poll(&polled, 1, 0) > 0
}

/// Listens on a free port of loopback.
private func listeningSocket() throws -> (port: Int, descriptor: Int32) {
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = inet_addr("127.0.0.1")
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isListening = withUnsafeMutablePointer(to: &address) { pointer in
        pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
            bind(descriptor, $0, size) == 0 && listen(descriptor, 64) == 0 && getsockname(descriptor, $0, &size) == 0
        }
    }
    guard isListening else { throw POSIXError(.EADDRINUSE) }
    return (Int(UInt16(bigEndian: address.sin_port)), descriptor)
}
