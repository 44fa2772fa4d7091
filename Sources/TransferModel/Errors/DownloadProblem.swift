// SPDX-License-Identifier: MIT

/// Why a response is not the file. ``TransferError/Fields/host`` is the server.
public enum DownloadProblem: Sendable, Hashable {
    case severalRanges
    /// A part, though the whole was requested.
    case unrequestedPart
    /// After a suspension: the server does not send the rest of the same version.
    case restChanged
    /// What was written to the output cannot be written again.
    case outputWritten
    /// The same, of an earlier attempt.
    case outputBrokeOff(bytes: Int64)
    case shortBody(received: Int64, announced: Int64)
    case restMissing
    /// A 206 brought more than its `Content-Range` has.
    case rangeExceeded

    /// ``TransferError/Fields/status`` is a success without a file.
    case noFile(phrase: String)
    case otherMediaType(found: String, expected: String)
    /// A page of another server, to which a request without TLS was redirected.
    case portalPage
    /// Hardly the file: empty, or smaller than its known bytes, without a validator.
    case doubtfulBody(bytes: Int64)
    /// A Metalink document in place of the file.
    case metalink
    case metalinkSize(maximumBytes: Int)
    case metalinkFiles(count: Int)
    /// Over https, it names addresses of http alone.
    case metalinkInsecure
    case metalinkUnreadable(DocumentProblem)

    case noStoredResponse(NoLoading)
    case storedResponseGone
    case resumeDataVersion(found: Int, own: Int)
    case resumeDataDamaged
    case longLine(maximumBytes: Int)

    /// Why a response that is not in the cache is not loaded.
    public enum NoLoading: String, Sendable, Hashable, CaseIterable {
        case byPolicy
        /// `only-if-cached`
        case byField
    }
}

extension DownloadProblem {
    /// One line, in lower case and without full stop.
    func message(of error: TransferError) -> String { error.atHost(text(status: error.fields.status ?? 0)) }

    /// What follows the host.
    private func text(status: Int) -> String {
        switch self {
        case .severalRanges: "responded with several ranges though one was requested"
        case .unrequestedPart: "sent a part (206) though the whole was requested"
        case .restChanged:
            "cannot resume after the suspension: the server does not send the rest of the same version"
        case .outputWritten:
            "cannot resume where the last attempt stopped, and what was already written to the output cannot be taken "
                + "back"
        case .outputBrokeOff(let bytes):
            "broke off after \(bytes) bytes; they cannot be taken back from the output, and the server sent no strong "
                + "validator to resume with"
        case .shortBody(let received, let announced): "\(received) bytes came, \(announced) were announced"
        case .rangeExceeded: "sent more bytes than the range that its 206 states, so that none of them counts"
        case .restMissing: "the file is not complete; its rest is requested again"
        case .noFile(let phrase):
            "returned \(status)\(phrase.isEmpty ? "" : " \(phrase)"): "
                + (status == 202 ? "the file is not ready yet" : "that is not a file")
        case .otherMediaType(let found, let expected):
            "responded with \(found) and no validator instead of the rest of the \(expected) file, whose bytes stay"
        case .portalPage: "responded with a page of another server instead of the rest of the file, whose bytes stay"
        case .doubtfulBody(let bytes):
            "responded with \(bytes) bytes and no validator instead of the rest of the file, whose bytes stay"
        case .metalink: "responded with a Metalink document instead of the file"
        case .metalinkSize(let maximum): "the Metalink document is larger than \(maximum >> 20) MiB"
        case .metalinkFiles(let count): "the Metalink document describes \(count) files"
        case .metalinkInsecure: "the Metalink document names addresses without https only"
        case .metalinkUnreadable(let problem): "the Metalink document cannot be read: \(problem.message)"
        case .noStoredResponse(.byPolicy):
            "no stored response fits the request, and the cache policy forbids loading it; choose another policy"
        case .noStoredResponse(.byField):
            "no stored response fits the request, and the request's only-if-cached forbids loading it; leave that out"
        case .storedResponseGone: "the stored response is gone"
        case .resumeDataVersion(let found, let own):
            "the resume data is of version \(found), this program reads \(own)"
        case .resumeDataDamaged: "the resume data is damaged"
        case .longLine(let maximum):
            "a line of the response is longer than \(maximum) bytes; read it in pieces"
        }
    }
}
