// SPDX-License-Identifier: MIT

package import SessionCore
import Synchronization
package import TransferControl
package import TransferModel

/// Runs the transfers of one session in the background service: ``SessionCore/BackgroundConnector`` over the control
/// socket.
///
/// Holds the session's lock from ``open(identifier:places:connect:pause:)`` on, reconnects when the service ends or is
/// replaced, and then reconciles the service's state with its own. An end is acknowledged after the delegate has
/// returned: a program killed in between receives it again in its next run.
package final class ServiceConnector: BackgroundConnector {
    /// Connects to the service, and starts it if necessary.
    package typealias Connect = @Sendable () async throws(TransferError) -> any QueueClient

    struct State {
        var ledger: SessionLedger
        var phase = Phase.idle
        var deliver: (@Sendable (BackgroundEvent) -> Void)?
        var run: Task<Void, Never>?
        /// Wakes the worker of the current connection.
        var bell: AsyncStream<Void>.Continuation?
        var isCaughtUp = false
        /// A timer will query events again.
        var isCheckPlanned = false
        /// Seconds until it does.
        var checkDelay = firstDelay
        var waiters: [Int: CheckedContinuation<TransferError?, Never>] = [:]
        var nextWaiter = 0
        var whenClosed: [@Sendable () -> Void] = []
    }

    enum Phase { case idle, away, connected, closing, closed }

    static let firstDelay = 0.05
    static let longestDelay = 30.0

    package let recovered: [BackgroundTask]
    package let nextIdentifier: Int
    let identifier: String
    let folder: SessionFolder
    let connect: Connect
    let pause: @Sendable (Double) async throws -> Void
    private let firstClient: Mutex<(any QueueClient)?>
    let state: Mutex<State>
    /// One call of `tell` at a time.
    private let delivering = Mutex(())

    /// Opens the session and loads what earlier runs have left.
    /// - Parameters:
    ///   - connect: called now, and whenever the connection has ended.
    ///   - pause: waits for so many seconds, or throws if the task is cancelled.
    /// - Throws: code `usage` if the session is already open or the identifier is invalid, `cannotWrite` if its folder
    ///   is unusable; the error of `connect`.
    package static func open(
        identifier: String, places: SessionPlaces = .standard, connect: @escaping Connect,
        pause: @escaping @Sendable (Double) async throws -> Void = { try await Task.sleep(for: .seconds($0)) }
    ) async throws(TransferError) -> ServiceConnector {
        let folder = try SessionFolder(identifier: identifier, places: places)
        let client = try await connect()
        let found = try await Findings(client, session: identifier)
        return ServiceConnector(identifier, folder, client, found, connect, pause)
    }

    private init(
        _ identifier: String, _ folder: SessionFolder, _ client: any QueueClient, _ found: Findings,
        _ connect: @escaping Connect,
        _ pause: @escaping @Sendable (Double) async throws -> Void
    ) {
        (self.identifier, self.folder, self.connect, self.pause) = (identifier, folder, connect, pause)
        firstClient = Mutex(client)
        (recovered, nextIdentifier) = found.tasks()
        var ledger = SessionLedger()
        ledger.overtook(found.overtaken)
        for task in recovered { ledger.recovered(task.identifier, task.snapshot.id) }
        state = Mutex(State(ledger: ledger))
    }

    // MARK: Calls of the session

    package func start(_ deliver: @escaping @Sendable (BackgroundEvent) -> Void) {
        let client = firstClient.withLock { client in
            defer { client = nil }
            return client
        }
        state.withLock { state in
            guard state.phase == .idle else { return }
            state.deliver = deliver
            state.phase = .away
            state.run = Task { await self.run(client) }
        }
    }

    package func handOver(_ order: BackgroundOrder) {
        let token = String(UInt64.random(in: .min ... .max), radix: 36)
        note { $0.handedOver(order, token: token) }
    }

    package func perform(_ command: BackgroundCommand, on task: Int) { note { $0.asked(command, of: task) } }

    package func delivered(_ end: BackgroundEnd) { note { $0.delivered(end.sequence) } }

    /// Changes the ledger and wakes the worker.
    func note(_ change: (inout SessionLedger) -> Void) {
        let bell = state.withLock { state in
            change(&state.ledger)
            return state.bell
        }
        bell?.yield()
    }

    func deliver(_ event: BackgroundEvent) {
        delivering.withLock { _ in state.withLock { $0.phase == .closed ? nil : $0.deliver }?(event) }
    }

    // MARK: Waiting until it is known

    package func waitUntilStored() async throws(TransferError) {
        let number = state.withLock { state in
            defer { state.nextWaiter += 1 }
            return state.nextWaiter
        }
        let failure = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                state.withLock { $0.waiters[number] = continuation }
                // Cancelled before it was added.
                if Task.isCancelled { resumeWaiters([number], TransferError.cancelled) } else { resumeWaitersIfDone() }
            }
        } onCancel: {
            resumeWaiters([number], TransferError.cancelled)
        }
        if let failure { throw failure }
    }

    /// Resumes waiters whose result is known.
    func resumeWaitersIfDone() {
        let (isDone, isClosed, numbers) = state.withLock { state in
            (state.ledger.isSynchronized, state.phase == .closing || state.phase == .closed, Array(state.waiters.keys))
        }
        if isDone { resumeWaiters(numbers, nil) } else if isClosed { resumeWaiters(numbers, .cancelled) }
    }

    /// The service is unreachable: waiters receive the error.
    func failWaiters(_ error: TransferError) { resumeWaiters(state.withLock { Array($0.waiters.keys) }, error) }

    private func resumeWaiters(_ numbers: [Int], _ failure: TransferError?) {
        let waiting = state.withLock { state in numbers.compactMap { state.waiters.removeValue(forKey: $0) } }
        for continuation in waiting { continuation.resume(returning: failure) }
    }

    // MARK: The end

    package func close(_ done: @escaping @Sendable () -> Void) {
        let (isClosed, isIdle, run, bell) = state.withLock {
            state -> (Bool, Bool, Task<Void, Never>?, AsyncStream<Void>.Continuation?) in
            guard state.phase != .closed else { return (true, false, nil, nil) }
            state.whenClosed.append(done)
            defer { state.phase = .closing }
            // If connected, the worker first acknowledges deliveries.
            return (false, state.phase == .idle, state.phase == .away ? state.run : nil, state.bell)
        }
        if isClosed { return done() }
        if isIdle { return closed() }
        run?.cancel()
        bell?.yield()
    }

    func closed() {
        folder.unlock()
        let waiting = state.withLock { state in
            (state.phase, state.run, state.bell, state.deliver) = (.closed, nil, nil, nil)
            defer { state.whenClosed = [] }
            return state.whenClosed
        }
        resumeWaitersIfDone()
        for done in waiting { done() }
    }
}
