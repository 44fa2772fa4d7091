// SPDX-License-Identifier: MIT

package import TransferModel

/// The origins that offer HTTP/3, and where (RFC 7838). A value without clock and files.
///
/// Accepts announcements over TLS only. Times are seconds since 1970.
package struct AlternativeServices: Sendable, Hashable, Codable {
    /// An alternative of an origin.
    package struct Service: Sendable, Hashable, Codable {
        package var host: String
        package var port: Int
        /// When it expires.
        package var expires: Double
        package var persists: Bool
        /// Not to be tried before.
        package var brokenUntil: Double?
    }

    /// The capacity; those that expire last stay.
    package static let maximumOrigins = 1000
    /// For each origin, the first in its order of preference.
    package static let maximumServices = 4
    /// The maximum lifetime: a year.
    package static let maximumAge = 365 * 86_400.0

    private var origins: [String: [Service]] = [:]

    package init() {}

    package var isEmpty: Bool { origins.isEmpty }

    /// Applies the response of `url`. A field replaces all earlier ones of its origin (section 3.1).
    /// - Parameters:
    ///   - fields: the values of `Alt-Svc`, in order.
    ///   - age: seconds of the field `Age`: the response may come from a cache.
    /// - Returns: whether anything changed.
    package mutating func learn(_ fields: [String], from url: TransferURL, age: Double = 0, now: Double) -> Bool {
        guard url.isSecure, let field = AlternativeServiceField(parsing: fields.joined(separator: ",")) else {
            return false
        }
        let before = origins[url.origin]
        switch field {
        case .clear: origins[url.origin] = nil
        case .services(let offered):
            let usable = offered.filter { $0.protocolName == "h3" && $0.maximumAge > age }.prefix(Self.maximumServices)
            let services = usable.map { service in
                let place = (host: service.host.isEmpty ? url.host : service.host, port: service.port)
                return Service(
                    host: place.host, port: place.port,
                    expires: now + min(Self.maximumAge, service.maximumAge) - max(0, age), persists: service.persists,
                    brokenUntil: before?.first { $0.host == place.host && $0.port == place.port }?.brokenUntil)
            }
            origins[url.origin] = services.isEmpty ? nil : services
        }
        evictIfFull(now)
        return origins[url.origin] != before
    }

    /// The HTTP/3 alternative of `url`; `nil` if there is none at `now`.
    package func alternative(for url: TransferURL, now: Double) -> Exchange.Alternative? {
        guard url.isSecure else { return nil }
        let service = origins[url.origin]?.first { $0.expires > now && ($0.brokenUntil ?? 0) <= now }
        return service.map { Exchange.Alternative(host: $0.host, port: $0.port) }
    }

    /// It could not be reached: skip it until `time`.
    package mutating func markBroken(_ alternative: Exchange.Alternative, of url: TransferURL, until time: Double) {
        guard
            let index = origins[url.origin]?.firstIndex(where: {
                $0.host == alternative.host && $0.port == alternative.port
            })
        else { return }
        origins[url.origin]?[index].brokenUntil = time
    }

    /// The network has changed: non-persistent alternatives expire, and broken ones may work (section 2.2).
    package mutating func networkChanged() {
        origins = origins.compactMapValues { services in
            let kept = services.filter(\.persists).map { service in
                var service = service
                service.brokenUntil = nil
                return service
            }
            return kept.isEmpty ? nil : kept
        }
    }

    private mutating func evictIfFull(_ now: Double) {
        guard origins.count > Self.maximumOrigins else { return }
        origins = origins.compactMapValues { services in
            let kept = services.filter { $0.expires > now }
            return kept.isEmpty ? nil : kept
        }
        while origins.count > Self.maximumOrigins,
            let first = origins.min(by: { Self.end($0.value) < Self.end($1.value) })?.key
        {
            origins[first] = nil
        }
    }

    private static func end(_ services: [Service]) -> Double { services.map(\.expires).max() ?? 0 }
}
