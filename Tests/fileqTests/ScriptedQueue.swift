// SPDX-License-Identifier: MIT

import Synchronization
import TransferControl
import TransferModel
import TransferTesting

@testable import fileq

/// A queue in memory that does what its script says.
final class ScriptedQueue: QueueClient {
    /// What is sent once transfers have been added; the stream ends with `end`.
    enum Step: Sendable {
        case update(QueueUpdate)
        /// Nothing more until the queue is stopped; then what follows.
        case untilStopped
        /// Nothing more until so many commands have been given.
        case untilCommands(Int)
        /// What ``snapshot()`` gives from now on.
        case stand(QueueSnapshot)
        /// Does something on the way, such as sending a signal.
        case run(@Sendable () -> Void)
        case end
    }

    private struct State {
        var steps: [Step] = []
        var added: [Spec] = []
        var listener: AsyncStream<QueueUpdate>.Continuation?
        var stops = 0
        var commands: [QueueCommand] = []
        var snapshot = QueueSnapshot()
    }

    private let state: Mutex<State>
    private let refusal: TransferError?

    init(_ steps: [Step], refusing refusal: TransferError? = nil) {
        state = Mutex(State(steps: steps))
        self.refusal = refusal
    }

    var added: [Spec] { state.withLock { $0.added } }
    var commands: [QueueCommand] { state.withLock { $0.commands } }
    var stops: Int { state.withLock { $0.stops } }

    var running: RunningQueue { RunningQueue(client: self, stop: { self.stop() }) }

    func add(_ descriptions: [Spec], on terms: TransferTerms) async throws -> [TransferID] {
        if let refusal { throw refusal }
        state.withLock { $0.added += descriptions }
        play()
        return descriptions.indices.map { TransferID(rawValue: $0 + 1) }
    }

    func perform(_ command: QueueCommand, on ids: [TransferID]) async throws {
        state.withLock { $0.commands.append(command) }
        play()
    }
    func setLimits(_ limits: QueueLimits) async throws {}
    func snapshot() async throws -> QueueSnapshot { state.withLock { $0.snapshot } }

    func updates() -> AsyncStream<QueueUpdate> {
        let (stream, continuation) = AsyncStream.makeStream(of: QueueUpdate.self)
        continuation.yield(.snapshot(QueueSnapshot()))
        state.withLock { $0.listener = continuation }
        return stream
    }

    private func stop() {
        let isFirst = state.withLock { state in
            state.stops += 1
            if let index = state.steps.firstIndex(where: { if case .untilStopped = $0 { true } else { false } }) {
                state.steps.removeSubrange(...index)
            }
            return state.stops == 1
        }
        if isFirst { play() }
    }

    private func play() {
        while let step = next() {
            switch step {
            case .update(let update): state.withLock { _ = $0.listener?.yield(update) }
            case .run(let action): action()
            case .end: state.withLock { $0.listener?.finish() }
            case .stand(let snapshot): state.withLock { $0.snapshot = snapshot }
            case .untilStopped, .untilCommands: return
            }
        }
    }

    private func next() -> Step? {
        state.withLock { state in
            guard let step = state.steps.first else { return nil }
            if case .untilStopped = step, state.stops == 0 { return nil }
            if case .untilCommands(let count) = step {
                guard state.commands.count >= count else { return nil }
                state.steps.removeFirst()
                return .run {}
            }
            state.steps.removeFirst()
            return step
        }
    }
}

/// Events of one transfer, written shortly.
struct Script {
    var transfer: Transfer
    var time = 1_700_000_000.0

    init(id: Int = 1, kind: TransferKind = .download, file: String = "big.iso", total: Int64? = nil) {
        transfer = Transfer(
            id: TransferID(rawValue: id), kind: kind, url: "http://example.org/\(file)",
            file: file, state: .queued)
        transfer.total = total
    }

    mutating func event(
        _ name: TransferEvent.Name, _ state: TransferState, after seconds: Double = 0,
        change: (inout TransferForm) -> Void = { _ in }
    ) -> TransferEvent {
        time += seconds
        transfer.edit { form in
            form.state = state
            change(&form)
        }
        return TransferEvent(time: time, name: name, transfer: transfer)
    }

    mutating func failed(_ code: TransferError.Code, _ message: String, after seconds: Double = 0) -> TransferEvent {
        event(.failed, .failed, after: seconds) { $0.error = TransferError(code, message) }
    }
}
