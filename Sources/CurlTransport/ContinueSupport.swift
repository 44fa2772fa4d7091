// SPDX-License-Identifier: MIT

/// The origins that do not respond to `Expect: 100-continue` (RFC 9110, section 10.1.1): libcurl waits a second for
/// each of them before it sends the body. Used on the engine's thread only.
final class ContinueSupport {
    private var lacking: Set<String> = []
    /// The most servers that are remembered; others cost a second each time.
    private static let limit = 1024

    func isLacking(at origin: String) -> Bool { lacking.contains(origin) }

    func noteLack(at origin: String) {
        if lacking.count < Self.limit { lacking.insert(origin) }
    }
}
