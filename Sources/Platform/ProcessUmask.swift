// SPDX-License-Identifier: MIT

import Glibc

/// The permission bits that files made by this process do not get.
package enum ProcessUmask {
    /// umask(2) cannot be read without changing it, which other threads would see.
    /// - Returns: `nil` without proc.
    package static func read() -> UInt32? {
        guard let file = try? Descriptor.open("/proc/self/status", O_RDONLY),
            let bytes = try? file.read(upTo: 4096)
        else { return nil }
        return find(in: bytes)
    }

    /// - Parameter bytes: of proc's `status`, whose first lines have the name of the program and the mask.
    static func find(in bytes: [UInt8]) -> UInt32? {
        for line in bytes.split(separator: UInt8(ascii: "\n")) {
            guard line.starts(with: "Umask:\t".utf8) else { continue }
            return UInt32(String(decoding: line.dropFirst(7), as: UTF8.self), radix: 8)
        }
        return nil
    }
}
