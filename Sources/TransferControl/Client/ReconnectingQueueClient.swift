// SPDX-License-Identifier: MIT

import Dispatch
import Synchronization
package import TransferModel

/// A ``QueueClient`` for long-running front ends: restarts a service that crashed, and continues streams of updates
/// with a new snapshot. Pending calls then throw; later ones wait for the new connection.
///
/// A service that has announced its end was stopped on purpose and is not restarted. If another one replaces it within
/// ``Options/handOver``, that one is used; else all streams end, and every call throws ``failure``.
package final class ReconnectingQueueClient: QueueClient {
    package struct Options: Sendable {
        /// Seconds before the first attempt, the second, …; after the last one the client gives up.
        package var pauses = [0, 1, 3, 10, 30.0]
        /// Seconds that a connection must last for earlier failures to be forgotten.
        package var steady = 30.0
        /// Seconds that another service has to replace a stopped one.
        package var handOver = 5.0
        /// Monotonic seconds.
        package var now: @Sendable () -> Double = CallClock.system.now
        package var sleep: @Sendable (Double) async throws -> Void = { try await Task.sleep(for: .seconds($0)) }

        package init() {}
    }

    /// Connects; the argument states whether a service may be started.
    package typealias Connect = @Sendable (_ startsService: Bool) async throws(TransferError) -> ControlClient

    private struct State {
        var client: ControlClient
        var connectedAt: Double
        var connecting: Task<ControlClient, any Error>?
        /// Attempts since the last connection that lasted.
        var attempts = 0
        var failure: TransferError?
        var reconnections = 0
        /// Sent over each connection.
        var attends = false
    }

    /// `true` when a connection has ended and the next one is sought, `false` when that is open. For one listener.
    package let losses: AsyncStream<Bool>

    private let options: Options
    private let connect: Connect
    private let state: Mutex<State>
    private let lossReports: AsyncStream<Bool>.Continuation

    /// - Parameter first: an open connection.
    package init(first: ControlClient, options: Options = .init(), connect: @escaping Connect) {
        self.options = options
        self.connect = connect
        state = Mutex(State(client: first, connectedAt: options.now()))
        (losses, lossReports) = AsyncStream.makeStream(of: Bool.self)
    }

    /// Why there is no service any more; `nil` while the client connects or retries.
    package var failure: TransferError? { state.withLock { $0.failure } }

    /// See ``ControlClient/home``.
    package var home: String? { state.withLock { $0.client.home } }

    /// Connections that have taken the place of one that ended.
    package var reconnections: Int { state.withLock { $0.reconnections } }

    /// Closes the connection from this side, permanently.
    package func close() {
        let client = state.withLock { state in
            state.failure = state.failure ?? TransferError(.interrupted, .serviceDisconnected)
            return state.client
        }
        client.close()
    }

    // MARK: The connection

    /// The open connection, or the next one.
    private func client() async throws -> ControlClient {
        let next = try state.withLock { state -> Next in
            if let failure = state.failure { throw failure }
            if let connecting = state.connecting { return .coming(connecting) }
            if Self.isUsable(state.client) { return .standing(state.client) }
            let isOrderly = state.client.hasServiceAnnouncedEnd
            if options.now() - state.connectedAt >= options.steady { state.attempts = 0 }
            let task = Task { try await self.reconnect(isOrderly: isOrderly) }
            state.connecting = task
            // Under the lock, as the report that follows it: the two keep their order.
            lossReports.yield(true)
            return .coming(task)
        }
        switch next {
        case .standing(let client): return client
        case .coming(let task): return try await task.value
        }
    }

    private enum Next {
        case standing(ControlClient)
        case coming(Task<ControlClient, any Error>)
    }

    private static func isUsable(_ client: ControlClient) -> Bool {
        client.failure == nil && !client.hasServiceAnnouncedEnd
    }

    private func reconnect(isOrderly: Bool) async throws -> ControlClient {
        do throws(TransferError) {
            let client = isOrderly ? try await follow() : try await startAgain()
            let (isClosed, attends) = state.withLock { state in
                (state.client, state.connectedAt, state.connecting) = (client, options.now(), nil)
                state.reconnections += 1
                lossReports.yield(false)
                return (state.failure != nil, state.attends)
            }
            if isClosed { client.close() }
            if attends { Task { try? await client.attend(true) } }
            return client
        } catch {
            throw state.withLock { state in
                state.connecting = nil
                state.failure = state.failure ?? error
                return state.failure ?? error
            }
        }
    }

    /// Connects to a service that replaces a stopped one.
    private func follow() async throws(TransferError) -> ControlClient {
        let end = options.now() + options.handOver
        while true {
            if let client = try? await connect(false) { return client }
            guard failure == nil, options.now() < end else {
                throw TransferError(.other, .serviceStopped, variant: .serviceStopped)
            }
            try await pause(0.1)
        }
    }

    private func startAgain() async throws(TransferError) -> ControlClient {
        var last: TransferError?
        while let seconds = nextPause() {
            try await pause(seconds)
            do throws(TransferError) { return try await connect(true) } catch { last = error }
        }
        guard var error = last else {
            throw TransferError(.other, .serviceEndsRepeatedly, variant: .serviceFailing)
        }
        let problem = NestedProblem(error.fields.local, of: "service")
        error.message = "the background service is gone: \(error.message)"
        error.fields.local = problem.map { TransferProblem(.serviceGone, $0) }
        throw error
    }

    /// `nil` after the last attempt.
    private func nextPause() -> Double? {
        state.withLock { state in
            guard state.failure == nil, state.attempts < options.pauses.count else { return nil }
            defer { state.attempts += 1 }
            return options.pauses[state.attempts]
        }
    }

    private func pause(_ seconds: Double) async throws(TransferError) {
        guard seconds > 0 else { return }
        do { try await options.sleep(seconds) } catch { throw TransferError(.interrupted, .serviceInterrupted) }
    }

    // MARK: Calls

    /// Over the open connection, or the next one.
    package func call<Call: QueueCall>(_ call: Call) async throws -> Call.Reply { try await client().call(call) }

    /// States whether this client notifies its user of ends; also to the services of later connections. A service
    /// that does not know the call shows no notifications.
    package func attend(_ attends: Bool) async throws {
        state.withLock { $0.attends = attends }
        try await client().attend(attends)
    }

    // MARK: Updates

    /// See ``QueueClient/updates(of:)``. Also ends when there is no service any more; see ``failure``.
    package func updates(of session: String?) -> AsyncStream<QueueUpdate> {
        let client = state.withLock { $0.client }
        // Listening to an open connection starts with this call.
        let listener = Listener(
            self, session, Self.isUsable(client) ? (client, client.updates(of: session).makeAsyncIterator()) : nil)
        return AsyncStream { await listener.next() }
    }

    /// One stream, over all its connections.
    private actor Listener {
        private let owner: ReconnectingQueueClient
        private let session: String?
        private var source: (client: ControlClient, iterator: AsyncStream<QueueUpdate>.Iterator)?
        private var isOver = false

        init(
            _ owner: ReconnectingQueueClient, _ session: String?,
            _ source: sending (client: ControlClient, iterator: AsyncStream<QueueUpdate>.Iterator)?
        ) {
            self.owner = owner
            self.session = session
            self.source = source
        }

        func next() async -> QueueUpdate? {
            while !isOver, !Task.isCancelled {
                if let (client, present) = source {
                    var iterator = present
                    if let update = await iterator.next(isolation: self) { return update }
                    source = nil
                    // The stream ended but the connection did not: the subscription was refused.
                    if ReconnectingQueueClient.isUsable(client) { isOver = true }
                } else if let client = try? await owner.client() {
                    source = (client, client.updates(of: session).makeAsyncIterator())
                } else {
                    isOver = true
                }
            }
            return nil
        }
    }
}
