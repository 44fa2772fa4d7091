// SPDX-License-Identifier: MIT

import TransferModel

/// What the line below the list says of a failed transfer: in one sentence what happened. The details have the rest.
extension MessageCatalog {
    /// Without full stop, longest first.
    static func facts(ofFailed transfer: Transfer) -> [String] {
        guard let error = transfer.error else { return ["Failed"] }
        if let facts = Self.facts(ofResponse: error, transfer) { return facts }
        let (text, place) = parts(error, transfer)
        let whole = capitalized(text)
        let short = error.fields.mismatch.flatMap(withoutDigests).map { _ in "Checksum differs" }
        return [place.map { "\(whole): \($0)" }, whole, short].compactMap(\.self)
    }

    /// Which bytes are not the expected ones, for a line that has no room for digests; `nil` where the sentence of
    /// ``ContentMismatch`` has none.
    static func withoutDigests(_ mismatch: ContentMismatch) -> String? {
        let digest = mismatch.algorithm.map(Checksum.Algorithm.name(of:)) ?? "checksum"
        return switch mismatch.kind {
        case .download, .stream: "the \(digest) is not the expected one"
        case .source: "the \(digest) of the file is not the expected one"
        case .sent: "the \(digest) of what was sent is not the expected one"
        case .stored: "the server stored other bytes than were sent"
        case .size, .part, .existing, .unknown: nil
        }
    }

    // MARK: Responses

    /// What the status means, what the server says besides, and the status; `nil` if the failure is no response.
    private static func facts(ofResponse error: TransferError, _ transfer: Transfer) -> [String]? {
        guard error.fields.problem == nil, let refusal = error.fields.refusal, let status = error.fields.status else {
            return nil
        }
        let isNamed = !refusal.phrase.isEmpty
        let short = isNamed ? "\(refusal.phrase) (\(status))" : "HTTP \(status)"
        let server = Self.server(of: error, transfer)
        guard refusal.proxy == nil, let meaning = Self.meaning(of: status, refusal, transfer, server) else {
            let whole = isNamed ? "\(refusal.said.dropFirst()) (\(status))" : short + refusal.said
            return whole == short ? [short] : [whole, short]
        }
        let named = isNamed ? "(\(status) \(refusal.phrase))" : "(\(status))"
        let whole = explanation(refusal, status, beside: meaning).map { "\(meaning): \($0) \(named)" }
        return [whole, "\(meaning) \(named)", short].compactMap(\.self)
    }

    /// The server that responded, with its port as in lists: that of the transfer, or another one, as after a redirect.
    private static func server(of error: TransferError, _ transfer: Transfer) -> String {
        guard let url = try? TransferURL(transfer.url) else { return error.fields.host ?? "The server" }
        guard let authority = error.fields.host, authority != url.host else { return url.authority }
        return authority
    }

    /// A sentence without full stop; `nil` for a status that says as much.
    private static func meaning(
        of status: Int, _ refusal: TransferError.Refusal, _ transfer: Transfer, _ server: String
    ) -> String? {
        if let portal = refusal.portal { return "The network asks you to sign in at \(portal)" }
        if refusal.mayLackFolder == true { return "The folder may not exist on \(server)" }
        let isUpload = transfer.kind == .upload
        let wait = refusal.retryAfter.map { ", and asks to wait \(TimeSpan.short($0))" } ?? ""
        return switch status {
        case 401 where refusal.demand == .bearerToken: "\(server) wants a bearer token"
        case 401 where refusal.demand == .otherBearerToken: "\(server) does not accept the bearer token"
        case 401: "\(server) wants a valid login"
        case 403: "\(server) does not allow this"
        case 404: isUpload ? "\(server) has nothing at this address" : "\(server) has no such file"
        case 407: "The proxy wants a valid login"
        case 410: isUpload ? "\(server) has nothing at this address any more" : "\(server) no longer has this file"
        case 416: "\(server) does not have the requested bytes"
        case 429: "\(server) wants fewer requests" + wait
        case 502, 504: "A server behind \(server) has a problem" + wait
        case 503: "\(server) is overloaded or in maintenance" + wait
        case 507: "\(server) has no space left"
        case 500...599: "\(server) has a problem of its own" + wait
        default: nil
        }
    }

    /// What the server says besides; `nil` if that repeats the status or its meaning.
    private static func explanation(
        _ refusal: TransferError.Refusal, _ status: Int, beside meaning: String
    ) -> String? {
        guard var words = refusal.reason, !words.isEmpty else { return nil }
        if words.last == "." { words.removeLast() }
        let (same, phrase) = (words.lowercased(), refusal.phrase.lowercased())
        let isRepeated = same == phrase || same == "\(status) \(phrase)" || meaning.lowercased().hasSuffix(same)
        return isRepeated ? nil : words
    }
}
