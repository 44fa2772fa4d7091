// SPDX-License-Identifier: MIT

import Dispatch
import Platform
import TransferControl
import TransferTesting

/// A connection to the control server, below the real code of both sides: bytes come in pieces, late, or no more.
final class ControlPipe: @unchecked Sendable {  // Used on one thread.
    /// What the seed makes of it.
    struct Pace {
        /// Bytes that the other side has not read; beyond, a side waits.
        var capacity = 1 << 18
        /// Of a hundred pieces, how many are cut, and come late.
        var lateness = 0
        /// Seconds.
        var delay = 0.0
    }

    private let machine: Machine
    fileprivate let pace: Pace
    let client: End
    let server: End

    init(_ machine: Machine, _ pace: Pace) {
        (self.machine, self.pace) = (machine, pace)
        (client, server) = (End(machine, pace), End(machine, pace))
        (client.peer, server.peer) = (server, client)
    }

    /// The client's process is gone: what it has sent arrives, and nothing else.
    func dropClient() { client.fail() }

    /// Neither side exists any more.
    func abandon() {
        // Each closes its connection, as nothing refers to it then.
        client.abandon()
        server.abandon()
    }

    /// What one side has of it.
    final class End: ByteChannel, @unchecked Sendable {  // Used on one thread.
        private let machine: Machine
        private let pace: Pace
        fileprivate var peer: End?
        private var arrived: [UInt8] = []
        /// Sent to it and not read, also on their way.
        private var unread = 0
        private var lastArrival = 0.0
        private var isAtEnd = false
        private var isBroken = false
        private(set) var isEnded = false
        private var queue: DispatchQueue?
        private var handle: (@Sendable (DescriptorWatch.Readiness) -> Void)?
        private var awaited: DescriptorWatch.Readiness = []

        fileprivate init(_ machine: Machine, _ pace: Pace) { (self.machine, self.pace) = (machine, pace) }

        func start(on queue: DispatchQueue, _ handle: @escaping @Sendable (DescriptorWatch.Readiness) -> Void) {
            (self.queue, self.handle) = (queue, handle)
        }

        func notify(when readiness: DescriptorWatch.Readiness) {
            awaited = readiness
            report()
        }

        func send(_ bytes: UnsafeRawBufferPointer) -> ChannelResult {
            guard !isBroken, let peer, !peer.isEnded else { return .failed }
            let free = pace.capacity - peer.unread
            guard free > 0 else { return .notReady }
            var (count, delay) = (min(bytes.count, free), 0.0)
            if pace.lateness > 0, Int.random(in: 0..<100, using: &machine.random) < pace.lateness {
                count = Int.random(in: 1...count, using: &machine.random)
                delay = Double.random(in: 0...pace.delay, using: &machine.random)
            }
            peer.unread += count
            let piece = Array(bytes.prefix(count))
            pass(to: peer, after: delay) { $0.take(piece) }
            return .moved(count)
        }

        /// After everything that was passed before.
        private func pass(to peer: End, after delay: Double, _ body: @escaping (End) -> Void) {
            peer.lastArrival = max(peer.lastArrival, machine.now + delay)
            machine.schedule(at: peer.lastArrival, "control") { body(peer) }
        }

        private func take(_ piece: [UInt8]) {
            guard !isEnded, !isBroken else { return }
            arrived += piece
            report()
        }

        func receive(into buffer: UnsafeMutableRawBufferPointer) -> ChannelResult {
            if isBroken { return .failed }
            guard !arrived.isEmpty else { return isAtEnd ? .endOfInput : .notReady }
            let count = min(buffer.count, arrived.count)
            buffer.copyBytes(from: arrived.prefix(count))
            arrived.removeFirst(count)
            unread -= count
            peer?.report()
            return .moved(count)
        }

        func end() {
            guard !isEnded else { return }
            isEnded = true
            (handle, queue) = (nil, nil)
            guard let peer else { return }
            // As of a socket with unread bytes.
            let isReset = !arrived.isEmpty
            pass(to: peer, after: 0) { isReset ? $0.fail() : $0.finishInput() }
            peer.report()
        }

        private func finishInput() {
            isAtEnd = true
            report()
        }

        func fail() {
            isBroken = true
            report()
        }

        fileprivate func abandon() {
            (isBroken, peer) = (true, nil)
            handle?([.reading, .writing])
            (queue, handle, arrived) = (nil, nil, [])
        }

        private func report() {
            guard let queue, let handle else { return }
            var ready: DescriptorWatch.Readiness = []
            if isBroken || isAtEnd || !arrived.isEmpty { ready.insert(.reading) }
            if isBroken || peer?.isEnded != false || peer.map({ $0.unread < pace.capacity }) == true {
                ready.insert(.writing)
            }
            let due = isBroken ? [.reading, .writing] : ready.intersection(awaited)
            guard !due.isEmpty else { return }
            awaited = []
            queue.async { handle(due) }
        }
    }
}
