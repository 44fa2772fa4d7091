// SPDX-License-Identifier: MIT

import HTTPTypes
import TransferModel

/// The header fields of one exchange.
enum RequestFields {
    /// - Parameters:
    ///   - cookies: the store of the session or of the request.
    ///   - codings: those that the transport decodes for this request.
    static func make(
        plan: TaskMachine.ExchangePlan, options: TransferOptions, configuration: TransferConfiguration,
        cookies: CookieStorage? = nil, codings: [String] = []
    ) -> HTTPFields {
        let given = options.headers.filter { $0.name != .cookie && (plan.isOriginalOrigin || $0.name.isImpersonal) }
        let replaced = Set(given.map(\.name))
        var fields = HTTPFields(configuration.additionalFields.filter { !replaced.contains($0.name) })
        for field in given { fields.append(field) }
        if plan.isOriginalOrigin, fields[.referer] == nil { fields[.referer] = options.referer?.value }
        if fields[.userAgent] == nil { fields[.userAgent] = options.userAgent ?? configuration.userAgent }
        if fields[.accept] == nil { fields[.accept] = "*/*" }
        if fields[.acceptEncoding] == nil {
            fields[.acceptEncoding] = codings.isEmpty ? "identity" : codings.joined(separator: ", ")
        }
        if let value = cookieField(plan, options, cookies) { fields.append(HTTPField(name: .cookie, value: value)) }
        for field in plan.extraFields { fields[field.name] = field.value }
        if let resume = plan.resume, resume.validator.ifRange != nil || resume.isVouched {
            fields[.range] = "bytes=\(resume.offset)-\(resume.end.map { String($0 - 1) } ?? "")"
            fields[.ifRange] = resume.isUnconditional ? nil : resume.validator.ifRange
        }
        if let leg = plan.leg {
            if !leg.carriesSubject { for name in UploadExchange.namesOfSubject { fields[name] = nil } }
            let stated = leg.stating(metadata: fields[values: .uploadMetadata])
            for field in stated.fields { fields[field.name] = field.value }
        }
        if plan.sendsBody {
            if fields[.contentType] == nil { fields[.contentType] = "application/octet-stream" }
            if !plan.expectsContinue { fields[.expect] = "" }
        }
        return fields
    }

    /// Those of the request go to its own origin; stored ones go where they match.
    private static func cookieField(
        _ plan: TaskMachine.ExchangePlan, _ options: TransferOptions, _ cookies: CookieStorage?
    )
        -> String?
    {
        var parts = plan.isOriginalOrigin ? options.headers.filter { $0.name == .cookie }.map(\.value) : []
        let own = plan.isOriginalOrigin ? options.cookies : []
        if let cookies {
            if let value = cookies.header(for: plan.url, given: own) { parts.append(value) }
        } else if !own.isEmpty {
            parts.append(own.map { "\($0.name)=\($0.value)" }.joined(separator: "; "))
        }
        return parts.isEmpty ? nil : parts.joined(separator: "; ")
    }
}
