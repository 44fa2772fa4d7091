// SPDX-License-Identifier: MIT

import Glibc
import TerminalInterface

/// Messages without a transfer.
enum StandardError {
    /// Writes `fileq: LINE`, without control characters.
    static func say(_ line: String) {
        FileOutput(descriptor: STDERR_FILENO).write("fileq: \(TextSanitizer.clean(line))\n")
    }
}

/// An unbuffered descriptor.
struct FileOutput: Sendable {
    let descriptor: Int32

    /// Writes everything, blocking if necessary.
    /// - Returns: whether there was a reader.
    @discardableResult
    func write(_ text: String) -> Bool {
        var text = text
        return text.withUTF8 { write(UnsafeRawBufferPointer($0)) }
    }

    @discardableResult
    func write(_ bytes: UnsafeRawBufferPointer) -> Bool {
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
