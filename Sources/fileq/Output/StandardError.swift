// SPDX-License-Identifier: MIT

import Glibc
import TerminalInterface

/// Messages without a transfer.
enum StandardError {
    /// Writes `fileq: LINE`, without control characters.
    static func say(_ line: String) {
        FileOutput(descriptor: STDERR_FILENO).write("fileq: \(TextSanitizer.clean(line))\n")
    }

    /// Writes lines as they are.
    static func write(_ lines: [String]) {
        FileOutput(descriptor: STDERR_FILENO).write(lines.map { $0 + "\n" }.joined())
    }
}

/// An unbuffered descriptor, or a function in its place.
struct FileOutput: Sendable {
    private let descriptor: Int32
    private var receive: (@Sendable (String) -> Void)?

    init(descriptor: Int32) { self.descriptor = descriptor }

    init(receive: @escaping @Sendable (String) -> Void) { (descriptor, self.receive) = (-1, receive) }

    /// Writes everything, blocking if necessary.
    /// - Returns: whether there was a reader.
    @discardableResult
    func write(_ text: String) -> Bool {
        var text = text
        return text.withUTF8 { write(UnsafeRawBufferPointer($0)) }
    }

    @discardableResult
    func write(_ bytes: UnsafeRawBufferPointer) -> Bool {
        if let receive {
            receive(String(decoding: bytes, as: UTF8.self))
            return true
        }
        var rest = bytes[...]
        while !rest.isEmpty {
            let written = Glibc.write(descriptor, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count)
            if written > 0 {
                rest = rest.dropFirst(written)
            } else if written < 0, errno == EAGAIN {
                var poller = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
                poll(&poller, 1, -1)
            } else if !(written < 0 && errno == EINTR) {
                return false
            }
        }
        return true
    }
}
