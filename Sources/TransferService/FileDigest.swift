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

    /// The same for a range of an open file. `nil` if it is not there.
    static func compute(_ algorithm: Checksum.Algorithm, of descriptor: Int32, range: Range<Int64>) -> [UInt8]? {
        switch algorithm {
        case .sha256: return hash(SHA256(), descriptor, range)
        case .sha512: return hash(SHA512(), descriptor, range)
        case .sha1: return hash(Insecure.SHA1(), descriptor, range)
        case .md5: return hash(Insecure.MD5(), descriptor, range)
        }
    }

    /// The same for a range of a file. `nil` if it is not there.
    static func compute(_ algorithm: Checksum.Algorithm, path: String, range: Range<Int64>) -> [UInt8]? {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        return compute(algorithm, of: descriptor, range: range)
    }

    /// Computes the digest of bytes in memory.
    static func compute(_ algorithm: Checksum.Algorithm, of bytes: [UInt8]) -> [UInt8] {
        switch algorithm {
        case .sha256: hash(SHA256(), bytes)
        case .sha512: hash(SHA512(), bytes)
        case .sha1: hash(Insecure.SHA1(), bytes)
        case .md5: hash(Insecure.MD5(), bytes)
        }
    }

    static func size(_ path: String) -> Int64 { status(path).map { Int64($0.st_size) } ?? 0 }

    static func status(_ path: String) -> stat? {
        var status = stat()
        return stat(path, &status) == 0 ? status : nil
    }

    private static func hash<Function: HashFunction>(_ start: Function, _ bytes: [UInt8]) -> [UInt8] {
        var function = start
        bytes.withUnsafeBytes { function.update(bufferPointer: $0) }
        return Array(function.finalize())
    }

    /// - Parameter range: `nil`: the whole file.
    private static func hash<Function: HashFunction>(
        _ start: Function, _ descriptor: Int32, _ range: Range<Int64>? = nil
    ) -> [UInt8]? {
        var function = start
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 18, alignment: 16)
        defer { buffer.deallocate() }
        var position = off_t(range?.lowerBound ?? 0)
        let end = range.map { off_t($0.upperBound) } ?? .max
        while true {
            if position == end { return Array(function.finalize()) }
            let count = pread(descriptor, buffer.baseAddress, min(buffer.count, Int(end - position)), position)
            if count == 0 { return range == nil ? Array(function.finalize()) : nil }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return nil }
            position += off_t(count)
            function.update(bufferPointer: UnsafeRawBufferPointer(rebasing: buffer[..<count]))
        }
    }
}
