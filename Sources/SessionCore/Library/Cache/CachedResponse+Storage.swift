// SPDX-License-Identifier: MIT

import HTTPTypes
import TransferModel

/// Which answers may be stored, and for which requests they stand (RFC 9111, sections 3 and 4.1), as a cache of one
/// user.
extension CachedResponse {
    /// Statuses that may be stored without being told to (RFC 9110, section 15.1), but for 206: no part is stored.
    static let heuristicallyCacheable: Set<Int> = [200, 203, 204, 300, 301, 308, 404, 405, 410, 414, 501]

    /// Statuses never stored, whatever their fields say: parts, confirmations, demands of a login, and those that must
    /// not be stored (RFC 6585).
    private static let neverStored: Set<Int> = [206, 304, 401, 407, 428, 429, 431, 511]

    /// Request fields that hold no secret; what varies by any other one is not written to disk.
    private static let harmless: Set<HTTPField.Name> = [.accept, .acceptEncoding, .acceptLanguage, .userAgent]

    static func storagePolicy(of head: HTTPResponse, answering request: CacheRequest) -> StoragePolicy {
        let control = CacheControl(head.headerFields)
        guard request.method == .get, !request.hasBody, !request.fields.contains(.range),
            !CacheControl(request: request.fields).has("no-store"), !control.has("no-store"),
            isStorable(head, control), let names = variedNames(of: head),
            request.hiddenFields.isDisjoint(with: names)
        else { return .notAllowed }
        if request.carriesLogin {
            // RFC 9111, section 3.5. It binds shared caches; one user can have several logins.
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

    /// Names of the request fields that the answer depends on; `nil` where no second request can be known to be like
    /// the first: `Vary: *`, or what is no field name.
    ///
    /// A login counts as varied unless the answer is `public`: many servers forget to say so.
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

    /// Whether the answer stands for `request` too: it has the same values in all fields that the answer depends on.
    public func matches(_ request: CacheRequest) -> Bool {
        guard let names = Self.variedNames(of: head), request.hiddenFields.isDisjoint(with: names) else { return false }
        return names.allSatisfy { variant[$0] == request.fields[$0] }
    }
}
