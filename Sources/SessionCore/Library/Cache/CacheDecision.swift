// SPDX-License-Identifier: MIT

package import HTTPTypes
package import TransferModel

/// How to handle a request, given a stored response. No I/O.
package enum CacheDecision: Sendable, Equatable {
    /// Send the request unchanged.
    case load
    /// Respond from the cache, without the network.
    case useStored
    /// Send the request with these fields; a 304 validates the stored response, any other response replaces it.
    case revalidate(HTTPFields)
    /// End the task with this error; nothing is sent.
    case fail(TransferError)

    /// - Parameters:
    ///   - stored: the response stored for the request's URL, if any.
    ///   - now: seconds since 1970.
    package static func make(
        policy: CachePolicy, request: CacheRequest, stored: CachedResponse?, now: Int64
    ) -> CacheDecision {
        let candidate = stored.flatMap { request.canBeAnsweredFromStore && $0.matches(request) ? $0 : nil }
        switch policy {
        case .useProtocolCachePolicy: return byProtocol(request, candidate, now)
        case .reloadIgnoringLocalCacheData: return .load
        case .reloadRevalidatingCacheData:
            guard let candidate, case .revalidate(var fields) = revalidation(of: candidate) else { return .load }
            // Intermediate caches must validate with the origin, too.
            if !request.fields.contains(.cacheControl) { fields[.cacheControl] = "max-age=0" }
            return .revalidate(fields)
        case .returnCacheDataElseLoad: return candidate == nil ? .load : .useStored
        case .returnCacheDataDontLoad:
            return candidate == nil
                ? fail(request, .byPolicy) : .useStored
        }
    }

    /// RFC 9111, section 4.
    private static func byProtocol(_ request: CacheRequest, _ stored: CachedResponse?, _ now: Int64) -> CacheDecision {
        let control = CacheControl(request: request.fields)
        let otherwise =
            control.has("only-if-cached")
            ? fail(request, .byField) : nil
        guard let stored, !control.has("no-store") else { return otherwise ?? .load }
        if isAcceptable(stored, control, now) { return .useStored }
        return otherwise ?? revalidation(of: stored)
    }

    /// Whether `stored` may be used without validation (RFC 9111, sections 4.2 and 5.2.1).
    private static func isAcceptable(_ stored: CachedResponse, _ requestControl: CacheControl, _ now: Int64) -> Bool {
        let control = CacheControl(stored.head.headerFields)
        if requestControl.has("no-cache") || control.has("no-cache") { return false }
        let age = stored.age(at: now)
        let lifetime = stored.freshnessLifetime
        let isFresh = lifetime > age
        switch requestControl.seconds("max-age") {
        case .absent: break
        case .invalid: return false
        // A plain reload; an immutable response needs no validation while fresh (RFC 8246).
        case .value(0): guard isFresh, control.has("immutable") else { return false }
        case .value(let limit): guard age <= limit else { return false }
        }
        switch requestControl.seconds("min-fresh") {
        case .absent: break
        case .invalid: return false
        case .value(let margin): guard lifetime >= age + margin else { return false }
        }
        if isFresh { return true }
        guard !control.has("must-revalidate") else { return false }
        if requestControl.isBare("max-stale") { return true }
        guard case .value(let limit) = requestControl.seconds("max-stale") else { return false }
        return age - lifetime <= limit
    }

    private static func revalidation(of stored: CachedResponse) -> CacheDecision {
        let fields = stored.validator.conditionalFields
        return fields.isEmpty ? .load : .revalidate(fields)
    }

    private static func fail(_ request: CacheRequest, _ reason: TransferProblem.NoLoading) -> CacheDecision {
        .fail(TransferError(.other, .noStoredResponse, reason, host: request.url.authority))
    }
}
