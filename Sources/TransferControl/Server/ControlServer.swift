// SPDX-License-Identifier: MIT

import Dispatch
import FoundationEssentials
import Glibc
import Platform
import Synchronization
package import TransferModel

/// The server of the control socket: accepts clients of the same user and gives them access to a queue.
///
/// One dispatch queue moves the bytes of all connections and blocks on none of them; calls of the queue run on Swift's
/// pool, one at a time per connection. docs/Control.md describes the messages.
package final class ControlServer: @unchecked Sendable {
    // Sendable: all is immutable or under the mutex.

    package struct Options: Sendable {
        /// The program's version, for greetings.
        package var version: String
        /// The folder of the service's user, for greetings.
        package var home: String?
        package var maximumConnections = 128
        /// Seconds for a connection's `hello`, and for everything on the reserved one.
        package var helloTimeout = 5.0
        /// Maximum bytes of a request. A longer one ends its connection.
        package var maximumMessage = ControlProtocol.maximumRequest
        /// Maximum unread bytes of changes per listener; beyond, it misses changes and gets a snapshot later.
        package var outgoingLimit = 1 << 20
        /// Maximum subscriptions per connection.
        package var maximumSubscriptions = 16
        /// Maximum subscriptions with a window per connection, each of which holds a list of the whole queue.
        package var maximumWindows = 4
        /// Seconds that ``ControlServer/shutDown()`` gives clients to read pending data.
        package var shutDownGrace = 1.0
        /// The sentences of transfers, for clients without a catalogue.
        package var words = TransferWords.plain
        /// Receives the number of connections after each change, one call at a time. Must not block.
        package var connectionsChanged: @Sendable (Int) -> Void = { _ in }

        package init(version: String) { self.version = version }
    }

    /// Where to listen.
    package enum Place: Sendable {
        /// A path to bind; see ``ControlServer/init(place:handler:options:)``.
        case path(String)
        /// A listening socket bound by another process, as found by ``SocketActivation``; the server takes ownership.
        case inherited(descriptor: Int32)
    }

    struct State {
        var sessions: [Int: ServerSession] = [:]
        /// The connection beyond ``Options/maximumConnections``.
        var reserved: Int?
        var nextKey = 1
        var isEnding = false
        /// Callers of shutdown that wait until the path is removed.
        var whenGone: [CheckedContinuation<Void, Never>] = []
    }

    let options: Options
    let handler: any ControlHandler
    /// `nil`: it takes connections by ``admit(_:)`` alone.
    private let listening: Mutex<Listening?>
    let work = DispatchQueue(label: "fileq.control")
    let startedAt = Date().timeIntervalSince1970
    let state = Mutex(State())

    /// A socket, and what reports that clients connect.
    final class Acceptor: Sendable {
        let socket: ListeningSocket
        private let watch = Mutex<DescriptorWatch?>(nil)

        init(_ socket: ListeningSocket) { self.socket = socket }

        /// - Parameter accept: called on `work`, once for each ``awaitClients()``.
        func start(on work: DispatchQueue, _ accept: @escaping @Sendable () -> Void) throws(TransferError) {
            do throws(SystemError) {
                let made = try DescriptorWatch(socket.descriptor, on: work) { _ in accept() }
                watch.withLock { $0 = made }
            } catch {
                throw UnixSocket.failure(.listen, socket.path, error.errno)
            }
        }

        func awaitClients() { watch.withLock { $0 }?.notify(when: .reading) }

        /// On `work`, or when nothing else uses it. Once.
        func end() {
            watch.withLock { watch in
                watch?.end()
                watch = nil
            }
            socket.end()
        }
    }

    /// Replaced on `work`.
    struct Listening {
        let acceptor: Acceptor
        var isActive = false
        /// Its socket is closed.
        var isEnded = false
    }

    /// Binds the socket; accepts after ``start()``, but connections queue from here on.
    ///
    /// The socket has mode 0600. Its folder is created with mode 0700 if missing, and must be private to this user.
    /// Replaces the socket of a dead server.
    /// - Throws: code `usage` for an unsuitable path or folder, with the remedy; `other` if a server is running there.
    package init(place: Place, handler: any ControlHandler, options: Options) throws(TransferError) {
        self.options = options
        self.handler = handler
        let socket =
            switch place {
            case .path(let path): try ListeningSocket(path: path)
            case .inherited(let descriptor): try ListeningSocket(inherited: descriptor)
            }
        listening = Mutex(Listening(acceptor: Acceptor(socket)))
        try watchAcceptor()
    }

    deinit {
        listening.withLock { if $0?.isEnded == false { $0?.acceptor.end() } }
    }

    /// A server without a socket, for connections that ``admit(_:)`` receives.
    package init(handler: any ControlHandler, options: Options) {
        self.options = options
        self.handler = handler
        listening = Mutex(nil)
    }

    /// Before the current acceptor is active.
    private func watchAcceptor() throws(TransferError) {
        let acceptor = listening.withLock { $0?.acceptor }
        try acceptor?.start(on: work) { [weak self, weak acceptor] in
            if let acceptor { self?.acceptSome(acceptor) }
        }
    }

    /// On `work`. Closes the socket, and removes its path.
    private func stopListening() {
        let acceptor: Acceptor? = listening.withLock { listening in
            guard let present = listening, !present.isEnded else { return nil }
            listening?.isEnded = true
            return present.acceptor
        }
        acceptor?.end()
    }

    package convenience init(path: String, handler: any ControlHandler, options: Options) throws(TransferError) {
        try self.init(place: .path(path), handler: handler, options: options)
    }

    /// The bound path; `nil` for an inherited socket.
    package var path: String? { listening.withLock { $0?.acceptor.socket.path } }

    package var connectionCount: Int { state.withLock { $0.sessions.count } }

    /// Whether a client notifies its user of ends, so that nothing else has to.
    package var isAttended: Bool { state.withLock { Array($0.sessions.values) }.contains(where: \.attends) }

    /// Starts accepting.
    package func start() {
        listening.withLock { listening in
            guard listening?.isActive == false else { return }
            listening?.isActive = true
            listening?.acceptor.awaitClients()
        }
    }

    /// Recreates the socket and its folder if the path was removed or replaced, as after a logout or a cleaned
    /// temporary folder. Existing connections stay.
    /// - Parameter done: called on another thread: `nil` if nothing was missing; else the path, or the error, and then
    ///   nothing listens until a later call succeeds.
    package func restoreSocket(_ done: @escaping @Sendable (Result<String, TransferError>?) -> Void) {
        work.async { [self] in restoreSocketHere(done) }
    }

    private func restoreSocketHere(_ done: @escaping @Sendable (Result<String, TransferError>?) -> Void) {
        guard let present = listening.withLock({ $0 }), present.isActive, !state.withLock({ $0.isEnding }),
            let path = present.acceptor.socket.path,
            present.isEnded || !present.acceptor.socket.isInPlace
        else { return done(nil) }
        if !present.isEnded {
            // Serves connections that arrived in time.
            acceptSome(present.acceptor)
            stopListening()
        }
        done(bindAgain(path))
    }

    private func bindAgain(_ path: String) -> Result<String, TransferError> {
        do throws(TransferError) {
            let made = Listening(acceptor: Acceptor(try ListeningSocket(path: path)), isActive: true)
            listening.withLock { $0 = made }
            try watchAcceptor()
            made.acceptor.awaitClients()
        } catch {
            stopListening()
            return .failure(error)
        }
        return .success(path)
    }

    /// From here on, new connections get the error that the service ends, and retry later; existing ones stay.
    package func refuseNewConnections() { state.withLock { $0.isEnding = true } }

    /// ``shutDown()``, but only without connections at this moment: later clients find no server.
    /// - Returns: whether it has shut down.
    package func shutDownIfUnused() async -> Bool {
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

    /// Stops accepting, removes the path and ends all connections: each after its pending data and subscriptions, or
    /// after ``Options/shutDownGrace``. Returns when all are closed.
    ///
    /// Subscriptions end with the queue's streams, so shut down the queue first.
    package func shutDown() async {
        start()
        await withCheckedContinuation { done in
            // On `work`, so that no connection is being accepted meanwhile.
            work.async { [self] in
                stopListening()
                let sessions = state.withLock { state in
                    state.isEnding = true
                    state.whenGone.append(done)
                    return Array(state.sessions.values)
                }
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
            guard state.sessions.isEmpty else {
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
