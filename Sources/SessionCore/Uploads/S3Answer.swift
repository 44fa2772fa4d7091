// SPDX-License-Identifier: MIT

import HTTPTypes

/// What the content of an S3 response states. Elements that are absent or malformed are `nil`.
package enum S3Answer: Sendable, Equatable {
    case failure(S3Failure)
    /// `CreateMultipartUpload`
    case created(uploadID: String)
    /// `ListParts`
    case parts(S3PartList)
    /// `CompleteMultipartUpload`
    /// - Parameters:
    ///   - tag: with its quotes.
    ///   - checksum: base64 of a digest of all parts' digests, and their number.
    case completed(tag: String?, checksum: String?)
    /// Nothing, or none of these.
    case other
}

/// `<Error>`
package struct S3Failure: Sendable, Equatable {
    package var code: String
    package var message: String
    /// Where the bucket is.
    package var region: String?

    package init(code: String, message: String = "", region: String? = nil) {
        (self.code, self.message, self.region) = (code, message, region)
    }
}

/// One page of the parts that the server has.
package struct S3PartList: Sendable, Equatable {
    package var parts: [S3Part]
    /// The parts after this number are on another page; `nil`: this is the last one.
    package var next: Int?

    package init(_ parts: [S3Part], next: Int? = nil) { (self.parts, self.next) = (parts, next) }
}

/// A part that the server has.
package struct S3Part: Sendable, Equatable {
    /// From 1 on.
    package var number: Int
    package var size: Int64
    /// With its quotes.
    package var tag: String
    /// SHA-256, if the server states it.
    package var digest: [UInt8]?

    package init(_ number: Int, size: Int64, tag: String, digest: [UInt8]? = nil) {
        (self.number, self.size, self.tag, self.digest) = (number, size, tag, digest)
    }
}

/// How the request of an exchange is signed.
package struct S3Signature: Sendable, Equatable {
    package var region: String
    /// The request states the SHA-256 of its content, for the store to keep.
    package var statesChecksum: Bool

    package init(region: String, statesChecksum: Bool = false) {
        (self.region, self.statesChecksum) = (region, statesChecksum)
    }

    /// S3's own fields describe the object, but for those that every request needs.
    func carries(_ name: HTTPField.Name, in exchange: UploadExchange) -> Bool {
        let isCondition = name == .ifMatch || name == .ifNoneMatch
        switch exchange.purpose {
        case .creation where exchange.body == nil: return !isCondition
        case .creation: return true
        case .completion where isCondition: return true
        default: break
        }
        guard name.canonicalName.hasPrefix("x-amz-") else { return !UploadExchange.namesOfSubject.contains(name) }
        return name.canonicalName.hasPrefix("x-amz-server-side-encryption-customer-")
            || ["x-amz-request-payer", "x-amz-expected-bucket-owner"].contains(name.canonicalName)
    }
}
