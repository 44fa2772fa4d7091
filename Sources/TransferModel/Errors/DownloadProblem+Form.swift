// SPDX-License-Identifier: MIT

extension DownloadProblem {
    var form: ProblemForm {
        switch self {
        case .severalRanges: return ProblemForm("severalRanges")
        case .unrequestedPart: return ProblemForm("unrequestedPart")
        case .restChanged: return ProblemForm("restChanged")
        case .outputWritten: return ProblemForm("outputWritten")
        case .outputBrokeOff(let bytes): return ProblemForm("outputBrokeOff", [bytes])
        case .shortBody(let received, let announced): return ProblemForm("shortBody", [received, announced])
        case .restMissing: return ProblemForm("restMissing")
        case .rangeExceeded: return ProblemForm("rangeExceeded")
        case .doubtfulBody(let bytes): return ProblemForm("doubtfulBody", [bytes])
        case .noFile(let phrase): return ProblemForm("noFile", texts: [phrase])
        case .otherMediaType(let found, let expected): return ProblemForm("otherMediaType", texts: [found, expected])
        case .portalPage: return ProblemForm("portalPage")
        case .metalink: return ProblemForm("metalink")
        case .metalinkSize(let maximum): return ProblemForm("metalinkSize", [Int64(maximum)])
        case .metalinkFiles(let count): return ProblemForm("metalinkFiles", [Int64(count)])
        case .metalinkInsecure: return ProblemForm("metalinkInsecure")
        case .metalinkUnreadable(let problem):
            let parts = problem.formParts
            return ProblemForm("metalinkUnreadable", parts.numbers, texts: parts.texts)
        case .noStoredResponse(let reason): return ProblemForm("noStoredResponse", texts: [reason.rawValue])
        case .storedResponseGone: return ProblemForm("storedResponseGone")
        case .resumeDataVersion(let found, let own):
            return ProblemForm("resumeDataVersion", [Int64(found), Int64(own)])
        case .resumeDataDamaged: return ProblemForm("resumeDataDamaged")
        case .longLine(let maximum): return ProblemForm("longLine", [Int64(maximum)])
        }
    }

    init?(_ form: ProblemForm) {
        switch form.name {
        case "severalRanges": self = .severalRanges
        case "unrequestedPart": self = .unrequestedPart
        case "restChanged": self = .restChanged
        case "outputWritten": self = .outputWritten
        case "outputBrokeOff": self = .outputBrokeOff(bytes: form.number())
        case "shortBody": self = .shortBody(received: form.number(), announced: form.number(1))
        case "restMissing": self = .restMissing
        case "rangeExceeded": self = .rangeExceeded
        case "doubtfulBody": self = .doubtfulBody(bytes: form.number())
        case "noFile": self = .noFile(phrase: form.text())
        case "otherMediaType": self = .otherMediaType(found: form.text(), expected: form.text(1))
        case "portalPage": self = .portalPage
        case "metalink": self = .metalink
        case "metalinkSize": self = .metalinkSize(maximumBytes: form.integer())
        case "metalinkFiles": self = .metalinkFiles(count: form.integer())
        case "metalinkInsecure": self = .metalinkInsecure
        case "metalinkUnreadable":
            guard let problem = DocumentProblem(form) else { return nil }
            self = .metalinkUnreadable(problem)
        case "noStoredResponse":
            guard let reason = NoLoading(rawValue: form.text()) else { return nil }
            self = .noStoredResponse(reason)
        case "storedResponseGone": self = .storedResponseGone
        case "resumeDataVersion": self = .resumeDataVersion(found: form.integer(), own: form.integer(1))
        case "resumeDataDamaged": self = .resumeDataDamaged
        case "longLine": self = .longLine(maximumBytes: form.integer())
        default: return nil
        }
    }
}
