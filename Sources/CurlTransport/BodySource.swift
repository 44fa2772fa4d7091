// SPDX-License-Identifier: MIT

import Glibc
import SessionCore

/// The source of a request body. Used on the engine's thread only.
struct BodySource {
    enum Result: Equatable {
        /// 0: the end.
        case read(Int)
        /// A stream without data for now.
        case wait
        case failed(ExchangeFailure.Cause)
    }

    private let body: Exchange.Body
    /// The bytes read ahead of a file whose calls a lane makes.
    private var ahead: ReadQueue?
    /// Bytes read so far.
    private(set) var position: Int64 = 0
    /// A stream is at its end.
    private var hasEnded = false

    /// - Parameter isReadAhead: a file is read by a lane, which ``nextRead()`` asks to.
    init(_ body: Exchange.Body, isReadAhead: Bool = false) {
        self.body = body
        if isReadAhead, case .file(_, _, let count) = body { ahead = ReadQueue(size: count) }
    }

    /// The declared size; `nil` if only the end shows it.
    var size: Int64? {
        switch body {
        case .none: 0
        case .bytes(let bytes): Int64(bytes.count)
        case .file(_, _, let count): count
        case .stream: nil
        }
    }

    /// Whether all bytes have been read.
    var isExhausted: Bool { size.map { position == $0 } ?? hasEnded }

    /// The descriptor to poll after `wait`.
    var streamDescriptor: Int32? {
        if case .stream(let descriptor) = body { descriptor } else { nil }
    }

    mutating func read(into buffer: UnsafeMutableRawBufferPointer) -> Result {
        let result: Result =
            switch body {
            case .none: .read(0)
            case .bytes(let bytes): copy(bytes, into: buffer)
            case .file(let descriptor, let offset, let count):
                ahead == nil
                    ? read(descriptor, offset, count, into: buffer) : readAhead(count, into: buffer)
            case .stream(let descriptor): readAvailable(descriptor, into: buffer)
            }
        if case .read(let count) = result {
            position += Int64(count)
            hasEnded = count == 0
        }
        return result
    }

    /// Seeks to `position`; false for a stream.
    mutating func seek(to newPosition: Int64) -> Bool {
        if case .stream = body, newPosition != position { return false }
        position = newPosition
        ahead?.seek(to: newPosition)
        return true
    }

    private func copy(_ bytes: [UInt8], into buffer: UnsafeMutableRawBufferPointer) -> Result {
        let piece = bytes[Int(position)...].prefix(buffer.count)
        buffer.copyBytes(from: piece)
        return .read(piece.count)
    }

    private func read(
        _ descriptor: Int32, _ offset: Int64, _ count: Int64, into buffer: UnsafeMutableRawBufferPointer
    ) -> Result {
        let wanted = min(Int64(buffer.count), count - position)
        guard wanted > 0 else { return .read(0) }
        return Self.readSome(
            descriptor, at: offset + position, UnsafeMutableRawBufferPointer(rebasing: buffer.prefix(Int(wanted))))
    }

    /// - Parameter buffer: not empty.
    static func readSome(
        _ descriptor: Int32, at position: Int64, _ buffer: UnsafeMutableRawBufferPointer
    ) -> Result {
        while true {
            let got = pread(descriptor, buffer.baseAddress, buffer.count, off_t(position))
            if got > 0 { return .read(got) }
            if got == 0 { return .failed(.sourceShrank) }
            if errno != EINTR { return .failed(.cannotRead(errno: errno)) }
        }
    }

    // MARK: By a lane

    var isReadAhead: Bool { ahead != nil }

    private mutating func readAhead(_ count: Int64, into buffer: UnsafeMutableRawBufferPointer) -> Result {
        guard position < count else { return .read(0) }
        let got = ahead?.take(into: buffer) ?? 0
        return got > 0 ? .read(got) : .wait
    }

    /// The next read for the lane; `nil` if there is none now.
    mutating func nextRead() -> ReadQueue.Call? { ahead?.next() }

    mutating func returned(_ read: [UInt8], of turn: Int) { ahead?.returned(read, of: turn) }

    // MARK: A stream

    /// Reads only available data, so that a slow producer does not block other exchanges.
    private func readAvailable(_ descriptor: Int32, into buffer: UnsafeMutableRawBufferPointer) -> Result {
        var request = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        guard poll(&request, 1, 0) == 1 else { return .wait }
        let got = Glibc.read(descriptor, buffer.baseAddress, buffer.count)
        if got >= 0 { return .read(got) }
        return errno == EINTR || errno == EAGAIN ? .wait : .failed(.cannotRead(errno: errno))
    }
}
