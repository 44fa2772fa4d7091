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

    /// Writes all of `bytes` at a position. Blocks.
    /// - Returns: `nil`, or the errno.
    static func write(_ bytes: [UInt8], to descriptor: Int32, at offset: Int64) -> Int32? {
        bytes.withUnsafeBytes { buffer in
            var done = 0
            while done < buffer.count {
                let count = pwrite(descriptor, buffer.baseAddress! + done, buffer.count - done, off_t(offset + Int64(done)))
                if count > 0 { done += count } else if count < 0, errno != EINTR { return errno }
            }
            return nil
        }
    }
}
