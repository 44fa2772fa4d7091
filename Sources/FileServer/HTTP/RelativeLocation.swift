// SPDX-License-Identifier: MIT

import HTTPTypes
import TransferModel

/// References of responses behind a reverse proxy, which may have this server below a path of its own. Relative to the
/// request (RFC 3986, section 4.2) they are right without any setting, also if a client forges the sign of a proxy.
/// Otherwise they are absolute paths: some clients put the origin in front of them.
enum RelativeLocation {
    /// The fields that show a proxy, and `Origin`, which shows a browser: both resolve references.
    private static let signs: [HTTPField.Name] =
        ["X-Forwarded-Prefix", "X-Forwarded-For", "X-Forwarded-Proto", "X-Forwarded-Host", "X-Real-IP", "Forwarded"]
        .compactMap { HTTPField.Name($0) } + [.via, .origin]

    /// Replaces `Location` and `Content-Location`, if a proxy may have forwarded `request`. Some add no field.
    /// - Parameter port: of this server.
    static func apply(to fields: inout HTTPFields, of request: HTTPRequest, port: Int?) {
        let given = request.headerFields
        let asked = request.authority.flatMap { RequestHost($0) }?.port
        guard
            signs.contains(where: { given[$0] != nil }) || given[.userAgent]?.hasPrefix("fileq/") == true
                || asked.map({ $0 != port }) == true
        else { return }
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
