// SPDX-License-Identifier: MIT

package import HTTPTypes
import TransferModel

/// Age and freshness lifetime of a stored response (RFC 9111, section 4.2), in seconds.
extension CachedResponse {
    /// A response without an explicit lifetime is fresh for a tenth of the time since its last modification (RFC 9111,
    /// section 4.2.2), up to this limit.
    static let maximumHeuristicLifetime: Int64 = 86_400

    /// `max-age`, else `Expires`, else a heuristic. 0 if the response contradicts itself.
    package var freshnessLifetime: Int64 {
        let control = CacheControl(head.headerFields)
        switch control.seconds("max-age") {
        case .value(let seconds): return seconds
        case .invalid: return 0
        case .absent: break
        }
        if let expires = head.headerFields.first(.expires) {
            guard let end = HTTPDate.parse(expires, now: storedTime) else { return 0 }
            return max(0, end - date)
        }
        guard Self.heuristicallyCacheable.contains(head.status.code) || control.has("public"),
            let text = head.headerFields.first(.lastModified), let modified = HTTPDate.parse(text, now: storedTime)
        else {
            return 0
        }
        return min(max(0, date - modified) / 10, Self.maximumHeuristicLifetime)
    }

    /// Seconds since the origin generated or validated the response (RFC 9111, section 4.2.3).
    ///
    /// Exceeds every lifetime if `now` is before the response was stored: the clock was changed.
    package func age(at now: Int64) -> Int64 {
        guard now >= storedTime else { return 2 * CacheControl.maximumSeconds }
        let apparent = max(0, storedTime - date)
        let stated =
            head.headerFields.first(.age).map { $0.prefix { $0 != "," } }.flatMap { CacheControl.number(String($0)) }
            ?? 0
        let corrected = stated + (storedTime - requestTime)
        return max(apparent, corrected) + (Self.clamped(now) - storedTime)
    }

    package func isFresh(at now: Int64) -> Bool { freshnessLifetime > age(at: now) }

    /// The head as returned from the cache, with its age (RFC 9111, section 5.1).
    package func answer(at now: Int64) -> HTTPResponse {
        var answer = head
        answer.headerFields[.age] = String(min(age(at: now), CacheControl.maximumSeconds))
        return answer
    }

    /// When the origin generated the response. An invalid date counts as absent.
    private var date: Int64 {
        head.headerFields.first(.date).flatMap { HTTPDate.parse($0, now: storedTime) } ?? storedTime
    }
}
