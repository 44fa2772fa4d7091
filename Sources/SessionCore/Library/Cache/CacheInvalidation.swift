// SPDX-License-Identifier: MIT

package import HTTPTypes
package import TransferModel

/// The stored responses that a response invalidates (RFC 9111, section 4.4). No I/O.
package enum CacheInvalidation {
    private static let safeMethods: Set<HTTPRequest.Method> = [.get, .head, .options, .trace]

    /// The URLs whose stored responses are invalid after `head`: the request's, and those of `Location` and
    /// `Content-Location` at the same origin.
    /// - Returns: none after a safe method or an error status.
    package static func urls(after method: HTTPRequest.Method, url: TransferURL, head: HTTPResponse) -> [TransferURL] {
        guard !safeMethods.contains(method), (200..<400).contains(head.status.code) else { return [] }
        let named = [head.headerFields.first(.location), head.headerFields.first(.contentLocation)].compactMap { $0 }
            .compactMap { try? url.resolving($0) }
        return named.reduce(into: [url]) { urls, other in
            if other.origin == url.origin, !urls.contains(other) { urls.append(other) }
        }
    }
}
