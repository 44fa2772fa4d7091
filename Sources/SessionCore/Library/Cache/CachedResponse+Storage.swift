// SPDX-License-Identifier: MIT

import HTTPTypes
import TransferModel

/// Which responses may be stored, and for which requests they can be reused (RFC 9111, sections 3 and 4.1), as a
/// private cache.
extension CachedResponse {
    /// Statuses that are cacheable by default (RFC 9110, section 15.1), except 206: partial content is not stored.
    static let heuristicallyCacheable: Set<Int> = [200, 203, 204, 300, 301, 308, 404, 405, 410, 414, 501]

    /// Statuses that are never stored: partial content, 304, authentication challenges, and those excluded by RFC 6585.
    private static let neverStored: Set<Int> = [206, 304, 401, 407, 428, 429, 431, 511]

    /// Request fields without secrets; responses that vary by other fields are not written to disk.
    private static let harmless: Set<HTTPField.Name> = [.accept, .acceptEncoding, .acceptLanguage, .userAgent]

    static func storagePolicy(of head: HTTPResponse, answering request: CacheRequest) -> StoragePolicy {
        let control = CacheControl(head.headerFields)
        guard request.method == .get, !request.hasBody, !request.fields.contains(.range),
            !CacheControl(request: request.fields).has("no-store"), !control.has("no-store"),
            isStorable(head, control), let names = variedNames(of: head),
            request.hiddenFields.isDisjoint(with: names)
        else { return .notAllowed }
        if request.carriesLogin {
            // RFC 9111, section 3.5, applies to shared caches; but a user can have several logins.
            guard control.has("public") || control.has("must-revalidate") || control.has("s-maxage") else {
                return .notAllowed
            }
        }
        let isPlain = request.fields.allSatisfy { !names.contains($0.name) || harmless.contains($0.name) }
        return isPlain && !head.headerFields.contains(.setCookie) ? .allowed : .allowedInMemoryOnly
    }

    private static func isStorable(_ head: HTTPResponse, _ control: CacheControl) -> Bool {
        let status = head.status.code
        guard status >= 200, !neverStored.contains(status), !head.headerFields.contains(.contentRange) else {
            return false
        }
        if heuristicallyCacheable.contains(status) { return true }
        let isExplicit =
            ["public", "private", "max-age"].contains(where: control.has) || head.headerFields.contains(.expires)
        return isExplicit && !control.has("must-understand")
    }

    /// The request fields that the response varies by; `nil` if no second request can match: `Vary: *`, or an invalid
    /// name.
    ///
    /// Responses vary by login unless they are `public`: many servers omit that.
    static func variedNames(of head: HTTPResponse) -> Set<HTTPField.Name>? {
        var names: Set<HTTPField.Name> = CacheControl(head.headerFields).has("public") ? [] : [.authorization]
        for field in head.headerFields where field.name == .vary {
            for word in field.value.split(whereSeparator: { $0 == "," || $0 == " " || $0 == "\t" }) {
                guard word != "*", let name = HTTPField.Name(String(word)) else { return nil }
                names.insert(name)
            }
        }
        return names
    }

    /// Whether the response can be reused for `request`: all fields that it varies by are equal.
    package func matches(_ request: CacheRequest) -> Bool {
        guard let names = Self.variedNames(of: head), request.hiddenFields.isDisjoint(with: names) else { return false }
        return names.allSatisfy { variant[$0] == request.fields[$0] }
    }
}
