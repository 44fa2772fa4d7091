// SPDX-License-Identifier: MIT

package import HTTPTypes
import StructuredFieldValues

/// Whether it was a proxy, and not the server, that made an response.
///
/// Only what a proxy itself says counts. `Via` (RFC 9110, section 7.6.3) names those on the way, not who made the
/// response.
package struct ProxyStatus: Sendable, Hashable {
    /// What the proxy calls itself.
    package var name: String
    /// `connection_refused` and the like (RFC 9209, section 2.3); squid's own words where it is squid.
    package var error: String

    /// `nil`: not reported.
    package init?(of head: HTTPResponse) {
        if let text = head.headerFields[.proxyStatus], let found = Self.parse(text) {
            self = found
        } else if let text = head.headerFields[.squidError] {
            (name, error) = ("squid", text)
        } else {
            return nil
        }
    }

    /// The member with an error is that of the proxy that made the response; the first is the one nearest to the server
    /// (RFC 9209, section 2).
    private static func parse(_ text: String) -> ProxyStatus? {
        guard let field = try? StructuredFieldValueDecoder().decode(Field.self, from: Array(text.utf8)) else {
            return nil
        }
        for member in field.items {
            if let error = member.parameters.error { return ProxyStatus(name: member.item, error: error) }
        }
        return nil
    }

    private init(name: String, error: String) {
        self.name = name
        self.error = error
    }

    private struct Field: StructuredFieldValue {
        static let structuredFieldType = StructuredFieldType.list
        var items: [Member]
    }

    private struct Member: Codable {
        var item: String
        var parameters: Parameters
    }

    private struct Parameters: Codable {
        var error: String?
    }
}

extension HTTPField.Name {
    static let squidError = Self("X-Squid-Error")!
}
