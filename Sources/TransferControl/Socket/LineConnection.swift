// SPDX-License-Identifier: MIT

import Dispatch
import FoundationEssentials
import Platform
import Synchronization
import TransferModel

/// A connection that carries lines, for client and server.
///
/// I/O happens on `queue`, which never blocks on the peer. Lines are sent in the order of ``send(_:isDroppable:)``.
final class LineConnection: @unchecked Sendable {
    // Sendable: channel and framer are used on `queue` only; all else is under the mutex.

    enum Event: Sendable {
        case line([UInt8])
        /// A line was longer than allowed; nothing more is read.
        case tooLong
        /// The peer has shut down writing; it may still read.
        case endOfInput
        /// The connection is closed. Comes once, and last.
        case closed
    }

    private struct Shared {
        var outgoing = OutgoingQueue()
        var isClosed = false
        var isFlushing = false
        var closesWhenSent = false
        var waiting: [Waiter] = []
    }

    private struct Waiter {
        let limit: Int
        let continuation: CheckedContinuation<Void, Never>
    }

    private let channel: any ByteChannel
    private let queue: DispatchQueue
    /// The send buffer size above which this side slows down.
    private let outgoingLimit: Int
    private let shared = Mutex(Shared())
    /// Between the start and closing.
    private var isStarted = false
    /// The readiness that the channel is asked to report next.
    private var awaited: DescriptorWatch.Readiness = []
    private var framer: LineFramer
    private var handle: (@Sendable (Event) -> Void)?
    private var isReading = false
    private var isWriting = false
    private var isAtEnd = false

    init(_ channel: any ByteChannel, queue: DispatchQueue, maximumLine: Int, outgoingLimit: Int) {
        self.channel = channel
        self.queue = queue
        self.outgoingLimit = outgoingLimit
        framer = LineFramer(maximum: maximumLine)
    }

    /// Starts reading. Once, before all else.
    /// - Parameter handle: called on `queue`, one event after the other, until ``Event/closed``.
    func start(_ handle: @escaping @Sendable (Event) -> Void) {
        queue.async { [self] in
            self.handle = handle
            do throws(SystemError) {
                try channel.start(on: queue) { [weak self] in self?.isReady($0) }
                isStarted = true
            } catch {
                return closeHere()
            }
            setReadingHere(true)
        }
    }

    private func isReady(_ readiness: DescriptorWatch.Readiness) {
        awaited = []
        if isReading, readiness.contains(.reading) { readSome() }
        if isWriting, readiness.contains(.writing) { writeSome() }
        awaitReadiness()
    }

    private func awaitReadiness() {
        var wanted: DescriptorWatch.Readiness = []
        if isReading { wanted.insert(.reading) }
        if isWriting { wanted.insert(.writing) }
        guard isStarted, !wanted.isSubset(of: awaited) else { return }
        awaited = wanted
        channel.notify(when: wanted)
    }

    // MARK: Sending

    /// Any thread. Drops lines after closing.
    /// - Parameter isDroppable: whether it counts for ``isBehind``.
    func send(_ line: Data, isDroppable: Bool = false) {
        let startsFlushing = shared.withLock { shared in
            guard !shared.isClosed, !shared.closesWhenSent else { return false }
            shared.outgoing.append(line, isDroppable: isDroppable)
            defer { shared.isFlushing = true }
            return !shared.isFlushing
        }
        if startsFlushing { queue.async { [self] in writeSome() } }
    }

    /// Whether sent lines can still arrive.
    var isOpen: Bool { shared.withLock { !$0.isClosed } }

    /// Whether the peer has too many droppable bytes unread.
    var isBehind: Bool { shared.withLock { $0.outgoing.droppableBytes > outgoingLimit } }

    /// Returns when the send buffer is below its limit, or the connection is closed.
    func waitForCapacity() async { await wait(until: outgoingLimit) }

    /// Returns when everything is sent, or the connection is closed.
    func waitUntilSent() async { await wait(until: 0) }

    private func wait(until limit: Int) async {
        await withCheckedContinuation { continuation in
            let isDone = shared.withLock { shared in
                if shared.isClosed || shared.outgoing.bytes <= limit { return true }
                shared.waiting.append(Waiter(limit: limit, continuation: continuation))
                return false
            }
            if isDone { continuation.resume() }
        }
    }

    /// On `queue`. Sends what the kernel accepts, and schedules the rest.
    private func writeSome() {
        while true {
            guard
                let next = shared.withLock({ shared in
                    shared.isFlushing = shared.outgoing.next != nil
                    return shared.outgoing.next
                })
            else {
                setWritingHere(false)
                if shared.withLock({ $0.closesWhenSent }) { closeHere() }
                return
            }
            let count: Int
            switch next.withUnsafeBytes({ channel.send($0) }) {
            case .moved(let sent): count = sent
            case .notReady: return setWritingHere(true)
            case .endOfInput, .failed: return closeHere()
            }
            let ready = shared.withLock { shared in
                shared.outgoing.sent(count)
                let bytes = shared.outgoing.bytes
                let ready = shared.waiting.filter { $0.limit >= bytes }
                if !ready.isEmpty { shared.waiting.removeAll { $0.limit >= bytes } }
                return ready
            }
            for waiter in ready { waiter.continuation.resume() }
        }
    }

    // MARK: Reading

    /// Any thread. While reading is off, the kernel's buffer fills and the peer blocks.
    func setReading(_ isOn: Bool) {
        queue.async { [self] in setReadingHere(isOn) }
    }

    private func readSome() {
        guard isReading else { return }
        withUnsafeTemporaryAllocation(byteCount: 65_536, alignment: 1) { buffer in
            let count: Int
            switch channel.receive(into: buffer) {
            case .moved(let received): count = received
            case .notReady: return
            case .failed: return closeHere()
            case .endOfInput:
                endReading()
                handle?(.endOfInput)
                return
            }
            for output in framer.receive(UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(buffer)[..<count])) {
                switch output {
                case .line(let line): handle?(.line(line))
                case .tooLong:
                    endReading()
                    handle?(.tooLong)
                }
            }
        }
    }

    private func endReading() {
        setReadingHere(false)
        isAtEnd = true
    }

    // MARK: Closing

    /// Any thread. Flushes first, if the peer reads.
    func closeWhenSent() {
        shared.withLock { $0.closesWhenSent = true }
        queue.async { [self] in writeSome() }
    }

    /// Any thread. Sends only what the kernel accepts immediately.
    func close() {
        queue.async { [self] in
            writeSome()
            closeHere()
        }
    }

    private func closeHere() {
        let waiting: [Waiter]? = shared.withLock { shared in
            guard !shared.isClosed else { return nil }
            shared.isClosed = true
            shared.outgoing.removeAll()
            defer { shared.waiting = [] }
            return shared.waiting
        }
        guard let waiting else { return }
        for waiter in waiting { waiter.continuation.resume() }
        isStarted = false
        channel.end()
        (isReading, isWriting, isAtEnd) = (false, false, true)
        let last = handle
        handle = nil
        last?(.closed)
    }

    private func setReadingHere(_ isOn: Bool) {
        guard isOn != isReading, !isAtEnd, isOpen else { return }
        isReading = isOn
        awaitReadiness()
    }

    private func setWritingHere(_ isOn: Bool) {
        guard isOn != isWriting, isOpen else { return }
        isWriting = isOn
        awaitReadiness()
    }
}
