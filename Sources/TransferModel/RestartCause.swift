// SPDX-License-Identifier: MIT

/// Why a download started from the first byte although bytes of it were there.
public enum RestartCause: Sendable, Hashable {
    /// The file on the server is another one.
    case changed
    /// A part came without the validator that would prove its version.
    case unprovenVersion
    case sizeChanged(from: Int64, to: Int64)
    case codingChanged
    /// The server sent the whole file, without a sign whether it has changed.
    case noRangesOrChanged
    case noRanges
    /// The server has no bytes from this offset on.
    case noBytes(from: Int64)
    case malformedContentRange
    case otherRange(sent: Int64, requested: Int64)
    case contradictingLengths
    case unknownSize
    /// The bytes that are here came from another URL.
    case otherAddress
    /// The server of the bytes that are here gave no strong validator.
    case noValidator
    /// Nothing that can be read says what the bytes that are here are of.
    case notRecorded
    case notResumable
    /// The attempt before failed with this.
    indirect case failure(TransferError)

    /// One line, in lower case and without full stop.
    public var message: String {
        switch self {
        case .changed: "the file changed on the server"
        case .unprovenVersion: "the server does not say of which version its bytes are"
        case .sizeChanged(let old, let new): "the file's size changed on the server from \(old) to \(new)"
        case .codingChanged: "the server changed the content coding"
        case .noRangesOrChanged: "the server does not allow resuming, or the file changed"
        case .noRanges: "the server sends no ranges"
        case .noBytes(let offset): "the server has no bytes from \(offset) on"
        case .malformedContentRange: "the server's Content-Range is missing or malformed"
        case .otherRange(let sent, let requested) where sent == requested:
            "the bytes that the server sent from \(sent) on end elsewhere than those requested"
        case .otherRange(let sent, let requested):
            "the server sent bytes from \(sent) instead of those from \(requested)"
        case .contradictingLengths: "the server's Content-Range and Content-Length disagree"
        case .unknownSize: "the server does not say how large the file is"
        case .otherAddress: "the bytes that are here came from another address"
        case .noValidator: "the bytes that are here cannot be resumed: their server gave no strong validator"
        case .notRecorded: "the bytes that are here cannot be resumed: nothing readable is recorded about them"
        case .notResumable: "the bytes that are here cannot be resumed"
        case .failure(let error): error.message
        }
    }
}
