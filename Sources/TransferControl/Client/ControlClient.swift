// SPDX-License-Identifier: MIT

import Dispatch
import FoundationEssentials
import Glibc
import Synchronization
package import TransferModel

/// A queue in another process: ``QueueClient`` over its control socket.
///
/// Calls may come from any thread; the service executes those of one client in the order in which they were made. When
/// the connection ends, every pending and every later call throws the reason, and every stream of updates ends; see
/// ``failure``. A client does not reconnect: the caller creates a new one.
package final class ControlClient: QueueClient {
    package struct Options: Sendable {
        /// The program's version.
        package var version: String
        package var program = "fileq"
        /// Seconds until a reply must arrive.
        package var callTimeout = 30.0
        /// Maximum bytes of a message from the service.
        package var maximumMessage = 256 << 20
        /// Bytes of changes that a stream of updates buffers for a slow listener; beyond, it gets a snapshot later.
        package var updateLimit = 8 << 20
        package var clock = CallClock.system
        /// Seconds without a message from the service, while a call is pending, after which it counts as not replying.
        package var silence = 1.0
        /// Called with `false` when the service has not replied for ``silence``, greeting included, and with `true`
        /// when it replies again. On any thread; must not block.
        package var replyingChanged: (@Sendable (Bool) -> Void)?
        /// Whether to use the connection that the service reserves for status and stop requests, when all others are in
        /// use. It is closed after a few seconds.
        package var usesReservedConnection = false
        /// Whether to greet a service with another version of the protocol, in its own version: only what every version
        /// has can be requested then, such as ``ControlClient/shutDownService()``.
        package var acceptsOtherProtocols = false

        package init(version: String) { self.version = version }
    }

    struct State {
        var calls = PendingCalls()
        var feeds: [Int: UpdateFeed] = [:]
        var windows: [Int: AsyncStream<WindowUpdate>.Continuation] = [:]
        /// IDs of calls and numbers of subscriptions.
        var nextNumber = 1
        var service: ServerHello?
        /// Whether the service has announced the end of its queue.
        var hasAnnouncedEnd = false
        var failure: TransferError?
        var whenClosed: [CheckedContinuation<TransferError, Never>] = []
        var answers: ReplyWatch
    }

    /// The ID under which the service's first line is awaited; no request has it.
    static let greeting = 0

    let options: Options
    let connection: LineConnection
    let state: Mutex<State>

    /// Connects and greets.
    /// - Throws: code `cannotConnect` if no process listens at `path`; `usage` for an invalid path, for a service of
    ///   another user, and for one of another version; `timedOut` for one that does not reply.
    package static func connect(path: String, options: Options) async throws -> ControlClient {
        let descriptor = try UnixSocket.make()
        do {
            let code = try UnixSocket.connect(descriptor, to: path)
            guard code == 0 else { throw refused(path, code) }
            // The owner of this socket receives passwords.
            guard UnixSocket.peerUser(descriptor) == geteuid() else {
                throw TransferError(.usage, file: .otherUsersService, path: path, variant: .foreignFolder)
            }
        } catch {
            Glibc.close(descriptor)
            throw error
        }
        return try await connect(over: SocketChannel(descriptor), options: options)
    }

    /// Greets the service that is the peer.
    /// - Throws: as ``connect(path:options:)``.
    package static func connect(over channel: any ByteChannel, options: Options) async throws -> ControlClient {
        let client = ControlClient(channel, options: options)
        do {
            try await client.greet()
        } catch {
            client.close()
            throw error
        }
        return client
    }

    static func refused(_ path: String, _ code: Int32) -> TransferError {
        switch code {
        case ENOENT, ENOTDIR, ECONNREFUSED:
            TransferError(
                .cannotConnect, .serviceNoListener, path, systemErrno: code, path: path, variant: .nothingListens)
        case EAGAIN:
            TransferError(.cannotConnect, .serviceTooBusy, path, systemErrno: code, path: path, variant: .serviceBusy)
        default:
            TransferError(.cannotConnect, file: .connect, path: path, systemErrno: code)
        }
    }

    init(_ channel: any ByteChannel, options: Options) {
        self.options = options
        state = Mutex(State(answers: ReplyWatch(silence: options.silence)))
        connection = LineConnection(
            channel, queue: DispatchQueue(label: "fileq.control.client"),
            maximumLine: options.maximumMessage, outgoingLimit: .max)
    }

    deinit { connection.close() }

    private func greet() async throws {
        let line = try await withCheckedThrowingContinuation { continuation in
            register(Self.greeting, method: "hello") { continuation.resume(with: $0) }
            connection.start { [weak self] event in self?.received(event) }
        }
        guard case .hello(let service) = try? ControlCoding.read(ServerMessage.self, from: line) else {
            throw TransferError(.other, .serviceOtherProgram)
        }
        guard service.protocol == ControlProtocol.version || options.acceptsOtherProtocols else {
            throw Self.incompatible(version: service.version, protocol: service.protocol)
        }
        state.withLock { $0.service = service }
        let hello = ClientHello(
            protocol: service.protocol, version: options.version, program: options.program,
            reserved: options.usesReservedConnection ? true : nil)
        _ = try await call(hello)
    }

    /// The error for a service of an incompatible version.
    static func incompatible(version: String, protocol: Int) -> TransferError {
        TransferError(
            .usage,
            .serviceOtherVersion, shown(version), `protocol`, ControlProtocol.version,
            variant: .serviceIncompatible)
    }

    /// A word from the peer, made safe for a message.
    static func shown(_ text: String) -> String {
        String(String.UnicodeScalarView(text.unicodeScalars.filter { $0.value > 0x20 && $0.value < 0x7f }.prefix(40)))
    }

    /// The service's version and process.
    package var service: (version: String, pid: Int32) {
        state.withLock { ($0.service?.version ?? "", $0.service?.pid ?? 0) }
    }

    /// The folder of the service's user, on its machine; `nil` if it did not say.
    package var home: String? { state.withLock { $0.service?.home } }

    /// The version of the service's protocol.
    package var serviceProtocol: Int { state.withLock { $0.service?.protocol ?? ControlProtocol.version } }

    /// Whether the service has announced its end; if not, a lost connection means a crash.
    package var hasServiceAnnouncedEnd: Bool { state.withLock { $0.hasAnnouncedEnd } }

    /// Why the connection has ended; `nil` while it is open.
    package var failure: TransferError? { state.withLock { $0.failure } }

    /// Closes the connection from this side.
    package func close() { fail(TransferError(.interrupted, .serviceDisconnected)) }

    /// Waits for the end of the connection, and returns its reason.
    @discardableResult
    package func waitUntilClosed() async -> TransferError {
        await withCheckedContinuation { continuation in
            let failure = state.withLock { state in
                if state.failure == nil { state.whenClosed.append(continuation) }
                return state.failure
            }
            if let failure { continuation.resume(returning: failure) }
        }
    }

    /// All pending calls end with `error`. The first reason counts.
    func fail(_ error: TransferError) {
        var windows: [AsyncStream<WindowUpdate>.Continuation] = []
        let ended = state.withLock {
            state -> (
                calls: [PendingCalls.Call], feeds: [UpdateFeed], waiting: [CheckedContinuation<TransferError, Never>]
            )? in
            guard state.failure == nil else { return nil }
            state.failure = error
            defer { (state.feeds, state.windows, state.whenClosed) = ([:], [:], []) }
            windows = Array(state.windows.values)
            return (state.calls.takeAll(), Array(state.feeds.values), state.whenClosed)
        }
        guard let ended else { return }
        connection.close()
        for call in ended.calls { call.finish(.failure(error)) }
        for feed in ended.feeds { feed.finish() }
        for window in windows { window.finish() }
        for waiting in ended.waiting { waiting.resume(returning: error) }
    }
}
