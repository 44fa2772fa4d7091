// SPDX-License-Identifier: MIT

import HTTPTypes
import TransferModel

/// What a 3xx answer asks for (RFC 9110, section 15.4). Pure.
struct RedirectPolicy: Sendable {
    var maximum = 20
    /// Whether an answer that came by https may lead to http.
    var allowsDowngrade = true

    struct Target: Equatable {
        var url: TransferURL
        var method: HTTPRequest.Method
        var keepsBody: Bool
    }

    /// - Parameter isUpload: an upload goes on as what it is, or its 303 is its answer: a page fetched with GET would
    ///   look like a success with nothing stored.
    /// - Returns: `nil` where the answer is no redirect: another status, or no `Location`.
    /// - Throws: `tooManyRedirects`, or `malformedURL` where the location is no http(s) address.
    func target(
        of head: HTTPResponse, from url: TransferURL, method: HTTPRequest.Method, isUpload: Bool = false,
        count: Int
    ) throws(TransferError) -> Target? {
        guard [301, 302, 303, 307, 308].contains(head.status.code), !(isUpload && head.status.code == 303),
            let location = head.headerFields[.location]
        else {
            return nil
        }
        guard count < maximum else {
            throw TransferError(.tooManyRedirects, "\(url.authority): more than \(maximum) redirects")
        }
        let next = try url.resolving(location)
        switch head.status.code {
        case 303 where method != .get && method != .head: return Target(url: next, method: .get, keepsBody: false)
        case 301 where method == .post && !isUpload, 302 where method == .post && !isUpload:
            return Target(url: next, method: .get, keepsBody: false)
        default: return Target(url: next, method: method, keepsBody: true)
        }
    }

    /// What goes on in clear text could be read and changed on the way, whatever protected the first address.
    /// - Parameter next: the address that is about to be asked, after hosts that want TLS have got it.
    /// - Throws: code `insecureRedirect`: number 1, as curl has it for a protocol that may not be used.
    func check(_ next: TransferURL, from url: TransferURL) throws(TransferError) {
        guard url.isSecure, !next.isSecure, !allowsDowngrade else { return }
        throw TransferError(
            .insecureRedirect,
            "\(url.authority): redirects from https to http (\(next.authority)), where anybody on the way can read "
                + "and change what is sent", fields: .init(host: url.authority))
    }
}
