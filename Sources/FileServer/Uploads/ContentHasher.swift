// SPDX-License-Identifier: MIT

import Crypto
import TransferModel

/// The digest of some bytes with any algorithm of ``Checksum``.
enum ContentHasher: Sendable {
    case sha256(SHA256)
    case sha512(SHA512)
    case sha1(Insecure.SHA1)
    case md5(Insecure.MD5)

    init(_ algorithm: Checksum.Algorithm) {
        self =
            switch algorithm {
            case .sha256: .sha256(SHA256())
            case .sha512: .sha512(SHA512())
            case .sha1: .sha1(Insecure.SHA1())
            case .md5: .md5(Insecure.MD5())
            }
    }

    mutating func update(_ bytes: UnsafeRawBufferPointer) {
        switch self {
        case .sha256(var hasher):
            hasher.update(bufferPointer: bytes)
            self = .sha256(hasher)
        case .sha512(var hasher):
            hasher.update(bufferPointer: bytes)
            self = .sha512(hasher)
        case .sha1(var hasher):
            hasher.update(bufferPointer: bytes)
            self = .sha1(hasher)
        case .md5(var hasher):
            hasher.update(bufferPointer: bytes)
            self = .md5(hasher)
        }
    }

    /// The checksum of the bytes so far.
    var checksum: Checksum {
        switch self {
        case .sha256(let hasher): Checksum(algorithm: .sha256, bytes: Array(hasher.finalize()))
        case .sha512(let hasher): Checksum(algorithm: .sha512, bytes: Array(hasher.finalize()))
        case .sha1(let hasher): Checksum(algorithm: .sha1, bytes: Array(hasher.finalize()))
        case .md5(let hasher): Checksum(algorithm: .md5, bytes: Array(hasher.finalize()))
        }
    }
}
