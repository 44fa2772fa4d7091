// SPDX-License-Identifier: MIT

import NIOCore
import Synchronization

/// The size of receive buffers, by the number of open connections.
///
/// Up to ten reads of a connection wait for its handler (`NIOAsyncChannel`), so all connections together hold about ten
/// times their buffers while the disk is slow. A few connections get large buffers, which the speed of a single upload
/// needs; more share what those would have.
final class ReceiveBuffers: Sendable {
    static let largest = 256 * 1024
    static let smallest = 16 * 1024
    /// Connections that get the largest buffers.
    static let few = 4

    private let current = Atomic(ReceiveBuffers.largest)

    var size: Int { current.load(ordering: .relaxed) }
    /// Few connections are open. They get several reads per event of the socket; with TLS, their content becomes one
    /// buffer of that size.
    var isForFew: Bool { size == Self.largest }

    func adapt(to connections: Int) { current.store(Self.size(for: connections), ordering: .relaxed) }

    /// A power of two, to which NIO rounds up.
    static func size(for connections: Int) -> Int {
        var size = largest
        while size > smallest, connections > few * (largest / size) { size /= 2 }
        return size
    }
}

/// Adapts to what a connection sends, as its base, and to the number of connections.
struct SharedReceiveAllocator: RecvByteBufferAllocator {
    private let buffers: ReceiveBuffers
    private var adaptive = AdaptiveRecvByteBufferAllocator(
        minimum: 2048, initial: 2048, maximum: ReceiveBuffers.largest)

    init(_ buffers: ReceiveBuffers) { self.buffers = buffers }

    private var size: Int { min(adaptive.nextBufferSize() ?? ReceiveBuffers.smallest, buffers.size) }

    func buffer(allocator: ByteBufferAllocator) -> ByteBuffer { allocator.buffer(capacity: size) }

    func nextBufferSize() -> Int? { size }

    mutating func record(actualReadBytes: Int) -> Bool { adaptive.record(actualReadBytes: actualReadBytes) }
}
