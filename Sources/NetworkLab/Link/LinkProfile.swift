// SPDX-License-Identifier: MIT

/// A kind of network link, as a pair of directions. Values only; ``LinkProxy`` applies one.
package struct LinkProfile: Sendable, Hashable {
    /// The properties of one direction.
    package struct Direction: Sendable, Hashable {
        /// Bytes per second.
        package var rate: Double
        /// Seconds of latency, besides the transmission time.
        package var delay: Double
        /// Additional random latency per chunk, in seconds.
        package var jitter = 0.0

        package init(bitsPerSecond: Double, delay: Double, jitter: Double = 0) {
            (rate, self.delay, self.jitter) = (bitsPerSecond / 8, delay, jitter)
        }
    }

    /// Times without any progress, as when a radio link is lost.
    package struct Stalls: Sendable, Hashable {
        /// Average seconds between two.
        package var every: Double
        /// Seconds that one lasts.
        package var lasting: ClosedRange<Double>
    }

    package var name: String
    /// One line for people.
    package var summary: String
    package var down: Direction
    package var up: Direction
    /// Seconds before each connection is opened, to simulate slow name resolution.
    package var openDelay = 0.0
    package var stalls: Stalls?
    /// Nothing gets through, not even a connection.
    package var losesAll = false

    /// The known profiles, in listing order.
    package static let all: [LinkProfile] = [
        LinkProfile(
            name: "3g", summary: "780/330 kbit/s, 100 ms each way",
            down: Direction(bitsPerSecond: 780_000, delay: 0.1), up: Direction(bitsPerSecond: 330_000, delay: 0.1)),
        LinkProfile(
            name: "lte", summary: "50/10 Mbit/s, 50 ms down, 65 ms up",
            down: Direction(bitsPerSecond: 50e6, delay: 0.05), up: Direction(bitsPerSecond: 10e6, delay: 0.065)),
        LinkProfile(
            name: "edge", summary: "240/200 kbit/s, 400 ms down, 440 ms up",
            down: Direction(bitsPerSecond: 240_000, delay: 0.4), up: Direction(bitsPerSecond: 200_000, delay: 0.44)),
        LinkProfile(
            name: "dsl", summary: "2 Mbit/s down, 256 kbit/s up, 5 ms each way",
            down: Direction(bitsPerSecond: 2e6, delay: 0.005), up: Direction(bitsPerSecond: 256_000, delay: 0.005)),
        LinkProfile(
            name: "wifi", summary: "40/33 Mbit/s, 1 ms each way",
            down: Direction(bitsPerSecond: 40e6, delay: 0.001), up: Direction(bitsPerSecond: 33e6, delay: 0.001)),
        LinkProfile(
            name: "wifi-ac", summary: "250/100 Mbit/s, 1 ms each way",
            down: Direction(bitsPerSecond: 250e6, delay: 0.001), up: Direction(bitsPerSecond: 100e6, delay: 0.001)),
        LinkProfile(
            name: "very-bad", summary: "1 Mbit/s, 500 ms each way, jitter, stalls of 1 to 3 s",
            down: Direction(bitsPerSecond: 1e6, delay: 0.5, jitter: 0.2),
            up: Direction(bitsPerSecond: 1e6, delay: 0.5, jitter: 0.2), stalls: Stalls(every: 15, lasting: 1...3)),
        LinkProfile(
            name: "loss", summary: "nothing gets through",
            down: Direction(bitsPerSecond: 1e9, delay: 0), up: Direction(bitsPerSecond: 1e9, delay: 0), losesAll: true),
        LinkProfile(
            name: "slow-dns", summary: "3 s before each connection is opened, then 40/33 Mbit/s",
            down: Direction(bitsPerSecond: 40e6, delay: 0.001), up: Direction(bitsPerSecond: 33e6, delay: 0.001),
            openDelay: 3),
    ]

    package static func named(_ name: String) -> LinkProfile? { all.first { $0.name == name } }
}
