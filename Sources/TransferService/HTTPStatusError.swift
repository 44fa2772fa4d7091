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
        var refusal = TransferError.Refusal(phrase: TextLine.first(of: status.reasonPhrase))
        if said.isEmpty { noteDemand(of: head, in: &refusal) } else { refusal.reason = said }
        if let proxy = ProxyStatus(of: head) {
            refusal.proxy = TextLine.first(of: proxy.name)
            refusal.proxyError = TextLine.first(of: proxy.error)
        }
        let isLogin = status.code == 401 || status.code == 407
        return TransferError(isLogin ? .loginDenied : .httpStatus, refusal, host: authority, status: status.code)
    }

    /// What a 401 demands that no user name and password can satisfy (RFC 6750, section 3).
    private static func noteDemand(of head: HTTPResponse, in refusal: inout TransferError.Refusal) {
        guard head.status.code == 401 else { return }
        let challenges = head.headerFields[values: .wwwAuthenticate].flatMap(ChallengeHeader.parse)
        guard let bearer = challenges.first(where: { $0.scheme == "bearer" }),
            !challenges.contains(where: { ["basic", "digest", "ntlm"].contains($0.scheme) })
        else { return }
        if let description = bearer.parameters["error_description"], !description.isEmpty {
            refusal.reason = TextLine.first(of: description)
        } else {
            refusal.demand = bearer.parameters["error"] == "invalid_token" ? .otherBearerToken : .bearerToken
        }
    }
}
