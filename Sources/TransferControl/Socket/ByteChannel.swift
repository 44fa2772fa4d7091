// SPDX-License-Identifier: MIT

package import Dispatch
import Glibc
package import Platform

/// The byte stream of a ``LineConnection``: a socket, or a simulated one. The connection owns it and calls it on its
/// queue only.
package protocol ByteChannel: Sendable {
    /// Before all else, once.
    /// - Parameter handle: called on `queue`, once for each ``notify(when:)`` at most.
    func start(
        on queue: DispatchQueue, _ handle: @escaping @Sendable (DescriptorWatch.Readiness) -> Void
    ) throws(SystemError)

    /// Replaces what was asked for before. An error, and the end of the other side, count as all readiness.
    func notify(when readiness: DescriptorWatch.Readiness)

    func receive(into buffer: UnsafeMutableRawBufferPointer) -> ChannelResult

    /// - Parameter bytes: at least one; some of them may be sent.
    func send(_ bytes: UnsafeRawBufferPointer) -> ChannelResult

    /// Nothing is reported any more. Once, also without a start.
    func end()
}

/// The result of a ``ByteChannel``'s call.
package enum ChannelResult: Sendable {
    /// At least one.
    case moved(Int)
    /// The peer sends nothing more.
    case endOfInput
    case notReady
    case failed
}

/// A connected, non-blocking socket. Owns the descriptor.
final class SocketChannel: ByteChannel, @unchecked Sendable {
    // Sendable: the watch is used on the connection's queue only.

    private let descriptor: Int32
    private var watch: DescriptorWatch?

    init(_ descriptor: Int32) { self.descriptor = descriptor }

    func start(
        on queue: DispatchQueue, _ handle: @escaping @Sendable (DescriptorWatch.Readiness) -> Void
    ) throws(SystemError) {
        watch = try DescriptorWatch(descriptor, on: queue, handle)
    }

    func notify(when readiness: DescriptorWatch.Readiness) { watch?.notify(when: readiness) }

    func receive(into buffer: UnsafeMutableRawBufferPointer) -> ChannelResult {
        let count = recv(descriptor, buffer.baseAddress, buffer.count, 0)
        if count > 0 { return .moved(count) }
        if count == 0 { return .endOfInput }
        return errno == EINTR ? .notReady : failure
    }

    func send(_ bytes: UnsafeRawBufferPointer) -> ChannelResult {
        while true {
            let count = Glibc.send(descriptor, bytes.baseAddress, bytes.count, Int32(MSG_NOSIGNAL))
            if count >= 0 { return .moved(count) }
            if errno != EINTR { return failure }
        }
    }

    private var failure: ChannelResult { errno == EAGAIN || errno == EWOULDBLOCK ? .notReady : .failed }

    func end() {
        watch?.end()
        watch = nil
        close(descriptor)
    }
}
