// SPDX-License-Identifier: MIT

import CLinux
import Glibc
import SessionCore

/// The destination of a response body. Used on the engine's thread only.
struct BodySink {
    enum Result: Equatable {
        /// The number of bytes taken; fewer than given: the rest must wait.
        case took(Int)
        case failed(errno: Int32)
    }

    private let descriptor: Int32
    /// The next position in a regular file; `nil` for a stream.
    private var position: Int64?
    /// Written back up to this offset.
    private var handedOut: Int64 = 0
    private var writeBehind: WriteBehind?
    private let placement: BodyPlacement?

    private init(descriptor: Int32, position: Int64?, placement: BodyPlacement? = nil) {
        self.descriptor = descriptor
        self.position = position
        self.placement = placement
        handedOut = position ?? 0
    }

    /// A regular file, whose last byte is before `offset`, unless `placement` says that others write it. Reserves
    /// space up to `expectedEnd` if that is worth a call.
    /// - Returns: `nil` with the errno if the disk is full.
    static func file(
        _ descriptor: Int32, from offset: Int64, expectedEnd: Int64?, placement: BodyPlacement? = nil
    ) -> (sink: BodySink, failure: Int32?) {
        let sink = BodySink(descriptor: descriptor, position: offset, placement: placement)
        return (sink, lengthToReserve(offset, expectedEnd).flatMap { reserve(descriptor, $0) })
    }

    /// - Returns: `nil` if reserving is not worth a call.
    static func lengthToReserve(_ offset: Int64, _ expectedEnd: Int64?) -> Int64? {
        expectedEnd.flatMap { $0 - offset >= 1 << 20 ? $0 : nil }
    }

    /// - Returns: the errno if the disk is full.
    static func reserve(_ descriptor: Int32, _ length: Int64) -> Int32? {
        let code = clinux_reserve(descriptor, length)
        return code == ENOSPC || code == EFBIG || code == EDQUOT ? code : nil
    }

    static func stream(_ descriptor: Int32) -> BodySink { BodySink(descriptor: descriptor, position: nil) }

    /// The descriptor to poll after a short write to a stream.
    var streamDescriptor: Int32? { position == nil ? descriptor : nil }

    mutating func write(_ bytes: UnsafeRawBufferPointer) -> Result {
        if let start = position {
            let result = Self.writeAll(
                bytes, to: descriptor, at: start, isPositioned: placement?.isPositioned ?? false)
            if case .took(let count) = result {
                position = start + Int64(count)
                handOut(upTo: start + Int64(count))
            }
            return result
        }
        return writeAvailable(bytes)
    }

    /// If an earlier range is still being written, this one joins the next.
    private mutating func handOut(upTo end: Int64) {
        guard end - handedOut >= WriteBehind.piece else { return }
        if writeBehind == nil { writeBehind = WriteBehind(descriptor) }
        if writeBehind?.begin(handedOut..<end) != false { handedOut = end }
    }

    /// Appends instead of writing at an offset: a file that something truncates then stays too short, which is
    /// detected, instead of getting a hole, which is not.
    /// - Parameter isPositioned: the file has bytes beyond `start`: writes at the offset.
    static func writeAll(
        _ bytes: UnsafeRawBufferPointer, to descriptor: Int32, at start: Int64, isPositioned: Bool = false
    ) -> Result {
        var done = 0
        while done < bytes.count {
            let (first, left) = (bytes.baseAddress! + done, bytes.count - done)
            let count =
                isPositioned
                ? Int64(pwrite(descriptor, first, left, off_t(start) + off_t(done)))
                : clinux_append(descriptor, first, Int64(left), start + Int64(done))
            if count > 0 { done += Int(count) } else if count < 0, errno != EINTR { return .failed(errno: errno) }
        }
        return .took(done)
    }

    /// Never blocks: a writable pipe has room for at least `PIPE_BUF` bytes.
    private func writeAvailable(_ bytes: UnsafeRawBufferPointer) -> Result {
        var done = 0
        while done < bytes.count {
            var request = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
            guard poll(&request, 1, 0) == 1 else { return .took(done) }
            let count = Glibc.write(descriptor, bytes.baseAddress! + done, min(bytes.count - done, Int(PIPE_BUF)))
            if count > 0 {
                done += count
                continue
            }
            if count < 0, errno == EINTR { continue }
            if count < 0, errno == EAGAIN { return .took(done) }
            return .failed(errno: count == 0 ? EIO : errno)
        }
        return .took(done)
    }
}
