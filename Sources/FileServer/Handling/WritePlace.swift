// SPDX-License-Identifier: MIT

import NIOCore
import Synchronization

/// Where received bytes are written: on the event loop of their connection, whose processor has them in its cache, or
/// on the thread pool, where a slow disk holds up no other connection.
///
/// The event loop writes for a few connections to a local disk. After a slow write, the pool does for a while.
final class WritePlace: Sendable {
    /// The other connections of an event loop wait as long.
    static let slow = TimeAmount.milliseconds(50)
    static let pause = TimeAmount.seconds(10)

    private let canBeEventLoop: Bool
    private let buffers: ReceiveBuffers
    private let slowUntil = Atomic<UInt64>(0)

    /// - Parameters:
    ///   - canBeEventLoop: the disk is local, and event loops have no other work with the bytes, such as TLS.
    ///   - buffers: know how many connections are open.
    init(canBeEventLoop: Bool, buffers: ReceiveBuffers) {
        self.canBeEventLoop = canBeEventLoop
        self.buffers = buffers
    }

    func isEventLoop(at now: NIODeadline = .now()) -> Bool {
        canBeEventLoop && buffers.isForFew && now.uptimeNanoseconds >= slowUntil.load(ordering: .relaxed)
    }

    /// A write on an event loop has ended.
    func wrote(from begin: NIODeadline, to end: NIODeadline = .now()) {
        guard end - begin >= Self.slow else { return }
        slowUntil.store((end + Self.pause).uptimeNanoseconds, ordering: .relaxed)
    }
}

extension RequestHandler {
    /// Writes received bytes.
    /// - Parameter isHashed: `work` hashes them, too, which takes longer than the write: on another thread, while this
    ///   one receives the next bytes.
    func write(isHashed: Bool, _ work: @escaping @Sendable () throws -> Void) async throws {
        guard !isHashed, writePlace.isEventLoop() else { return try await blocking(work) }
        let begin = NIODeadline.now()
        defer { writePlace.wrote(from: begin) }
        try work()
    }
}
