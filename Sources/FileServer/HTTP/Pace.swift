// SPDX-License-Identifier: MIT

/// Holds a stream of bytes to a rate. Pure: it is told the time and says how long to wait.
struct Pace {
    /// Bytes a second; `nil`: no waiting.
    let rate: Int?
    private var begin: Duration?
    private var bytes = 0

    init(rate: Int?) { self.rate = rate }

    /// How many bytes to move at a time, so that the rate looks even: an eighth of a second's worth.
    var chunk: Int { rate.map { min(Self.largestChunk, max(1024, $0 / 8)) } ?? Self.largestChunk }

    static let largestChunk = 256 * 1024

    /// How long to wait after `count` bytes have moved. `now` counts from any fixed moment.
    ///
    /// Time that passed without a byte is not made up for: a stream that was held up goes on at the rate, not above.
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
