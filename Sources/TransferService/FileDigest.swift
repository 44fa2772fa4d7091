// SPDX-License-Identifier: MIT

import Crypto
import Glibc
import TransferModel

/// The checksum of a file on disk.
enum FileDigest {
    /// Reads the whole file. `nil` if it cannot be read.
    static func compute(_ algorithm: Checksum.Algorithm, path: String) -> [UInt8]? {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        return compute(algorithm, of: descriptor)
    }

    /// The same for an open file, from its first byte on; the descriptor's own position does not change.
    static func compute(_ algorithm: Checksum.Algorithm, of descriptor: Int32) -> [UInt8]? {
        switch algorithm {
        case .sha256: return hash(SHA256(), descriptor)
        case .sha512: return hash(SHA512(), descriptor)
        case .sha1: return hash(Insecure.SHA1(), descriptor)
        case .md5: return hash(Insecure.MD5(), descriptor)
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
        var position: off_t = 0
        while true {
            let count = pread(descriptor, buffer.baseAddress, buffer.count, position)
            if count == 0 { return Array(function.finalize()) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return nil }
            position += off_t(count)
            function.update(bufferPointer: UnsafeRawBufferPointer(rebasing: buffer[..<count]))
        }
    }
}
