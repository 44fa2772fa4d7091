// SPDX-License-Identifier: MIT

import Synchronization
import TransferControl
import TransferModel
import TransferTesting

@testable import fileq

/// A queue in memory that does what its script says.
final class ScriptedQueue: Sendable {
    /// What is sent once transfers have been added; the stream ends with `end`.
    enum Step: Sendable {
        case update(QueueUpdate)
        /// Nothing more until the queue is stopped; then what follows.
        case untilStopped
        /// Nothing more until so many commands have been given.
        case untilCommands(Int)
        /// The transfers of the queue from now on.
        case stand(QueueSnapshot)
        /// Does something on the way, such as sending a signal.
        case run(@Sendable () -> Void)
        case end
    }

    private let state: Mutex<(steps: [Step], stops: Int)>
    private let queue = FakeQueue()

    init(_ steps: [Step], refusing refusal: TransferError? = nil) {
        state = Mutex((steps, 0))
        queue.on(AddParams.self) { [weak self] _, call in
            if let refusal { throw refusal }
            self?.play()
            return .init(ids: call.transfers.indices.map { TransferID(rawValue: $0 + 1) })
        }
        queue.on(PerformCall.self) { [weak self] _, _ in
            self?.play()
            return Done()
        }
    }

    var added: [Spec] { queue.added }
    var commands: [QueueCommand] { queue.performed.map(\.command) }
    var stops: Int { state.withLock { $0.stops } }

    var running: RunningQueue { RunningQueue(client: queue, stop: { self.stop() }) }

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
            case .update(let update): queue.post(update)
            case .run(let action): action()
            case .end: queue.end()
            case .stand(let snapshot): queue.contents.withLock { $0.transfers = snapshot.transfers }
            case .untilStopped, .untilCommands: return
            }
        }
    }

    private func next() -> Step? {
        let given = commands.count
        return state.withLock { state in
            guard let step = state.steps.first else { return nil }
            if case .untilStopped = step, state.stops == 0 { return nil }
            if case .untilCommands(let count) = step {
                guard given >= count else { return nil }
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
