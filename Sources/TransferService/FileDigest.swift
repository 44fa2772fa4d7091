// SPDX-License-Identifier: MIT

import Crypto
import Glibc
import TransferModel

/// The sum of a file that is already on disk.
enum FileDigest {
    /// Reads the whole file. `nil` where it cannot be read.
    static func compute(_ algorithm: Checksum.Algorithm, path: String) -> [UInt8]? {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        switch algorithm {
        case .sha256: return hash(SHA256(), descriptor)
        case .sha512: return hash(SHA512(), descriptor)
        }
    }

    static func size(_ path: String) -> Int64 {
        var status = stat()
        return stat(path, &status) == 0 ? Int64(status.st_size) : 0
    }

    private static func hash<Function: HashFunction>(_ start: Function, _ descriptor: Int32) -> [UInt8]? {
        var function = start
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 18, alignment: 16)
        defer { buffer.deallocate() }
        while true {
            let count = read(descriptor, buffer.baseAddress, buffer.count)
            if count == 0 { return Array(function.finalize()) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return nil }
            function.update(bufferPointer: UnsafeRawBufferPointer(rebasing: buffer[..<count]))
        }
    }
}
