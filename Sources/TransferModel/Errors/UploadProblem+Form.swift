// SPDX-License-Identifier: MIT

extension UploadProblem {
    var form: ProblemForm {
        switch self {
        case .answeredEarly: ProblemForm("answeredEarly")
        case .notStored: ProblemForm("notStored")
        case .noSession: ProblemForm("noSession")
        case .foundOnServer: ProblemForm("foundOnServer")
        case .replacedOnServer: ProblemForm("replacedOnServer")
        case .storedEmpty: ProblemForm("storedEmpty")
        case .existsOnServer(let isLater): ProblemForm("existsOnServer", [isLater ? 1 : 0])
        case .changedOnServer(let isLater): ProblemForm("changedOnServer", [isLater ? 1 : 0])
        case .outcomeUnknown(let outcome): ProblemForm("outcomeUnknown", texts: [outcome.rawValue])
        case .notResumable: ProblemForm("notResumable")
        case .noOffset(let part): ProblemForm("noOffset", [part.map { Int64($0) }])
        case .length(let expected, let actual, let part):
            ProblemForm("length", [expected, actual, part.map { Int64($0) }])
        case .lost(let bytes, let part): ProblemForm("lost", [bytes, part.map { Int64($0) }])
        case .partsLost: ProblemForm("partsLost")
        case .partLostTwice(let part): ProblemForm("partLostTwice", [Int64(part)])
        case .expired(let part): ProblemForm("expired", [part.map { Int64($0) }])
        case .incomplete(let offset, let size): ProblemForm("incomplete", [offset, size])
        case .excess(let offset): ProblemForm("excess", [offset])
        case .standstill(let offset): ProblemForm("standstill", [offset])
        case .tooLarge(let size, let maximum): ProblemForm("tooLarge", [size, maximum])
        case .appendLimit(let maximum, let least): ProblemForm("appendLimit", [maximum, least])
        case .otherServer(let server): ProblemForm("otherServer", texts: [server])
        case .partWithoutAddress(let part): ProblemForm("partWithoutAddress", [Int64(part)])
        case .notJoined: ProblemForm("notJoined")
        case .noUploadID: ProblemForm("noUploadID")
        case .partNotConfirmed(let part): ProblemForm("partNotConfirmed", [Int64(part)])
        case .noPartList: ProblemForm("noPartList")
        case .endlessPartList: ProblemForm("endlessPartList")
        case .earlyResponse: ProblemForm("earlyResponse")
        case .streamTooLong(let parts, let bytes): ProblemForm("streamTooLong", [parts, bytes])
        case .s3(let status, let code, let message): ProblemForm("s3", [Int64(status)], texts: [code, message])
        case .clockDiffers: ProblemForm("clockDiffers")
        case .otherRegion(let signed, let found): ProblemForm("otherRegion", texts: [signed, found])
        case .noAccessKey(let profile, let file): ProblemForm("noAccessKey", texts: [profile, file])
        case .statedChecksum(let text, let part):
            ProblemForm("statedChecksum", [part.map { Int64($0) }], texts: [text])
        case .statedTag(let text): ProblemForm("statedTag", texts: [text])
        case .damaged(let times): ProblemForm("damaged", [Int64(times)])
        case .streamDigest: ProblemForm("streamDigest")
        case .sourceShrank: ProblemForm("sourceShrank")
        case .streamUsedUp: ProblemForm("streamUsedUp")
        case .streamPassed: ProblemForm("streamPassed")
        }
    }

    init?(_ form: ProblemForm) {
        switch form.name {
        case "answeredEarly": self = .answeredEarly
        case "notStored": self = .notStored
        case "noSession": self = .noSession
        case "foundOnServer": self = .foundOnServer
        case "replacedOnServer": self = .replacedOnServer
        case "storedEmpty": self = .storedEmpty
        case "existsOnServer": self = .existsOnServer(isLater: form.isTrue())
        case "changedOnServer": self = .changedOnServer(isLater: form.isTrue())
        case "outcomeUnknown":
            guard let outcome = Outcome(rawValue: form.text()) else { return nil }
            self = .outcomeUnknown(outcome)
        case "notResumable": self = .notResumable
        case "noOffset": self = .noOffset(part: form.optionalInteger(0))
        case "length":
            self = .length(expected: form.number(), actual: form.number(1), part: form.optionalInteger(2))
        case "lost": self = .lost(bytes: form.number(), part: form.optionalInteger(1))
        case "partsLost": self = .partsLost
        case "partLostTwice": self = .partLostTwice(form.integer())
        case "expired": self = .expired(part: form.optionalInteger(0))
        case "incomplete": self = .incomplete(offset: form.number(), size: form.optionalNumber(1))
        case "excess": self = .excess(offset: form.number())
        case "standstill": self = .standstill(offset: form.number())
        case "tooLarge": self = .tooLarge(size: form.number(), maximum: form.number(1))
        case "appendLimit": self = .appendLimit(maximum: form.number(), least: form.number(1))
        case "otherServer": self = .otherServer(form.text())
        case "partWithoutAddress": self = .partWithoutAddress(form.integer())
        case "notJoined": self = .notJoined
        default: self.init(bytes: form)
        }
    }

    /// Of S3, and of the bytes.
    private init?(bytes form: ProblemForm) {
        switch form.name {
        case "noUploadID": self = .noUploadID
        case "partNotConfirmed": self = .partNotConfirmed(form.integer())
        case "noPartList": self = .noPartList
        case "endlessPartList": self = .endlessPartList
        case "earlyResponse": self = .earlyResponse
        case "streamTooLong": self = .streamTooLong(parts: form.number(), partBytes: form.number(1))
        case "s3": self = .s3(status: form.integer(), code: form.text(), message: form.text(1))
        case "clockDiffers": self = .clockDiffers
        case "otherRegion": self = .otherRegion(signed: form.text(), found: form.optionalText(1))
        case "noAccessKey": self = .noAccessKey(profile: form.text(), file: form.optionalText(1))
        case "statedChecksum": self = .statedChecksum(form.text(), part: form.optionalInteger(0))
        case "statedTag": self = .statedTag(form.text())
        case "damaged": self = .damaged(times: form.integer())
        case "streamDigest": self = .streamDigest
        case "sourceShrank": self = .sourceShrank
        case "streamUsedUp": self = .streamUsedUp
        case "streamPassed": self = .streamPassed
        default: return nil
        }
    }
}
