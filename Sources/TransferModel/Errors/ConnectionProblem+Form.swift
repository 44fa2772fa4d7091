// SPDX-License-Identifier: MIT

extension ConnectionProblem {
    var form: ProblemForm {
        switch self {
        case .failed: ProblemForm("failed")
        case .reported(let text): ProblemForm("reported", texts: [text])
        case .withoutTLS: ProblemForm("withoutTLS")
        case .requestTimeout(let seconds, let received, let sent):
            ProblemForm("requestTimeout", [received, sent], seconds: seconds)
        case .responseTimeout(let seconds, let sent): ProblemForm("responseTimeout", [sent], seconds: seconds)
        case .connectTimeout(let seconds): ProblemForm("connectTimeout", seconds: seconds)
        case .resourceTimeout(let seconds, let received, let sent):
            ProblemForm("resourceTimeout", [received, sent], seconds: seconds)
        case .proxyRefused: ProblemForm("proxyRefused")
        case .proxyFailed(let reason): ProblemForm("proxyFailed", texts: [reason.rawValue])
        case .proxyVariable(let name, let problem):
            ProblemForm("proxyVariable", texts: problem.texts(after: name))
        case .notTLS: ProblemForm("notTLS")
        case .noTLSVersion: ProblemForm("noTLSVersion")
        case .closedDuringTLS: ProblemForm("closedDuringTLS")
        case .withoutCloseNotify: ProblemForm("withoutCloseNotify")
        case .certificateUnreadable: ProblemForm("certificateUnreadable")
        case .certificateNotApproved(let problem): ProblemForm("certificateNotApproved", texts: [problem?.text])
        case .certificateNotPinned: ProblemForm("certificateNotPinned")
        case .exceptionNotPinned: ProblemForm("exceptionNotPinned")
        case .pinWithoutTLS: ProblemForm("pinWithoutTLS")
        case .clientCertificateRequired: ProblemForm("clientCertificateRequired")
        case .clientCertificateRefused(let alert): ProblemForm("clientCertificateRefused", texts: [alert])
        case .clientCertificateUnreadable(let path, let errno):
            ProblemForm("clientCertificateUnreadable", [Int64(errno)], texts: [path])
        case .clientKeyUnreadable(let path, let errno):
            ProblemForm("clientKeyUnreadable", [Int64(errno)], texts: [path])
        case .certificateDeclined: ProblemForm("certificateDeclined")
        case .loginDeclined(let realm): ProblemForm("loginDeclined", texts: [realm])
        case .passwordInClearText: ProblemForm("passwordInClearText")
        case .bearerToken: ProblemForm("bearerToken")
        case .userName: ProblemForm("userName")
        case .proxyScheme: ProblemForm("proxyScheme")
        case .socksScheme: ProblemForm("socksScheme")
        case .schemeNotBuiltIn(let scheme, let version): ProblemForm("schemeNotBuiltIn", texts: [scheme, version])
        case .headTooLarge: ProblemForm("headTooLarge")
        case .contentLength: ProblemForm("contentLength")
        case .responseRefused: ProblemForm("responseRefused")
        case .noResponse: ProblemForm("noResponse")
        case .unrequestedResponse: ProblemForm("unrequestedResponse")
        case .tooManyRedirects(let maximum): ProblemForm("tooManyRedirects", [Int64(maximum)])
        case .insecureRedirect(let next): ProblemForm("insecureRedirect", texts: [next])
        case .redirectToNoURL: ProblemForm("redirectToNoURL")
        case .redirectToInvalidURL(let problem):
            ProblemForm("redirectToInvalidURL", texts: [problem.name, problem.text])
        case .networkForbidden: ProblemForm("networkForbidden")
        case .noInterface(let text): ProblemForm("noInterface", texts: [text])
        case .tlsLimits(let lowest, let highest): ProblemForm("tlsLimits", texts: [lowest, highest])
        case .optionRefused(let option, let version, let reason):
            ProblemForm("optionRefused", texts: [option, version, reason])
        case .libraryNotStarted: ProblemForm("libraryNotStarted")
        case .noFreeDescriptor: ProblemForm("noFreeDescriptor")
        case .programEnds: ProblemForm("programEnds")
        }
    }

