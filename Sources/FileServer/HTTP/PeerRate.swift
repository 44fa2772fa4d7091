// SPDX-License-Identifier: MIT

/// How fast a peer is, by the time for which the server waited for it: over the last half minute to minute of that.
/// Time that the server needs itself does not count. Pure.
struct PeerRate: Equatable {
    private struct Span: Equatable {
        var bytes = 0
        var seconds = 0.0
    }

    /// Seconds of one span.
    static let spanSeconds = 30.0

    private var last = Span()
    private var current = Span()

    mutating func add(_ bytes: Int, inSeconds seconds: Double) {
        current.bytes += bytes
        current.seconds += seconds
        guard current.seconds >= Self.spanSeconds else { return }
        (last, current) = (current, Span())
    }

    /// - Returns: bytes per second; `nil` if the server has waited for less than `least` seconds.
    func bytesPerSecond(afterSeconds least: Double) -> Double? {
        let seconds = last.seconds + current.seconds
        guard seconds > 0, seconds >= least else { return nil }
        return Double(last.bytes + current.bytes) / seconds
    }
}
