// SPDX-License-Identifier: MIT

import Glibc
import NIOCore
import Synchronization

/// All open connections, to close them at shutdown and to make room.
final class OpenConnections: Sendable {
    private struct State {
        var table: ConnectionTable<ObjectIdentifier>
        var channels: [ObjectIdentifier: any Channel] = [:]
        /// The progress of running requests.
        var watches: [ObjectIdentifier: ProgressWatch] = [:]
        /// A full table is looked at again.
        var isWaiting = false
    }

    let buffers: ReceiveBuffers
    private let leastRate: Double
    private let leastRateSeconds: Double
    private let state: Mutex<State>

    /// - Parameter rate: the server's own limit, bytes per second for each connection.
    init(limits: FileServerConfiguration.Limits, rate: Int?, buffers: ReceiveBuffers) {
        self.buffers = buffers
        leastRate = min(limits.leastRate, rate.map { Double($0) / 2 } ?? .infinity)
        leastRateSeconds = limits.leastRateSeconds
        state = Mutex(
            State(table: ConnectionTable(limit: limits.connections, limitPerAddress: limits.connectionsPerAddress)))
    }

    /// Closes another connection if the table is full. On the channel's event loop.
    /// - Returns: `false` if this one must be closed.
    func add(_ channel: any Channel) -> Bool {
        let id = ObjectIdentifier(channel)
        let address = Self.network(of: channel.remoteAddress?.ipAddress ?? "")
        let (isAdmitted, replaced, mustWait) = state.withLock { state -> (Bool, (any Channel)?, Bool) in
            defer { buffers.adapt(to: state.channels.count) }
            let slowness = self.slowness(of: state.watches)
            switch state.table.open(id, from: address, at: Self.now(), slowness: slowness) {
            case .refused: return (false, nil, false)
            case .admitted:
                state.channels[id] = channel
                let mustWait = state.table.isFull && !state.isWaiting
                if mustWait { state.isWaiting = true }
                return (true, nil, mustWait)
            case .replaces(let other):
                state.channels[id] = channel
                return (true, state.channels.removeValue(forKey: other), false)
            }
        }
        replaced?.close(promise: nil)
        guard isAdmitted else { return false }
        channel.closeFuture.whenComplete { _ in
            self.state.withLock { state in
                state.table.close(id)
                (state.channels[id], state.watches[id]) = (nil, nil)
                self.buffers.adapt(to: state.channels.count)
            }
        }
        if mustWait { waitForRoom(on: channel.eventLoop) }
        return true
    }

    func requestBegan(on channel: any Channel, _ watch: ProgressWatch) {
        let id = ObjectIdentifier(channel)
        state.withLock { state in
            state.table.setBusy(id, true, at: Self.now())
            if state.channels[id] != nil { state.watches[id] = watch }
        }
    }

    /// The handler has passed the whole response to the channel, which may hold some of it for a while: until the
    /// socket has accepted that, closing the connection would cut it off.
    func requestEnded(on channel: any Channel) {
        let id = ObjectIdentifier(channel)
        state.withLock { $0.watches[id] = nil }
        // Behind the writes of the response.
        channel.eventLoop.execute {
            self.becomeIdle(channel, since: Self.now(), waiting: Self.bytesWaiting(in: channel))
        }
    }

    /// Once the socket has accepted the response, or the peer takes it too slowly. On the event loop of `channel`.
    /// - Parameters:
    ///   - begin: since when the peer is measured.
    ///   - before: the bytes that waited then.
    private func becomeIdle(_ channel: any Channel, since begin: Double, waiting before: Int) {
        let id = ObjectIdentifier(channel)
        let (now, waiting) = (Self.now(), Self.bytesWaiting(in: channel))
        let isMeasured = now - begin >= leastRateSeconds
        let isSlow = isMeasured && Double(before - waiting) < leastRate * (now - begin)
        let isIdle = waiting == 0 || isSlow
        let mustWait = state.withLock { state -> Bool in
            // Closed, or the next request has begun.
            guard state.channels[id] != nil, state.watches[id] == nil else { return false }
            if isIdle { state.table.setBusy(id, false, at: now) }
            return !isIdle
        }
        guard mustWait else { return }
        channel.eventLoop.scheduleTask(in: .milliseconds(100)) {
            self.becomeIdle(channel, since: isMeasured ? now : begin, waiting: isMeasured ? waiting : before)
        }
    }

    /// Bytes that the socket has not accepted.
    private static func bytesWaiting(in channel: any Channel) -> Int {
        (try? channel.syncOptions?.getOption(ChannelOptions.bufferedWritableBytes)) ?? 0
    }

    /// Seconds since some fixed moment.
    private static func now() -> Double { Double(NIODeadline.now().uptimeNanoseconds) / 1e9 }

    func closeAll() {
        for channel in state.withLock({ Array($0.channels.values) }) { channel.close(promise: nil) }
    }

    /// With a full table, the listener accepts no connection for which another could be closed: looks again and again
    /// for one that has been idle for some time, or is slow enough.
    private func waitForRoom(on eventLoop: any EventLoop) {
        eventLoop.scheduleTask(in: .milliseconds(250)) {
            let (closed, mustWait) = self.state.withLock { state -> ((any Channel)?, Bool) in
                let slowness = self.slowness(of: state.watches)
                let closed = state.table.makeRoom(at: Self.now(), slowness: slowness)
                    .flatMap { state.channels.removeValue(forKey: $0) }
                state.isWaiting = state.table.isFull
                return (closed, state.isWaiting)
            }
            closed?.close(promise: nil)
            if mustWait { self.waitForRoom(on: eventLoop) }
        }
    }

    private func slowness(of watches: [ObjectIdentifier: ProgressWatch]) -> (ObjectIdentifier) -> Double? {
        { id in
            watches[id]?.bytesPerSecond(afterSeconds: self.leastRateSeconds).flatMap { $0 < self.leastRate ? $0 : nil }
        }
    }

    /// The clients that share a limit: an IPv4 address, or an IPv6 network of 64 bits, of which a client can have all
    /// addresses.
    static func network(of address: String) -> String {
        var six = in6_addr()
        guard inet_pton(AF_INET6, address, &six) == 1 else { return address }
        let bytes = withUnsafeBytes(of: &six) { Array($0) }
        let mapped = Array(repeating: UInt8(0), count: 10) + [0xff, 0xff]
        guard !bytes.starts(with: mapped) else { return bytes.dropFirst(12).map { String($0) }.joined(separator: ".") }
        return bytes.prefix(8).map { String($0, radix: 16) }.joined(separator: ":") + "/64"
    }
}