    init?(_ form: ProblemForm) {
        switch form.name {
        case "failed": self = .failed
        case "reported": self = .reported(form.text())
        case "withoutTLS": self = .withoutTLS
        case "requestTimeout":
            self = .requestTimeout(seconds: form.seconds ?? 0, received: form.number(), sent: form.number(1))
        case "responseTimeout": self = .responseTimeout(seconds: form.seconds ?? 0, sent: form.number())
        case "connectTimeout": self = .connectTimeout(seconds: form.seconds ?? 0)
        case "resourceTimeout":
            self = .resourceTimeout(seconds: form.seconds ?? 0, received: form.number(), sent: form.number(1))
        case "proxyRefused": self = .proxyRefused
        case "proxyFailed":
            guard let reason = ProxyFailure(rawValue: form.text()) else { return nil }
            self = .proxyFailed(reason)
        case "proxyVariable":
            let texts = Array((form.texts ?? []).dropFirst(2))
            guard let problem = InvalidValue.ProxyProblem(name: form.text(1), texts: texts) else { return nil }
            self = .proxyVariable(name: form.text(), problem)
        case "notTLS": self = .notTLS
        case "noTLSVersion": self = .noTLSVersion
        case "closedDuringTLS": self = .closedDuringTLS
        case "withoutCloseNotify": self = .withoutCloseNotify
        case "certificateUnreadable": self = .certificateUnreadable
        case "certificateNotApproved":
            self = .certificateNotApproved(form.optionalText(0).map { CertificateProblem($0) })
        case "certificateNotPinned": self = .certificateNotPinned
        case "exceptionNotPinned": self = .exceptionNotPinned
        case "pinWithoutTLS": self = .pinWithoutTLS
        case "clientCertificateRequired": self = .clientCertificateRequired
        case "clientCertificateRefused": self = .clientCertificateRefused(alert: form.text())
        case "clientCertificateUnreadable":
            self = .clientCertificateUnreadable(path: form.text(), errno: Int32(clamping: form.number()))
        case "clientKeyUnreadable":
            self = .clientKeyUnreadable(path: form.text(), errno: Int32(clamping: form.number()))
        case "certificateDeclined": self = .certificateDeclined
        case "loginDeclined": self = .loginDeclined(realm: form.optionalText(0))
        case "passwordInClearText": self = .passwordInClearText
        case "bearerToken": self = .bearerToken
        case "userName": self = .userName
        case "proxyScheme": self = .proxyScheme
        case "socksScheme": self = .socksScheme
        case "schemeNotBuiltIn": self = .schemeNotBuiltIn(scheme: form.text(), libraryVersion: form.text(1))
        default: self.init(response: form)
        }
    }

    private init?(response form: ProblemForm) {
        switch form.name {
        case "headTooLarge": self = .headTooLarge
        case "contentLength": self = .contentLength
        case "responseRefused": self = .responseRefused
        case "noResponse": self = .noResponse
        case "unrequestedResponse": self = .unrequestedResponse
        case "tooManyRedirects": self = .tooManyRedirects(maximum: form.integer())
        case "insecureRedirect": self = .insecureRedirect(to: form.text())
        case "redirectToNoURL": self = .redirectToNoURL
        case "redirectToInvalidURL":
            guard let problem = InvalidValue.URLProblem(name: form.text(), text: form.text(1)) else { return nil }
            self = .redirectToInvalidURL(problem)
        case "networkForbidden": self = .networkForbidden
        case "noInterface": self = .noInterface(form.text())
        case "tlsLimits": self = .tlsLimits(lowest: form.text(), highest: form.text(1))
        case "optionRefused":
            self = .optionRefused(form.text(), libraryVersion: form.text(1), reason: form.text(2))
        case "libraryNotStarted": self = .libraryNotStarted
        case "noFreeDescriptor": self = .noFreeDescriptor
        case "programEnds": self = .programEnds
        default: return nil
        }
    }
}
