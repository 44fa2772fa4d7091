// SPDX-License-Identifier: MIT

/// One direction of a link: computes when bytes offered now arrive. No I/O; times in seconds since the link started.
///
/// The link sends chunks one after the other at its rate, and every chunk then travels for the latency. Outages stop
/// its clock: chunks in transit continue afterwards. Order is preserved, with or without jitter.
package struct Shaper: Sendable {
    private let direction: LinkProfile.Direction
    private let stalls: LinkProfile.Stalls?
    private let outages: OutageSchedule?
    private var random: any RandomNumberGenerator & Sendable
    /// In time without outages, as all that follow: when the last piece has been sent.
    private var free = 0.0
    private var lastArrival = 0.0
    private var nextStall = Double.infinity

    /// - Parameter random: where jitter and stalls come from.
    package init(
        _ direction: LinkProfile.Direction, stalls: LinkProfile.Stalls? = nil, outages: OutageSchedule? = nil,
        random: any RandomNumberGenerator & Sendable = SystemRandomNumberGenerator()
    ) {
        self.direction = direction
        self.stalls = stalls
        self.outages = outages
        self.random = random
        if let stalls { nextStall = Self.gap(stalls, &self.random) }
    }

    /// Bytes that are offered at a time, so that they come out evenly: some milliseconds' worth, at least one packet.
    package var pieceBytes: Int { Int(min(max(direction.rate * 0.005, 1460.0), 65_536.0)) }

    /// Bytes that the link may hold at most for one connection: what fits into it, and a fifth of a second's worth.
    package var capacity: Int {
        Int(min(max(direction.rate * (direction.delay + direction.jitter + 0.2), 16_384.0), 1_048_576.0))
    }

    /// Takes in `bytes` bytes.
    /// - Returns: when the last of them comes out.
    package mutating func arrival(of bytes: Int, offeredAt now: Double) -> Double {
        var start = max(outages?.upTime(at: now) ?? now, free)
        if let stalls {
            while start >= nextStall {
                let end = nextStall + Double.random(in: stalls.lasting, using: &random)
                nextStall = end + Self.gap(stalls, &random)
                start = max(start, end)
            }
        }
        free = start + Double(bytes) / direction.rate
        let jitter = direction.jitter > 0 ? Double.random(in: 0...direction.jitter, using: &random) : 0
        lastArrival = max(lastArrival, free + direction.delay + jitter)
        return outages?.time(ofUpTime: lastArrival) ?? lastArrival
    }

    /// When to open a connection that is requested now: `wait` seconds later, without outages.
    func opening(at now: Double, after wait: Double) -> Double {
        guard let outages else { return now + wait }
        return outages.time(ofUpTime: outages.upTime(at: now) + wait)
    }

    /// Between half and one and a half of the average.
    private static func gap(
        _ stalls: LinkProfile.Stalls, _ random: inout any RandomNumberGenerator & Sendable
    ) -> Double {
        Double.random(in: (stalls.every * 0.5)...(stalls.every * 1.5), using: &random)
    }
}
