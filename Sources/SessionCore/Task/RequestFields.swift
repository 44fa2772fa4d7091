// SPDX-License-Identifier: MIT

import HTTPTypes
import TransferModel

/// The header fields of one exchange. Pure.
enum RequestFields {
    /// Fields that say what is wanted and nothing of who wants it. All others that the user gave stay at the origin they
    /// were given for: keys and tokens travel in fields of any name.
    private static let impersonal: Set<HTTPField.Name> = [
        .accept, .acceptEncoding, .acceptLanguage, .cacheControl, .contentType, .expect, .userAgent,
    ]

    static func make(plan: TaskStateMachine.ExchangePlan, options: TransferOptions, configuration: TransferConfiguration)
        -> HTTPFields {
        var fields = configuration.additionalFields
        for field in options.headers where plan.isOriginalOrigin || impersonal.contains(field.name) {
            if fields[field.name] != nil, configuration.additionalFields[field.name] != nil { fields[field.name] = nil }
            fields.append(field)
        }
        if fields[.userAgent] == nil { fields[.userAgent] = configuration.userAgent }
        if fields[.accept] == nil { fields[.accept] = "*/*" }
        if fields[.acceptEncoding] == nil { fields[.acceptEncoding] = "identity" }
        if plan.isOriginalOrigin, !options.cookies.isEmpty {
            fields.append(HTTPField(name: .cookie, value: options.cookies.map { "\($0.name)=\($0.value)" }.joined(separator: "; ")))
        }
        if let resume = plan.resume, let condition = resume.validator.ifRange {
            fields[.range] = "bytes=\(resume.offset)-"
            fields[.ifRange] = condition
        }
        if plan.sendsBody {
            if fields[.contentType] == nil { fields[.contentType] = "application/octet-stream" }
            if !plan.expectsContinue { fields[.expect] = "" }
        }
        return fields
    }
}
