// SPDX-License-Identifier: MIT

/// A version of TLS, as a limit. What the system's library forbids (OpenSSL 3: 1.0 and 1.1 at its usual security level)
/// no limit brings back.
public enum TLSVersion: String, Sendable, Hashable, Codable, Comparable, CaseIterable {
    case tls10 = "1.0", tls11 = "1.1", tls12 = "1.2", tls13 = "1.3"

    public static func < (left: TLSVersion, right: TLSVersion) -> Bool { left.rawValue < right.rawValue }
}
