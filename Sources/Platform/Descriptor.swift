// SPDX-License-Identifier: MIT

import CLinux
import Glibc

/// An open file descriptor. It is closed when its last reference goes, so its number is not given to another file while in use.
public final class Descriptor: Sendable {
    public let number: Int32

    /// - Parameter number: an open descriptor that nothing else closes.
    public init(owning number: Int32) { self.number = number }

    deinit { close(number) }

    /// pipe2(2). Programs that are started meanwhile do not inherit either end.
    public static func pipe() throws(SystemError) -> (reading: Descriptor, writing: Descriptor) {
        var ends: [Int32] = [-1, -1]
        guard clinux_pipe(&ends) == 0 else { throw SystemError("pipe2", errno: errno) }
        return (Descriptor(owning: ends[0]), Descriptor(owning: ends[1]))
    }

    /// read(2), repeated after a signal. Blocks.
    /// - Returns: at most `limit` bytes; none at the end.
    public func read(upTo limit: Int) throws(SystemError) -> [UInt8] {
        var failure: Int32 = 0
        let bytes = [UInt8](unsafeUninitializedCapacity: limit) { buffer, filled in
            var count: Int
            repeat { count = Glibc.read(number, buffer.baseAddress, limit) } while count < 0 && errno == EINTR
            if count < 0 { failure = errno }
            filled = max(0, count)
        }
        guard failure == 0 else { throw SystemError("read", errno: failure) }
        return bytes
    }

    /// Reads until the end. Blocks.
    public func readToEnd() throws(SystemError) -> [UInt8] {
        var bytes: [UInt8] = []
        while case let piece = try read(upTo: 65_536), !piece.isEmpty { bytes += piece }
        return bytes
    }

    /// Writes all of `bytes`. Blocks.
    public func write(_ bytes: [UInt8]) throws(SystemError) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(number, $0.baseAddress, $0.count) }
            if count < 0, errno != EINTR { throw SystemError("write", errno: errno) }
            rest = rest.dropFirst(max(0, count))
        }
    }
}
