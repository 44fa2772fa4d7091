// SPDX-License-Identifier: MIT

package import HTTPTypes
import SessionCore
package import TransferModel

/// The error for a final status when only a success is useful.
package enum HTTPStatusError {
    /// - Parameters:
    ///   - url: that responded, after redirects.
    ///   - body: its first bytes, with the server's reason.
    /// - Returns: `nil` for 2xx.
    package static func make(_ head: HTTPResponse, from url: TransferURL, body: [UInt8] = []) -> TransferError? {
        let status = head.status
        guard status.kind != .successful else { return nil }
        let said = ServerReason.text(of: body)
        var refusal = TransferError.Refusal(phrase: TextLine.first(of: status.reasonPhrase))
        if !said.isEmpty { refusal.reason = said }
        noteDemand(of: head, in: &refusal)
        if let proxy = ProxyStatus(of: head) {
            refusal.proxy = TextLine.first(of: proxy.name)
            refusal.proxyError = TextLine.first(of: proxy.error)
        }
        let isLogin = status.code == 401 || status.code == 407
        var error = TransferError(
            isLogin ? .loginDenied : .httpStatus, refusal, host: url.authority, status: status.code)
        if status.code == 511 { error.notePortal(portal(head, body, url), for: url) }
        return error
    }

    /// Where a 511 sends the user: its `Location`, the target of a page that refreshes, or its first link; else the
    /// address itself.
    private static func portal(_ head: HTTPResponse, _ body: [UInt8], _ url: TransferURL) -> TransferURL {
        let link =
            head.headerFields[.location] ?? target(in: body, "http-equiv", "url=") ?? target(in: body, "<a ", "href=")
        return link.flatMap { try? url.resolving($0) } ?? url
    }

    /// The text behind `mark` within `tag` of a page.
    private static func target(in page: [UInt8], _ tag: String, _ mark: String) -> String? {
        let lower = page.map { (0x41...0x5a).contains($0) ? $0 | 0x20 : $0 }
        guard let start = lower.firstRange(of: tag.utf8)?.upperBound,
            let value = lower[start...].firstRange(of: mark.utf8)?.upperBound
        else { return nil }
        let rest = page[value...].drop { " \"'".utf8.contains($0) }
        let link = String(decoding: rest.prefix { $0 > 0x20 && !"\"'<>".utf8.contains($0) }, as: UTF8.self)
        return link.isEmpty ? nil : link.replacing("&amp;", with: "&")
    }

    /// Notes the demand of a 401 beyond user name and password (RFC 6750, section 3).
    private static func noteDemand(of head: HTTPResponse, in refusal: inout TransferError.Refusal) {
        guard head.status.code == 401 else { return }
        let challenges = head.headerFields[values: .wwwAuthenticate].flatMap(ChallengeHeader.parse)
        guard let bearer = challenges.first(where: { $0.scheme == "bearer" }) else { return }
        let acceptsLogin = challenges.contains { ["basic", "digest", "ntlm"].contains($0.scheme) }
        if bearer.parameters["error"] == "invalid_token" {
            refusal.demand = .otherBearerToken
        } else {
            refusal.demand = acceptsLogin ? .loginOrBearerToken : .bearerToken
        }
        guard !acceptsLogin, refusal.reason == nil else { return }
        refusal.reason = bearer.parameters["error_description"].map { TextLine.first(of: $0) }.flatMap {
            $0.isEmpty ? nil : $0
        }
    }
}

extension HTTPResponse {
    /// In seconds; longer waits count as this one, whose length is not stated; it exceeds usual resource timeouts.
    private static let longestWait = TransferError.Refusal.longestWait + 1

    /// The seconds for which the server asks for no request (RFC 9110, section 10.2.3).
    /// - Parameter now: seconds since 1970.
    package func retryAfter(at now: Double) -> Double? {
        guard let text = headerFields[.retryAfter] else { return nil }
        if let seconds = Double(text), seconds >= 0 { return min(seconds, Self.longestWait) }
        return HTTPDate.parse(text, now: Int64(now)).map { max(0, min(Double($0) - now, Self.longestWait)) }
    }
}
