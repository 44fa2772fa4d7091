// SPDX-License-Identifier: MIT

/// What servers announced about resumable uploads, by origin, each for a while. Pure.
package struct UploadSupportTable: Sendable {
    /// Seconds for which an announcement is valid.
    package static let lifetime = 900.0
    private var entries: [String: (support: UploadSupport, until: Double)] = [:]

    package init() {}

    /// - Parameters:
    ///   - origin: of the server, as in RFC 6454.
    ///   - now: on the scheduler's clock.
    package mutating func note(_ support: UploadSupport, of origin: String, at now: Double) {
        entries = entries.filter { $0.value.until > now }
        entries[origin] = (support, now + Self.lifetime)
    }

    /// `nil`: the server has to be asked.
    package func support(of origin: String, at now: Double) -> UploadSupport? {
        entries[origin].flatMap { $0.until > now ? $0.support : nil }
    }

    package mutating func forget(_ origin: String) { entries[origin] = nil }
}
