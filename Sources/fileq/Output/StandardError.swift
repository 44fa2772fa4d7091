// SPDX-License-Identifier: MIT

import Glibc
import TerminalInterface

/// Messages for people that belong to no transfer.
enum StandardError {
    /// Writes `fileq: LINE`, cleaned of everything that could move a cursor.
    static func say(_ line: String) {
        FileOutput(descriptor: STDERR_FILENO).write("fileq: \(TextSanitizer.clean(line))\n")
    }
}

/// A descriptor that is written to at once, without a buffer between.
struct FileOutput: Sendable {
    let descriptor: Int32

    /// Writes all of it, waiting where the other end is slow.
    /// - Returns: whether there was anybody to take it.
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
