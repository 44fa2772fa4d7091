// SPDX-License-Identifier: MIT

import TransferModel

/// Responses that are a failure.
extension MessageCatalog {
    static func text(_ refusal: TransferError.Refusal, host: String?, status: Int) -> String {
        var line = (host.map { "\($0): " } ?? "") + "returned \(status)" + said(refusal)
        if refusal.mayLackFolder == true { line += "; the folder may not exist on the server" }
        if let attempts = refusal.attempts { line += " (given up after \(attempts) attempts)" }
        if let pause = refusal.retryAfter { line += "; the server asks to wait \(TimeSpan.short(pause))" }
        return line
    }

    /// What follows the status, with what separates it: the reason phrase, who made the response, and why.
    static func said(_ refusal: TransferError.Refusal) -> String {
        var line = refusal.phrase.isEmpty ? "" : " \(refusal.phrase)"
        if let proxy = refusal.proxy { line += " (made by a proxy on the way, \(proxy): \(refusal.proxyError ?? ""))" }
        if let reason = refusal.reason ?? refusal.demand.flatMap(sentence) { line += ": \(reason)" }
        return line
    }

    private static func sentence(_ demand: TransferError.Demand) -> String? {
        switch demand {
        case .bearerToken: "the server wants a bearer token in the Authorization header"
        case .otherBearerToken: "the server does not accept the bearer token"
        default: nil
        }
    }
}
