// SPDX-License-Identifier: MIT

extension UploadProblem {
    /// One line, in lower case and without full stop.
    func message(of error: TransferError) -> String {
        switch self {
        case .sourceShrank: "the source became shorter while it was being sent"
        case .streamDigest: "a stream that is sent in parts cannot be compared with a checksum"
        case .noAccessKey(let profile, let file):
            "the profile '\(profile)' of \(file ?? "~/.aws/credentials") has no access key"
        default: error.atHost(text(status: error.fields.status ?? 0))
        }
    }

    /// What follows the host.
    private func text(status: Int) -> String {
        switch self {
        case .answeredEarly: "returned \(status) before the file was sent; the server may want a login"
        case .notStored: "returned \(status) without saying that the file is stored"
        case .noSession: "gave no session"
        case .existsOnServer(let isLater): "has the file already\(Self.hint(isLater)) (412)"
        case .changedOnServer(let isLater): "has another version of the file\(Self.hint(isLater)), or none (412)"
        case .foundOnServer: "has the file already; nothing was sent"
        case .replacedOnServer: "has replaced a file although that was forbidden; it ignores If-None-Match"
        case .storedEmpty: "has an empty file after the upload; it drops what is sent without a length"
        case .outcomeUnknown(let outcome):
            "the outcome is unknown: every byte was sent, the response was lost, \(outcome.text)"
        case .statedChecksum(let text, let part):
            "stored other bytes than were sent: it states the checksum \(text)\(part.map { " for part \($0)" } ?? "")"
        case .statedTag(let text): "stored other bytes than were sent: it states the entity tag \(text)"
        case .damaged(let times): "received other bytes than were sent, \(times) times (460)"
        case .streamUsedUp:
            "asked for the body again, and what was read from a stream cannot be read twice"
        case .streamPassed:
            "asks for bytes of the stream that it had confirmed; a stream cannot be read again"
        case .sourceShrank, .streamDigest, .noAccessKey: ""
        default: textOfResumption ?? textOfS3(status: status) ?? ""
        }
    }

    /// `nil` for other cases.
    private var textOfResumption: String? {
        switch self {
        case .notResumable: "does not take resumable uploads at this address by that protocol"
        case .noOffset(let part): "does not say which byte \(Self.name(part)) has reached"
        case .length(let expected, let actual, nil):
            "expects \(expected) bytes for this upload, the file has \(actual)"
        case .length(let expected, let actual, let part?):
            "expects \(expected) bytes for part \(part) of this upload, it has \(actual)"
        case .lost(let bytes, nil): "the server has lost \(bytes) bytes that it had confirmed"
        case .lost(let bytes, let part?):
            "\(Self.name(part)) has lost \(bytes) bytes that the server had confirmed"
        case .partsLost: "the server has lost the parts that it had confirmed"
        case .partLostTwice(let part): "has lost part \(part) of the upload twice"
        case .expired(let part): "\(Self.name(part)) has expired on the server"
        case .incomplete(let offset, let size):
            "calls the upload complete with \(offset) of \(size.map(String.init) ?? "an unknown number of") bytes"
        case .excess(let offset): "confirms \(offset) bytes, more than were sent"
        case .standstill(let offset): "responds, and confirms no more than \(offset) bytes"
        case .tooLarge(let size, let maximum): "takes files of at most \(maximum) bytes, this one has \(size)"
        case .appendLimit(let maximum, let least):
            "takes at most \(maximum) bytes in one request (max-append-size), fewer than \(least)"
        case .otherServer(let server): "leads the upload to another server (\(server))"
        case .partWithoutAddress(let part): "does not say where it has created part \(part)"
        default: nil
        }
    }

    private func textOfS3(status: Int) -> String? {
        switch self {
        case .notJoined: "returned \(status) without saying that the parts are joined"
        case .noUploadID: "does not say which upload it has created"
        case .partNotConfirmed(let part): "does not confirm part \(part)"
        case .noPartList: "does not say which parts of the upload it has"
        case .endlessPartList: "does not come to an end of the list of parts"
        case .earlyResponse: "responds before it has the parts"
        case .streamTooLong(let parts, let bytes): "the stream is longer than \(parts) parts of \(bytes) bytes"
        case .s3(let status, let code, let message):
            "returned \(status) (\(message.isEmpty ? code : "\(code): \(message)"))"
        case .clockDiffers:
            "refuses the signature: the clock of this machine differs too much from the server's"
        case .otherRegion(let signed, let found):
            "the bucket is \(found.map { "in the region \($0)" } ?? "at another address or in another region"), the "
                + "request was signed for \(signed)"
        default: nil
        }
    }

    private static func hint(_ isLater: Bool) -> String { isLater ? ", perhaps from an earlier attempt" : "" }

    private static func name(_ part: Int?) -> String { part.map { "part \($0) of the upload" } ?? "the upload" }
}

extension UploadProblem.Outcome {
    fileprivate var text: String {
        switch self {
        case .otherObject: "and the object under this name cannot be recognized as the file"
        case .uploadForgotten: "and the server no longer knows the upload"
        case .partsForgotten: "and the server no longer knows the parts"
        case .partsMayBeJoined: "and the server may have joined the parts"
        case .mayBeTwice: "and this server creates another upload for each request"
        }
    }
}
