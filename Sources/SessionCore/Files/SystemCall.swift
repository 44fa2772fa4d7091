// SPDX-License-Identifier: MIT

import Glibc

/// Helpers around system calls.
public enum SystemCall {
    /// The C library's words for an errno, lower case at the front.
    public static func message(_ errno: Int32) -> String {
        var buffer = [CChar](repeating: 0, count: 128)
        guard strerror_r(errno, &buffer, buffer.count) == 0 else { return "error \(errno)" }
        let text = String(decoding: buffer.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
        return text.prefix(1).lowercased() + text.dropFirst()
    }
}
