// SPDX-License-Identifier: MIT

import Dispatch
import HTTPTypes
import Synchronization
import TransferModel

/// Passes a response body from its task to its reader.
///
/// The buffer is limited: beyond 1 MiB the task is suspended. Suspended and resumed only on the delegate queue, so that
/// neither overtakes the other.
final class BodyFlow: Sendable {
    typealias Piece = Result<[UInt8]?, TransferError>

    private struct Guarded {
        /// Retained by its session while it runs.
        weak var task: TransferTask?
        var waiting: [UInt8] = []
        var ending: Piece?
        var reader: CheckedContinuation<Piece, Never>?
        var isSuspended = false
    }

    static let capacity = 1 << 20
    let head = OneValue<Result<HTTPResponse, TransferError>>()
    private let queue: DispatchQueue
    private let guarded = Mutex(Guarded())

    /// - Parameter queue: the session's delegate queue.
    init(queue: DispatchQueue) { self.queue = queue }

    func setTask(_ task: TransferTask) { guarded.withLock { $0.task = task } }

    /// On the delegate queue.
    func take(_ event: TaskEvent) {
        switch event {
        case .response(let response): head.put(.success(response))
        case .data(let bytes):
            give { $0.waiting += bytes }
            adjust()
        case .completed(let error):
            head.put(.failure(error ?? TransferError(.notHTTP, .noResponse)))
            give { $0.ending = error.map { .failure($0) } ?? .success(nil) }
        default: break
        }
    }

    /// All buffered bytes, else the next ones; `nil` at the end. One call at a time.
    func next() async -> Piece {
        let piece = await withCheckedContinuation { continuation in
            let (piece, replaced) = guarded.withLock { guarded -> (Piece?, CheckedContinuation<Piece, Never>?) in
                if let piece = Self.piece(&guarded) { return (piece, nil) }
                defer { guarded.reader = continuation }
                return (nil, guarded.reader)
            }
            replaced?.resume(returning: .failure(TransferError(.sessionSecondReader)))
            if let piece { continuation.resume(returning: piece) }
        }
        queue.async { self.adjust() }
        return piece
    }

    private func give(_ change: (inout Guarded) -> Void) {
        let (reader, piece) = guarded.withLock { guarded -> (CheckedContinuation<Piece, Never>?, Piece?) in
            change(&guarded)
            guard let reader = guarded.reader, let piece = Self.piece(&guarded) else { return (nil, nil) }
            guarded.reader = nil
            return (reader, piece)
        }
        if let reader, let piece { reader.resume(returning: piece) }
    }

    private static func piece(_ guarded: inout Guarded) -> Piece? {
        guard !guarded.waiting.isEmpty else { return guarded.ending }
        defer { guarded.waiting = [] }
        return .success(guarded.waiting)
    }

    /// On the delegate queue: suspends or resumes the task, depending on the buffer.
    private func adjust() {
        let (task, suspends) = guarded.withLock { guarded -> (TransferTask?, Bool) in
            let count = guarded.waiting.count
            let suspends = guarded.isSuspended ? count >= Self.capacity / 2 : count > Self.capacity
            guard suspends != guarded.isSuspended else { return (nil, false) }
            guarded.isSuspended = suspends
            return (guarded.task, suspends)
        }
        if suspends { task?.suspend() } else { task?.resume() }
    }
}

/// Represents the reader: when it is released, the task is cancelled.
final class BodyReading: Sendable {
    let task: TransferTask
    private let flow: BodyFlow

    init(task: TransferTask, flow: BodyFlow) {
        self.task = task
        self.flow = flow
    }

    deinit { task.cancel() }

    func next(isolation actor: isolated (any Actor)?) async throws(TransferError) -> [UInt8]? {
        try await withTaskCancellationHandler {
            await flow.next()
        } onCancel: {
            task.cancel()
        }.get()
    }
}

/// A value passed to its reader, in either order. The first one counts.
final class OneValue<Value: Sendable>: Sendable {
    private enum State {
        case empty
        case waiting(CheckedContinuation<Value, Never>)
        case full(Value)
        case taken
    }

    private let state = Mutex(State.empty)

    func put(_ value: Value) {
        let waiting: CheckedContinuation<Value, Never>? = state.withLock { state in
            switch state {
            case .empty: state = .full(value)
            case .waiting(let continuation):
                state = .taken
                return continuation
            case .full, .taken: break
            }
            return nil
        }
        waiting?.resume(returning: value)
    }

    /// To be called once.
    func take() async -> Value {
        await withCheckedContinuation { continuation in
            let value: Value? = state.withLock { state in
                if case .full(let value) = state {
                    state = .taken
                    return value
                }
                state = .waiting(continuation)
                return nil
            }
            if let value { continuation.resume(returning: value) }
        }
    }
}
