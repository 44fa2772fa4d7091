// SPDX-License-Identifier: MIT

import Dispatch
import FoundationEssentials
import Glibc
import Synchronization
public import TransferModel

/// The service's end of the control socket: accepts front ends of the same user and lets them use a queue.
///
/// One dispatch queue moves the bytes of all connections and waits for none of them; the calls of the queue run on
/// Swift's pool, one at a time for each connection. The messages are described in docs/Control.md.
public final class ControlServer: @unchecked Sendable {
    // Sendable: the dispatch source may be used on any thread; all else does not change or is under the mutex.

    public struct Options: Sendable {
        /// Of the program, for greetings.
        public var version: String
        public var maximumConnections = 128
        /// Seconds that a connection has for its `hello`, and the reserved one for everything.
        public var helloTimeout = 5.0
        /// Bytes of one request, at most. A longer one ends its connection.
        public var maximumMessage = ControlProtocol.maximumRequest
        /// Bytes of changes that a listener may leave unread; beyond, it misses changes and gets a snapshot later.
        public var outgoingLimit = 1 << 20
        /// Subscriptions of one connection, at most.
        public var maximumSubscriptions = 16
        /// Seconds that ``ControlServer/shutDown()`` gives clients to read what is still for them.
        public var shutDownGrace = 1.0
        /// Hears, one call after the other, how many connections there are after each that comes or goes. Must not
        /// wait.
        public var connectionsChanged: @Sendable (Int) -> Void = { _ in }

        public init(version: String) { self.version = version }
    }

    /// Where to listen.
    public enum Place: Sendable {
        /// A path to bind; see ``ControlServer/init(place:handler:options:)``.
        case path(String)
        /// A listening socket that somebody else has bound, such as ``SocketActivation`` finds; it becomes the server's
        /// own.
        case inherited(descriptor: Int32)
    }

    struct State {
        var sessions: [Int: ServerSession] = [:]
        /// The one of them beyond ``Options/maximumConnections``.
        var reserved: Int?
        var nextKey = 1
        var isEnding = false
        /// Whether the path is taken away and the lock let go.
        var hasLeftPath = false
        var whenGone: [CheckedContinuation<Void, Never>] = []
    }

    let options: Options
    let handler: any ControlHandler
    private let listening: Mutex<Listening>
    let work = DispatchQueue(label: "fileq.control")
    let startedAt = Date().timeIntervalSince1970
    let state = Mutex(State())

    /// A socket and the source that accepts on it.
    final class Acceptor: @unchecked Sendable {
        // Sendable: a dispatch source may be used on any thread.
        let socket: ListeningSocket
        let source: any DispatchSourceRead

        init(_ socket: ListeningSocket, _ work: DispatchQueue) {
            self.socket = socket
            source = DispatchSource.makeReadSource(fileDescriptor: socket.descriptor, queue: work)
        }
    }

    /// Replaced on `work`.
    struct Listening {
        let acceptor: Acceptor
        var isActive = false
        var isCancelled = false
        /// What follows once the socket is closed, unless the server ends.
        var whenCancelled: (@Sendable () -> Void)?
    }

    /// Binds the socket; nobody is accepted before ``start()``, but connections wait from here on.
    ///
    /// The socket's mode is 0600. Its folder is made with mode 0700 where there is none, and must be this user's and
    /// not writable by others. The socket of a server that has died is replaced.
    /// - Throws: code `usage` for a path or folder that cannot serve, with what to do; `other` where a server is alive
    ///   there.
    public init(place: Place, handler: any ControlHandler, options: Options) throws(TransferError) {
        self.options = options
        self.handler = handler
        let socket =
            switch place {
            case .path(let path): try ListeningSocket(path: path)
            case .inherited(let descriptor): try ListeningSocket(inherited: descriptor)
            }
        listening = Mutex(Self.listening(on: socket, work))
        watchAcceptor()
    }

    deinit {
        listening.withLock { listening in
            // A source that was never active must not be let go of.
            if !listening.isActive { listening.acceptor.source.activate() }
            listening.acceptor.source.cancel()
        }
    }

    private static func listening(on socket: ListeningSocket, _ work: DispatchQueue) -> Listening {
        Listening(acceptor: Acceptor(socket, work))
    }

    /// Before the present acceptor is active.
    private func watchAcceptor() {
        let acceptor = listening.withLock { $0.acceptor }
        acceptor.source.setEventHandler { [weak self, weak acceptor] in
            if let acceptor { self?.acceptSome(acceptor) }
        }
        acceptor.source.setCancelHandler { [weak self, socket = acceptor.socket] in
            socket.end()
            guard let self else { return }
            guard state.withLock({ $0.isEnding }) else {
                let next = listening.withLock { listening in
                    defer { listening.whenCancelled = nil }
                    return listening.whenCancelled
                }
                next?()
                return
            }
            state.withLock { $0.hasLeftPath = true }
            resumeIfGone()
        }
    }

