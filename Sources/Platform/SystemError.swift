// SPDX-License-Identifier: MIT

import Glibc

/// A failed system call.
package struct SystemError: Error, Hashable, Sendable, CustomStringConvertible {
    /// Its name, such as `open`.
    package var call: String
    /// The affected file; `nil` for calls without one.
    package var path: String?
    package var errno: Int32

    package init(_ call: String, path: String? = nil, errno: Int32) {
        self.call = call
        self.path = path
        self.errno = errno
    }

    package var text: String { Self.text(errno) }
    package var description: String { (path.map { "\($0): " } ?? "") + "\(call): \(text)" }

    /// Whether a path leads to nothing, also where a folder of it is a file.
    package static func isMissing(_ errno: Int32) -> Bool { errno == ENOENT || errno == ENOTDIR }

    /// The C library's text for an errno: `No such file or directory`. Thread-safe, unlike strerror(3).
    package static func text(_ errno: Int32) -> String {
        var buffer = [CChar](repeating: 0, count: 128)
        guard strerror_r(errno, &buffer, buffer.count) == 0 else { return "error \(errno)" }
        return String(decoding: buffer.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }
}
