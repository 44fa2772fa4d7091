// SPDX-License-Identifier: MIT

/// Servers that refused further connections, or ranges: how many each takes, for a while. Pure.
struct ConnectionLimits: Sendable {
    /// Seconds for which a refusal is remembered.
    static let memory = 900.0
    private var limits: [String: (most: Int, until: Double)] = [:]

    /// - Parameter origin: of the server, as in RFC 6454.
    mutating func note(_ origin: String, most: Int, at now: Double) {
        limits = limits.filter { $0.value.until > now }
        limits[origin] = (max(1, most), now + Self.memory)
    }

    /// `nil`: no limit is known.
    func most(for origin: String, at now: Double) -> Int? {
        limits[origin].flatMap { $0.until > now ? $0.most : nil }
    }
}
