// SPDX-License-Identifier: MIT

import Glibc

/// A system call that failed.
public struct SystemError: Error, Hashable, Sendable, CustomStringConvertible {
    /// Its name, such as `open`.
    public var call: String
    /// The file it was about; `nil` for calls without one.
    public var path: String?
    public var errno: Int32

    public init(_ call: String, path: String? = nil, errno: Int32) {
        self.call = call
        self.path = path
        self.errno = errno
    }

    /// The C library's text for the number, as it is: `No such file or directory`.
    public var text: String { Self.text(errno) }

    public var description: String { (path.map { "\($0): " } ?? "") + "\(call): \(text)" }

    /// The C library's text for an errno, which does not depend on the locale. Safe on every thread, unlike strerror(3).
    public static func text(_ errno: Int32) -> String {
        var buffer = [CChar](repeating: 0, count: 128)
        guard strerror_r(errno, &buffer, buffer.count) == 0 else { return "error \(errno)" }
        return String(decoding: buffer.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }
}
