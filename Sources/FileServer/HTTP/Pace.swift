// SPDX-License-Identifier: MIT

/// Limits the rate of a stream. Pure: takes the time, returns the delay.
struct Pace {
    /// Bytes per second; `nil`: no delay.
    let rate: Int?
    private var begin: Duration?
    private var bytes = 0

    init(rate: Int?) { self.rate = rate }

    /// The chunk size for an even rate: an eighth of a second's worth.
    var chunk: Int { rate.map { min(Self.largestChunk, max(1024, $0 / 8)) } ?? Self.largestChunk }

    static let largestChunk = 256 * 1024

    /// The delay after `count` bytes. `now` counts from any fixed moment.
    ///
    /// Idle time is not made up for: a stalled stream continues at the rate, not above.
    mutating func delay(after count: Int, now: Duration) -> Duration? {
        guard let rate else { return nil }
        let due = Duration.seconds(Double(bytes) / Double(rate))
        if let begin, now - begin <= due + .seconds(1) {
        } else {
            begin = now
            bytes = 0
        }
        bytes += count
        let wait = (begin ?? now) + .seconds(Double(bytes) / Double(rate)) - now
        return wait > .zero ? wait : nil
    }
}
