// SPDX-License-Identifier: MIT

import HTTPTypes
import SessionCore
import TransferModel

/// The error for a final status when only a success is useful.
enum HTTPStatusError {
    /// - Parameter said: the server's reason; empty if it gives none.
    /// - Returns: `nil` for 2xx.
    static func make(_ head: HTTPResponse, authority: String, said: String = "") -> TransferError? {
        let status = head.status
        guard status.kind != .successful else { return nil }
        let phrase = status.reasonPhrase.isEmpty ? "" : " \(TextLine.first(of: status.reasonPhrase))"
        let reason = said.isEmpty ? demand(head) : said
        let words = reason.isEmpty ? "" : ": \(reason)"
        let isLogin = status.code == 401 || status.code == 407
        let answered = "\(authority): answered \(status.code)\(phrase)"
        let fields = TransferError.Fields(host: authority, status: status.code)
        guard let proxy = ProxyStatus(of: head) else {
            return TransferError(isLogin ? .loginDenied : .httpStatus, answered + words, fields: fields)
        }
        let maker = "made by a proxy on the way, \(TextLine.first(of: proxy.name)): \(TextLine.first(of: proxy.error))"
        return TransferError(isLogin ? .loginDenied : .httpStatus, "\(answered) (\(maker))\(words)", fields: fields)
    }

    /// What a 401 demands that no user name and password can satisfy (RFC 6750, section 3).
    private static func demand(_ head: HTTPResponse) -> String {
        guard head.status.code == 401 else { return "" }
        let challenges = head.headerFields[values: .wwwAuthenticate].flatMap(ChallengeHeader.parse)
        guard let bearer = challenges.first(where: { $0.scheme == "bearer" }),
            !challenges.contains(where: { ["basic", "digest", "ntlm"].contains($0.scheme) })
        else { return "" }
        if let description = bearer.parameters["error_description"], !description.isEmpty {
            return TextLine.first(of: description)
        }
        return bearer.parameters["error"] == "invalid_token"
            ? "the server does not accept the bearer token"
            : "the server wants a bearer token in the Authorization header"
    }
}
