// SPDX-License-Identifier: MIT

import NIOCore
import Synchronization

/// Ends an exchange without progress.
///
/// Active only while a direction is set: a server busy with its disk is not idle.
final class ProgressWatch: Sendable {
    enum Direction: Sendable { case incoming, outgoing }

    /// Thrown by a stalled request body. The response can still be sent.
    struct Stalled: Error {}

    private struct State {
        var direction: Direction?
        var lastProgress = NIODeadline.now()
        var bytesWaiting = 0
        var timer: Scheduled<Void>?
        var isStopped = false
        var limit: TimeAmount
        var rate = PeerRate()
        /// The time up to which bytes have been counted.
        var measured = NIODeadline.now()
        /// Bytes passed to the channel, and seconds of waiting for the peer to take them, that ``rate`` lacks.
        var written = 0
        var waited = 0.0
        /// Bytes passed to the channel in all.
        var sent: Int64 = 0

        /// Call it before each change of `direction`.
        mutating func measure(at now: NIODeadline = .now()) {
            let seconds = Double((now - measured).nanoseconds) / 1e9
            measured = now
            switch direction {
            case .incoming: rate.add(0, inSeconds: seconds)
            case .outgoing: waited += seconds
            case nil: break
            }
        }

        /// - Parameter waiting: bytes that the socket has not accepted.
        mutating func measure(waiting: Int, at now: NIODeadline) {
            measure(at: now)
            rate.add(max(0, written + bytesWaiting - waiting), inSeconds: waited)
            (written, waited) = (0, 0)
            guard waiting != bytesWaiting else { return }
            (bytesWaiting, lastProgress) = (waiting, now)
        }
    }

    /// Between two looks at what the socket has accepted.
    private static let interval = TimeAmount.seconds(10)

    private let channel: any Channel
    private let state: Mutex<State>

    init(channel: any Channel, seconds: Double) {
        self.channel = channel
        state = Mutex(State(limit: .nanoseconds(Int64(seconds * 1e9))))
    }

    /// Shortens the timeout.
    func shorten(toSeconds seconds: Double) {
        state.withLock { state in
            state.limit = min(state.limit, .nanoseconds(Int64(seconds * 1e9)))
            state.timer?.cancel()
            state.timer = nil
        }
    }

    func expect(_ direction: Direction?) {
        state.withLock { state in
            let now = NIODeadline.now()
            state.measure(at: now)
            state.direction = direction
            state.lastProgress = now
            guard direction != nil, state.timer == nil, !state.isStopped else { return }
            state.timer = schedule(at: now + min(state.limit, Self.interval))
        }
    }

    /// `bytes` were received, or passed to the channel.
    func progress(_ bytes: Int) {
        state.withLock { state in
            let now = NIODeadline.now()
            state.lastProgress = now
            switch state.direction {
            case .incoming:
                state.measure(at: now)
                state.rate.add(bytes, inSeconds: 0)
            case .outgoing: (state.written, state.sent) = (state.written + bytes, state.sent + Int64(bytes))
            case nil: break
            }
        }
    }

    /// Bytes of content that were sent.
    var sent: Int64 { state.withLock { $0.sent } }

    /// A response of so many bytes was passed to the channel as a whole.
    func sentWhole(_ bytes: Int) { state.withLock { $0.sent += Int64(bytes) } }

    /// Bytes per second of the peer, as ``PeerRate`` has it.
    func bytesPerSecond(afterSeconds least: Double) -> Double? {
        state.withLock { state in
            // What the socket accepts is known only by the timer.
            if state.direction == .incoming { state.measure() }
            return state.rate.bytesPerSecond(afterSeconds: least)
        }
    }

    func stop() {
        let timer = state.withLock { state in
            state.isStopped = true
            defer { state.timer = nil }
            return state.timer
        }
        timer?.cancel()
    }

    private func schedule(at deadline: NIODeadline) -> Scheduled<Void> {
        channel.eventLoop.scheduleTask(deadline: deadline) { self.timerFired() }
    }

    private func timerFired() {
        // A large write takes long on a slow line; as long as the socket accepts bytes, there is progress.
        let waiting = try? channel.syncOptions?.getOption(ChannelOptions.bufferedWritableBytes)
        let stalled = state.withLock { state -> Direction? in
            state.timer = nil
            guard !state.isStopped else { return nil }
            let now = NIODeadline.now()
            // Also during a read between two writes.
            if let waiting, state.direction == .outgoing || state.written > 0 || state.bytesWaiting > 0 {
                state.measure(waiting: waiting, at: now)
            }
            guard let direction = state.direction else { return nil }
            guard state.lastProgress + state.limit <= now else {
                state.timer = schedule(at: min(state.lastProgress + state.limit, now + Self.interval))
                return nil
            }
            return direction
        }
        switch stalled {
        case .incoming: channel.pipeline.fireErrorCaught(Stalled())
        case .outgoing: channel.close(promise: nil)
        case nil: break
        }
    }
}
