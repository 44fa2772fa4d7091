// SPDX-License-Identifier: MIT

/// Why an upload did not end as it should: what its server did wrong, and what is wrong with the bytes.
/// ``TransferError/Fields/host`` is the server. Parts are counted from 1.
public enum UploadProblem: Sendable, Hashable {
    /// A success in ``TransferError/Fields/status`` before the server had the file.
    case answeredEarly
    /// A success in ``TransferError/Fields/status`` that does not say what a FileQ server says.
    case notStored
    /// The FileQ server gave no session.
    case noSession
    /// - Parameter isLater: an earlier attempt may have stored it.
    case existsOnServer(isLater: Bool)
    case changedOnServer(isLater: Bool)
    /// Asked before it was sent.
    case foundOnServer
    /// Although the request forbade that.
    case replacedOnServer
    /// Although it was sent bytes: some servers drop a body whose length they do not know.
    case storedEmpty
    case outcomeUnknown(Outcome)

    // Resumable uploads. `part`: of an upload in several, otherwise the upload itself.
    case notResumable
    case noOffset(part: Int?)
    case length(expected: Int64, actual: Int64, part: Int?)
    /// Bytes that the server had confirmed.
    case lost(bytes: Int64, part: Int?)
    case partsLost
    case partLostTwice(Int)
    case expired(part: Int?)
    /// It calls an upload complete that is not.
    case incomplete(offset: Int64, size: Int64?)
    /// It confirms more than was sent.
    case excess(offset: Int64)
    /// It confirms no more.
    case standstill(offset: Int64)
    case tooLarge(size: Int64, maximum: Int64)
    case appendLimit(maximum: Int64, least: Int64)
    /// It redirects requests about the upload to another server, or names no address of one.
    case otherServer(String)
    case partWithoutAddress(Int)
    /// ``TransferError/Fields/status`` does not say that the parts are joined.
    case notJoined

    // S3
    /// Which upload was created.
    case noUploadID
    case partNotConfirmed(Int)
    case noPartList
    case endlessPartList
    case earlyResponse
    case streamTooLong(parts: Int64, partBytes: Int64)
    /// In the words of the server.
    case s3(status: Int, code: String, message: String)
    case clockDiffers
    /// - Parameter found: where the bucket is.
    case otherRegion(signed: String, found: String?)
    /// - Parameter file: `nil`: the usual one.
    case noAccessKey(profile: String, file: String?)

    // Bytes
    /// The server states another checksum, in its own form.
    case statedChecksum(String, part: Int?)
    case statedTag(String)
    /// The server refused bytes that were damaged on the way.
    case damaged(times: Int)
    /// A stream in parts has no digest to compare with.
    case streamDigest
    case sourceShrank
    /// The body is needed again, and was a stream.
    case streamUsedUp
    /// The same of bytes that the server had confirmed.
    case streamPassed

    /// Why it is not known whether the server has stored the file: every byte was sent, and the response was lost.
    public enum Outcome: String, Sendable, Hashable, CaseIterable {
        /// The object under the name cannot be recognized as the file.
        case otherObject
        case uploadForgotten
        case partsForgotten
        case partsMayBeJoined
        /// Each request creates another upload.
        case mayBeTwice
    }
}
