// SPDX-License-Identifier: MIT

import TransferModel

/// What requests state of their content: `Content-Digest` (RFC 9530), or `Upload-Checksum` of tus. A server appends
/// such content as a whole or not at all, so that a connection that breaks costs all of it: these requests are small.
extension ResumableUpload {
    /// How large appends with a digest are.
    struct VerifiedAppends: Sendable, Equatable {
        static let largest: Int64 = 8 << 20
        /// As connections break, appends do not become smaller than this.
        static let smallest: Int64 = 1 << 18

        /// The most bytes of the next one.
        private(set) var most = VerifiedAppends.largest
        /// The connection of the last one broke.
        private var broken: Range<Int64>?

        mutating func broke(_ range: Range<Int64>) { broken = range }

        /// The server has stated its offset. If nothing of the broken append was kept, the next one is half as large:
        /// else a connection that never lasts for one would bring the upload no further.
        mutating func offsetStated(_ offset: Int64) {
            guard let broken else { return }
            self.broken = nil
            if offset <= broken.lowerBound { most = max(Self.smallest, min(most, Int64(broken.count)) / 2) }
        }

        mutating func confirmed() { most = min(Self.largest, most * 2) }
    }

    /// What appends state if the user has given a checksum; otherwise nothing, since hashing takes time.
    var checksum: Checksum.Algorithm? {
        guard subject.digest != nil else { return nil }
        return switch dialect.carrier {
        case .tus: tus.checksum
        case .ietf: subject.statesDigests ? .sha256 : nil
        case .s3: nil
        }
    }

    /// The upload has been created, or asked about: appends state a digest for the user, or because the server wants
    /// it.
    mutating func noteDigest(_ reading: UploadReading) {
        guard let algorithm = (subject.statesDigests ? reading.wantedDigest : nil) ?? checksum else { return }
        point?.checksum = algorithm
    }

    /// `nil`: appends state no digest. The server may take no smaller ones.
    var largestVerifiedAppend: Int64? {
        point?.checksum.map { _ in max(verified.most, limits.minimumAppend ?? 0) }
    }

    /// The server refuses content because of its digest, as 400 or 422 mean where the server states that the upload is
    /// incomplete: a refusal by the target would have completed it.
    func refusesDigest(of range: Range<Int64>, _ reading: UploadReading) -> Bool {
        point?.checksum != nil && !range.isEmpty && dialect.carrier != .tus && reading.isComplete == false
    }
}
