// SPDX-License-Identifier: MIT

import Crypto
import TransferModel

/// A digest over bytes in order.
enum StreamHasher {
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
        case .sha256(var hash):
            hash.update(bufferPointer: bytes)
            self = .sha256(hash)
        case .sha512(var hash):
            hash.update(bufferPointer: bytes)
            self = .sha512(hash)
        case .sha1(var hash):
            hash.update(bufferPointer: bytes)
            self = .sha1(hash)
        case .md5(var hash):
            hash.update(bufferPointer: bytes)
            self = .md5(hash)
        }
    }

    func finish() -> [UInt8] {
        switch self {
        case .sha256(let hash): Array(hash.finalize())
        case .sha512(let hash): Array(hash.finalize())
        case .sha1(let hash): Array(hash.finalize())
        case .md5(let hash): Array(hash.finalize())
        }
    }
}
