// SPDX-License-Identifier: MIT

import HTTPTypes
import TransferModel

/// References of responses behind a reverse proxy, which may have this server below a path of its own. Relative to the
/// request (RFC 3986, section 4.2) they are right without any setting, also if a client forges the sign of a proxy.
/// Without one they are absolute paths, which every client resolves.
enum RelativeLocation {
    private static let signs: [HTTPField.Name] =
        ["X-Forwarded-Prefix", "X-Forwarded-For", "X-Forwarded-Proto", "X-Forwarded-Host", "X-Real-IP", "Forwarded"]
        .compactMap { HTTPField.Name($0) } + [.via]

    /// Replaces `Location` and `Content-Location`, if a proxy forwarded `request`.
    static func apply(to fields: inout HTTPFields, of request: HTTPRequest) {
        guard signs.contains(where: { request.headerFields[$0] != nil }) else { return }
        for name in [HTTPField.Name.location, .contentLocation] {
            guard let path = fields[name], path.beginsWithSlash else { continue }
            fields[name] = reference(to: path, from: request.path ?? "/")
        }
    }

    /// - Parameter target: of the request.
    static func reference(to path: String, from target: String) -> String {
        let own = (RequestTarget.absoluteForm(target)?.origin ?? target).utf8.prefix { $0 != UInt8(ascii: "?") }
        let depth = own.count { $0 == UInt8(ascii: "/") } - 1
        // A name with a colon would be a scheme.
        return (depth > 0 ? String(repeating: "../", count: depth) : "./") + path.dropFirst()
    }
}
