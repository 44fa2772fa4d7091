// SPDX-License-Identifier: MIT

public import HTTPTypes
import TransferModel

/// How old a stored answer is and how long it holds (RFC 9111, section 4.2), in seconds.
extension CachedResponse {
    /// An answer that does not say how long it holds does so for a tenth of the time since it was last changed
    /// (RFC 9111, section 4.2.2), and at most this long.
    static let maximumHeuristicLifetime: Int64 = 86_400

    /// `max-age`, else `Expires`, else what can be guessed. 0 where the answer contradicts itself.
    public var freshnessLifetime: Int64 {
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

    /// Seconds since the origin made or confirmed the answer (RFC 9111, section 4.2.3).
    ///
    /// Beyond every lifetime where `now` is before the answer was stored: then the clock was set, and nothing is known.
    public func age(at now: Int64) -> Int64 {
        guard now >= storedTime else { return 2 * CacheControl.maximumSeconds }
        let apparent = max(0, storedTime - date)
        let told =
            head.headerFields.first(.age).map { $0.prefix { $0 != "," } }.flatMap { CacheControl.number(String($0)) }
            ?? 0
        let corrected = told + (storedTime - requestTime)
        return max(apparent, corrected) + (Self.clamped(now) - storedTime)
    }

    public func isFresh(at now: Int64) -> Bool { freshnessLifetime > age(at: now) }

    /// The head as it is given out from the store: with its age (RFC 9111, section 5.1).
    public func answer(at now: Int64) -> HTTPResponse {
        var answer = head
        answer.headerFields[.age] = String(min(age(at: now), CacheControl.maximumSeconds))
        return answer
    }

    /// When the origin made the answer. A date that cannot be read is none.
    private var date: Int64 {
        head.headerFields.first(.date).flatMap { HTTPDate.parse($0, now: storedTime) } ?? storedTime
    }
}
