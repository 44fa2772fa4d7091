// SPDX-License-Identifier: MIT

import Foundation
import Glibc
import Platform
import Synchronization
import TransferModel

/// What was read of a stream and is not confirmed by the server, so that a broken connection loses nothing.
///
/// A thread reads, only while there is room: a slow server stops the program that writes the stream. The thread ends
/// with the stream, or when the spool is released. Thread-safe.
final class StreamSpool: Sendable {
    /// Bytes that may be unconfirmed.
    static let capacity: Int64 = 16 << 20
    /// So many new bytes are worth a request, fewer if no more come for ``patience`` seconds.
    static let portion: Int64 = 1 << 20
    static let patience = 0.25

    private let reader: Reader

    /// - Parameters:
    ///   - descriptor: stays the caller's, and open until the spool is released.
    ///   - changed: called on the reading thread when there is something worth sending, and at the end.
    init(descriptor: Int32, changed: @escaping @Sendable () -> Void) throws(TransferError) {
        do {
            reader = Reader(descriptor, try Descriptor.pipe(), changed)
        } catch { throw TransferError(.cannotReadSource, file: .readInput, systemErrno: error.errno) }
        let reader = reader
        Thread.detachNewThread { reader.run() }
    }

    deinit { reader.stop() }

    /// The first byte that is held.
    var start: Int64 { reader.held.withLock { $0.start } }
    /// Behind the last byte that was read.
    var end: Int64 { reader.held.withLock { $0.end } }
    /// No more bytes will come.
    var hasEnded: Bool { reader.held.withLock { $0.hasEnded } }
    /// Why it could not be read to its end.
    var failure: TransferError? { reader.held.withLock { $0.failure } }

    /// - Parameter range: within what is held.
    func bytes(_ range: Range<Int64>) -> [UInt8] { reader.held.withLock { $0.bytes(range) } }

    /// The server has everything below `offset`.
    func discard(below offset: Int64) {
        reader.held.withLock { $0.discard(below: offset) }
        reader.wake()
    }
}

extension StreamSpool {
    /// Bytes in order, in pieces as they were read. A value without I/O.
    struct Held: Sendable {
        private var pieces: [[UInt8]] = []
        private(set) var start: Int64 = 0
        private(set) var end: Int64 = 0
        /// ``end`` when the owner was notified last.
        var notifiedEnd: Int64 = 0
        var hasEnded = false
        var failure: TransferError?
        var isStopped = false

        init() {}

        var room: Int64 { max(0, StreamSpool.capacity - (end - start)) }
        var unnotified: Int64 { end - notifiedEnd }

        mutating func append(_ piece: [UInt8]) {
            pieces.append(piece)
            end += Int64(piece.count)
        }

        /// Drops whole pieces: a few bytes more may stay.
        mutating func discard(below offset: Int64) {
            var count = 0
            while count < pieces.count, start + Int64(pieces[count].count) <= offset {
                start += Int64(pieces[count].count)
                count += 1
            }
            pieces.removeFirst(count)
        }

        func bytes(_ range: Range<Int64>) -> [UInt8] {
            var result: [UInt8] = []
            result.reserveCapacity(range.count)
            var position = start
            for piece in pieces {
                let next = position + Int64(piece.count)
                if next > range.lowerBound, position < range.upperBound {
                    let first = Int(max(range.lowerBound - position, 0))
                    let last = Int(min(range.upperBound, next) - position)
                    result += piece[first..<last]
                }
                position = next
            }
            return result
        }
    }

    /// Shared by the spool and its thread.
    private final class Reader: Sendable {
        let held = Mutex(Held())
        private let descriptor: Int32
        private let waking: (reading: Descriptor, writing: Descriptor)
        private let changed: @Sendable () -> Void

        init(
            _ descriptor: Int32, _ waking: (reading: Descriptor, writing: Descriptor),
            _ changed: @escaping @Sendable () -> Void
        ) {
            (self.descriptor, self.waking, self.changed) = (descriptor, waking, changed)
        }

        func stop() {
            held.withLock { $0.isStopped = true }
            wake()
        }

        func wake() {
            var byte: UInt8 = 0
            _ = write(waking.writing.number, &byte, 1)
        }

        func run() {
            var buffer = [UInt8](repeating: 0, count: 1 << 18)
            while let (room, isWaiting) = held.withLock({ $0.isStopped ? nil : ($0.room, $0.unnotified > 0) }) {
                switch wait(mayRead: room > 0, isWaiting: isWaiting) {
                case .silence: notify()
                case .woken: break
                case .readable:
                    let count = read(descriptor, &buffer, min(buffer.count, Int(room)))
                    if count > 0 {
                        took(Array(buffer[..<count]))
                    } else if count == 0 || (errno != EINTR && errno != EAGAIN) {
                        return end(count == 0 ? 0 : errno)
                    }
                }
            }
        }

        private enum Wake { case readable, woken, silence }

        private func wait(mayRead: Bool, isWaiting: Bool) -> Wake {
            var polled = [pollfd(fd: waking.reading.number, events: Int16(POLLIN), revents: 0)]
            if mayRead { polled.append(pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)) }
            let count = poll(&polled, nfds_t(polled.count), isWaiting ? Int32(StreamSpool.patience * 1000) : -1)
            if count == 0 { return .silence }
            if count > 0, polled[0].revents != 0 {
                var bytes = [UInt8](repeating: 0, count: 64)
                _ = read(waking.reading.number, &bytes, bytes.count)
                return .woken
            }
            return count > 0 ? .readable : .woken
        }

        private func took(_ piece: [UInt8]) {
            let isWorth = held.withLock { held in
                held.append(piece)
                return held.unnotified >= StreamSpool.portion || held.room == 0
            }
            if isWorth { notify() }
        }

        private func end(_ errno: Int32) {
            held.withLock { held in
                held.hasEnded = errno == 0
                if errno != 0 {
                    held.failure = TransferError(.cannotReadSource, file: .readInput, systemErrno: errno)
                }
            }
            notify()
        }

        private func notify() {
            held.withLock { $0.notifiedEnd = $0.end }
            changed()
        }
    }
}
