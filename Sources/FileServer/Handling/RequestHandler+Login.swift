// SPDX-License-Identifier: MIT

import FoundationEssentials
import HTTPTypes
import TransferModel

/// The server's token: as `Authorization` of programs, or as the cookie that a browser got for it.
extension RequestHandler {
    static let loginCookie = "fileq-login"

    /// The outcome of the check of token and cookie.
    enum Admission: Equatable {
        case admitted
        /// The form for the token.
        case form
        /// The content of that form follows.
        case attempt
    }

    /// - Throws: 401, 403 for what a page of another site asks for, and 429 for a network that guesses.
    /// - Parameter network: computed only where a token is sent.
    func admission(of request: HTTPRequest, from network: @autoclosure () -> String) async throws -> Admission {
        let fields = request.headerFields
        guard tokenDigest != nil else {
            try Self.checkFetch(fields)
            return .admitted
        }
        if fields[.authorization] == nil {
            let isForm = Self.isForm(request) && Page.isPreferred(by: request)
            // Also of a browser that is logged in: it logs out with one.
            if isForm { return .attempt }
            if let value = login(in: fields), logins?.isValid(value, at: UploadStore.now()) == true {
                try Self.checkUse(ofLoginBy: request)
                return .admitted
            }
            if Page.isPreferred(by: request) { return .form }
        }
        let words = (fields[.authorization] ?? "").split(separator: " ", maxSplits: 1)
        let bearer = words.count == 2 && words[0].lowercased() == "bearer" ? String(words[1]) : nil
        let basic = Self.password(of: fields)
        guard let given = bearer ?? basic, try await isToken(given, from: network()) else {
            throw Refusal(
                .unauthorized, "this server requires a token",
                headers: [
                    .wwwAuthenticate: "Bearer realm=\"fileq\"" + (bearer == nil ? "" : ", error=\"invalid_token\""),
                    .wwwAuthenticate: "Basic realm=\"fileq\", charset=\"UTF-8\"",
                ])
        }
        // To requests of other sites browsers add the login that their user has typed, but no bearer token.
        if basic != nil { try Self.checkFetch(fields) }
        return .admitted
    }

    /// Checks a token in the turn of its network, whichever way it was sent.
    /// - Throws: 429 if too many wait.
    private func isToken(_ given: String, from network: String) async throws -> Bool {
        try await guesses.takeTurn(of: network, on: Self.loginCookie, at: UploadStore.now())
        guard let tokenDigest, Secret.areEqual(Secret.digest(given), tokenDigest) else { return false }
        guesses.wasRight(network, on: Self.loginCookie)
        return true
    }

    /// Refuses what pages of other sites load from here, such as images and scripts: it shows them which files exist,
    /// and may show what is in them. Only browsers send these fields (Fetch Metadata).
    private static func checkFetch(
        _ fields: HTTPFields, from sites: Set<String> = ["cross-site"]
    ) throws(Refusal) {
        guard let site = fields[.secFetchSite], sites.contains(site) else { return }
        // A frame navigates, too.
        if fields[.secFetchMode] == "navigate", fields[.secFetchDest] ?? "document" == "document" { return }
        throw Refusal(.forbidden, "pages of other sites may not load files")
    }

    /// The browser sends the cookie, whichever page makes the request. `SameSite` keeps out other sites, but not other
    /// ports of this host, and not those that call themselves a name below it.
    private static func checkUse(ofLoginBy request: HTTPRequest) throws(Refusal) {
        let fields = request.headerFields
        try checkFetch(fields, from: ["cross-site", "same-site"])
        guard ![.get, .head, .options].contains(request.method) else { return }
        // An `Origin` of another site has been refused already.
        guard fields[.origin] != nil || fields[.secFetchSite] == "same-origin" else {
            throw Refusal(.forbidden, "with a login, only pages of this server may store or remove files")
        }
    }

    func login(in fields: HTTPFields) -> String? {
        fields[values: .cookie].lazy.flatMap { CookieHeader.parse($0) }.first { $0.name == Self.loginCookie }?.value
    }

    /// The content of a form at any address: the token, or the end of the login. A right one leads to that address.
    func answer(_ form: FormFields, of request: HTTPRequest, from network: String) async throws -> Answer {
        guard let logins else { throw Refusal.notFound }
        // An address such as `//example.org/` would lead elsewhere.
        _ = try RequestTarget(request.path ?? "")
        let (fields, language, now) = (request.headerFields, PageLanguage(of: request), UploadStore.now())
        if form["logout"] != nil {
            if let value = login(in: fields) { try await blocking { try logins.end(value) } }
            return Self.redirect(to: request, cookie: cookie("", seconds: 0, for: fields))
        }
        do {
            guard try await isToken(form["token"] ?? "", from: network) else {
                // Each attempt takes its time.
                try await Task.sleep(for: .milliseconds(500))
                return LoginPage.answer(.unauthorized, language, because: .wrongToken)
            }
        } catch let refusal as Refusal {
            var answer = LoginPage.answer(refusal.status, language, because: .tooManyGuesses)
            answer.headers[.retryAfter] = refusal.headers[.retryAfter]
            return answer
        }
        let value = try await blocking { try logins.begin(at: now) }
        return Self.redirect(to: request, cookie: cookie(value, seconds: Int(LoginStore.lifetime), for: fields))
    }

    private func cookie(_ value: String, seconds: Int, for fields: HTTPFields) -> String {
        // A proxy in front may have the TLS.
        let isEncrypted = configuration.tls != nil || fields[.origin]?.lowercased().hasPrefix("https://") == true
        return "\(Self.loginCookie)=\(value); Path=/; Max-Age=\(seconds); HttpOnly; SameSite=Strict"
            + (isEncrypted ? "; Secure" : "")
    }

    /// With GET, so that loading the page again sends no form.
    private static func redirect(to request: HTTPRequest, cookie: String) -> Answer {
        let target = request.path ?? "/"
        return Answer(
            .seeOther,
            headers: [
                .location: RequestTarget.absoluteForm(target)?.origin ?? target, .setCookie: cookie,
                .cacheControl: "no-store",
            ], text: "see the page")
    }
}
