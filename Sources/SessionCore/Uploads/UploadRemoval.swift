// SPDX-License-Identifier: MIT

package import HTTPTypes
import TransferModel

/// How to remove an upload that no attempt continues any more. The user has not asked for it: it must not remove a
/// file.
///
/// With some servers a complete upload is the file, or its removal removes the file, and an upload of which a response
/// was lost may be complete. So the server is asked first, and what it does not call incomplete stays. There is no
/// question where nothing can be the file: parts that were never joined, and multipart uploads of S3, which end with
/// their completion. An upload whose resource is the target itself stays.
package struct UploadRemoval: Sendable, Equatable {
    /// Sent before ``cancellation``, which follows if ``isAllowed(after:)``.
    package let question: UploadExchange?
    package let cancellation: UploadExchange
    private let carrier: UploadCarrier

    init(_ cancellation: UploadExchange, _ carrier: UploadCarrier = .tus, asking question: UploadExchange? = nil) {
        (self.cancellation, self.carrier, self.question) = (cancellation, carrier, question)
    }

    /// Whether a final response to ``question`` states that the upload is incomplete.
    package func isAllowed(after head: HTTPResponse) -> Bool {
        guard head.status.kind == .successful else { return false }
        if carrier == .tus, head.headerFields[.uploadDeferLength] == "1" { return true }
        let dialect = ResumableUpload.dialect(carrier)
        let length = dialect.reading(head, size: nil).length
        return dialect.reading(head, size: length).isComplete == false
    }
}

extension UploadMachine {
    /// The cancellations that do not name the target. At another origin nothing is removed but by the user.
    fileprivate var harmlessCancellations: [UploadExchange] {
        cancellations.filter {
            $0.url.target != subject.target.target && $0.url.origin == subject.target.origin
        }
    }
}

extension ResumableUpload {
    package var removals: [UploadRemoval] {
        guard let point else { return [] }
        return harmlessCancellations.map {
            UploadRemoval($0, point.carrier, asking: Self.dialect(point.carrier).query($0.url))
        }
    }

    /// The server may have the upload all the same.
    mutating func giveUp() {
        givenUp += removals
        point = nil
    }

    package mutating func takeRemovals() -> [UploadRemoval] {
        defer { givenUp = [] }
        return givenUp
    }
}

extension ConcatenatedUpload {
    package var removals: [UploadRemoval] {
        guard !parts.isEmpty else { return whole.removals }
        // The server may be joining the parts, or refer to them in the file.
        guard !isJoinSent, !mayBeJoined else { return [] }
        return harmlessCancellations.map { UploadRemoval($0) }
    }

    package mutating func takeRemovals() -> [UploadRemoval] {
        defer { givenUp = [] }
        return givenUp + whole.takeRemovals()
    }
}

extension MultipartUpload {
    package var removals: [UploadRemoval] {
        // Without its ID the request would be about the object.
        uploadID.isEmpty ? [] : harmlessCancellations.map { UploadRemoval($0, .s3) }
    }

    package mutating func takeRemovals() -> [UploadRemoval] {
        defer { givenUp = [] }
        return givenUp
    }
}
