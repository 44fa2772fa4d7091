// SPDX-License-Identifier: MIT

import NIOHTTP1
import TransferModel

/// The relevant parts of a request head.
struct LabRequest: Sendable, Hashable {
    enum Method: Sendable, Hashable { case get, head, upload, other }

    var method: Method
    /// From the first `/`, without query.
    var path: String
    /// Without the `?`; `nil` where there is none.
    var query: String?
    var range: ByteRangeRequest?
    var ifRange: String?
    var authorization: String?
    /// `nil` for a chunked body.
    var contentLength: Int64?
    var expectsContinue = false
    var keepsAlive = true

    init(method: Method, path: String = "/file", query: String? = nil) {
        (self.method, self.path, self.query) = (method, path, query)
    }

    init(_ head: HTTPRequestHead) {
        method =
            switch head.method {
            case .GET: .get
            case .HEAD: .head
            case .PUT, .POST, .PATCH: .upload
            // Only proxies serve CONNECT.
            case .CONNECT: .other
            default:
                ["content-length", "transfer-encoding"].contains(where: head.headers.contains(name:)) ? .upload : .get
            }
        let parts = head.uri.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        path = String(parts[0])
        query = parts.count == 2 ? String(parts[1]) : nil
        range = head.headers.first(name: "range").flatMap { ByteRangeRequest(parsing: $0) }
        ifRange = head.headers.first(name: "if-range")
        authorization = head.headers.first(name: "authorization")
        contentLength = head.headers.first(name: "content-length").flatMap { Int64($0) }
        expectsContinue = head.headers.first(name: "expect")?.lowercased() == "100-continue"
        keepsAlive = head.isKeepAlive
    }

    /// The target for the request after `hop` redirects.
    func target(hop: Int) -> String {
        let kept = (query ?? "").split(separator: "&").filter { !$0.hasPrefix("hop=") }
        return "\(path)?" + (kept.map(String.init) + ["hop=\(hop)"]).joined(separator: "&")
    }
}
