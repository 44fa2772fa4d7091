// SPDX-License-Identifier: MIT

import HTTPTypes
import TransferModel

/// The target of a redirect response (RFC 9110, section 15.4). No I/O.
struct RedirectPolicy: Sendable {
    var maximum = 20
    /// Whether a redirect may lead from https to http.
    var allowsDowngrade = true
    /// Whether a redirect may lead to another origin.
    var staysAtOrigin = false

    struct Target: Equatable {
        var url: TransferURL
        var method: HTTPRequest.Method
        var keepsBody: Bool
    }

    /// - Parameter isUpload: an upload repeats its request, or a 303 is its response: a page fetched with GET would
    ///   look like success with nothing stored.
    /// - Returns: `nil` for other statuses, and without `Location`.
    /// - Throws: `tooManyRedirects`, or `malformedURL` if the location is not an http(s) URL.
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
            throw TransferError(.tooManyRedirects, .tooManyRedirects, maximum, host: url.authority)
        }
        let next = try url.resolving(location)
        switch head.status.code {
        case 303 where method != .get && method != .head: return Target(url: next, method: .get, keepsBody: false)
        case 301 where method == .post && !isUpload, 302 where method == .post && !isUpload:
            return Target(url: next, method: .get, keepsBody: false)
        default: return Target(url: next, method: method, keepsBody: true)
        }
    }

    /// In clear text others could read and change the data, whatever protected the first URL.
    /// - Parameter next: the URL of the next request, after HSTS.
    /// - Throws: code `insecureRedirect`: number 1, as curl has it for a disallowed protocol; `other` for an origin
    ///   that the request may not go to.
    func check(_ next: TransferURL, from url: TransferURL, for leg: UploadExchange? = nil) throws(TransferError) {
        if staysAtOrigin || leg?.staysAtOrigin == true, next.origin != url.origin {
            throw TransferError(.other, .otherServer, next.authority, host: url.authority)
        }
        guard url.isSecure, !next.isSecure, !allowsDowngrade else { return }
        throw TransferError(.insecureRedirect, .insecureRedirect, next.authority, host: url.authority)
    }
}