    public convenience init(path: String, handler: any ControlHandler, options: Options) throws(TransferError) {
        try self.init(place: .path(path), handler: handler, options: options)
    }

    /// The path that was bound; `nil` for a socket that was handed over.
    public var path: String? { listening.withLock { $0.acceptor.socket.path } }

    public var connectionCount: Int { state.withLock { $0.sessions.count } }

    /// Begins to accept.
    public func start() {
        listening.withLock { listening in
            guard !listening.isActive else { return }
            listening.isActive = true
            listening.acceptor.source.activate()
        }
    }

    /// Makes the socket again, with its folder, where its path was taken away or leads elsewhere now, as after a logout
    /// or in a temporary folder that was cleaned. Those who are connected stay.
    /// - Parameter done: called on another thread: `nil` where nothing was missing; else the path, or why it cannot be
    ///   made, and then nothing listens until a later call succeeds.
    public func restoreSocket(_ done: @escaping @Sendable (Result<String, TransferError>?) -> Void) {
        work.async { [self] in restoreSocketHere(done) }
    }

    private func restoreSocketHere(_ done: @escaping @Sendable (Result<String, TransferError>?) -> Void) {
        let present = listening.withLock { $0 }
        guard present.isActive, !state.withLock({ $0.isEnding }), let path = present.acceptor.socket.path,
            present.isCancelled || !present.acceptor.socket.isInPlace
        else { return done(nil) }
        guard !present.isCancelled else { return done(bindAgain(path)) }
        // Whoever connected while it could be found is served.
        acceptSome(present.acceptor)
        listening.withLock { listening in
            listening.isCancelled = true
            listening.whenCancelled = { [weak self] in done(self?.bindAgain(path)) }
        }
        present.acceptor.source.cancel()
    }

    private func bindAgain(_ path: String) -> Result<String, TransferError> {
        do throws(TransferError) {
            let made = Self.listening(on: try ListeningSocket(path: path), work)
            listening.withLock { $0 = made }
        } catch {
            return .failure(error)
        }
        watchAcceptor()
        start()
        return .success(path)
    }

    /// From here on, who connects is told that the service ends, and comes again when it has; those who are connected
    /// stay.
    public func refuseNewConnections() { state.withLock { $0.isEnding = true } }

    /// ``shutDown()``, but only where nobody is connected at this moment: who connects a moment later finds no server.
    /// - Returns: whether it has shut down.
    public func shutDownIfUnused() async -> Bool {
        start()
        let isUnused = await withCheckedContinuation { done in
            // On `work`, so that no connection is being accepted meanwhile.
            work.async { [self] in
                done.resume(
                    returning: state.withLock { state in
                        if state.sessions.isEmpty { state.isEnding = true }
                        return state.sessions.isEmpty
                    })
            }
        }
        if isUnused { await shutDown() }
        return isUnused
    }

    /// Accepts nobody any more, takes the path away and ends all connections: each as soon as it has what is for it and
    /// its subscriptions are over, or after ``Options/shutDownGrace``. Returns when all are gone.
    ///
    /// Subscriptions end when the queue's streams do, so the queue is to be shut down before.
    public func shutDown() async {
        start()
        await withCheckedContinuation { done in
            // On `work`, so that no connection is being accepted meanwhile.
            work.async { [self] in
                let (acceptor, isCancelled) = listening.withLock { ($0.acceptor, $0.isCancelled) }
                let sessions = state.withLock { state in
                    state.isEnding = true
                    if isCancelled { state.hasLeftPath = true }
                    state.whenGone.append(done)
                    return Array(state.sessions.values)
                }
                acceptor.source.cancel()
                for session in sessions { session.finish() }
                resumeIfGone()
                work.asyncAfter(deadline: .now() + options.shutDownGrace) { [weak self] in
                    for session in self?.state.withLock({ Array($0.sessions.values) }) ?? [] {
                        session.connection.close()
                    }
                }
            }
        }
    }

    func resumeIfGone() {
        let waiting = state.withLock { state in
            guard state.isEnding, state.hasLeftPath, state.sessions.isEmpty else {
                return [CheckedContinuation<Void, Never>]()
            }
            defer { state.whenGone = [] }
            return state.whenGone
        }
        for done in waiting { done.resume() }
    }

    func status() async throws -> ServiceStatus {
        var counts: [String: Int] = [:]
        let snapshot = try await handler.queue.snapshot()
        for transfer in snapshot.transfers { counts[transfer.state.rawValue, default: 0] += 1 }
        return ServiceStatus(
            pid: getpid(), version: options.version, protocol: ControlProtocol.version, socket: path,
            startedAt: startedAt, clients: connectionCount, transfers: counts,
            limits: await handler.limitsInForce() ?? snapshot.limits, configuration: handler.configuration)
    }
}
