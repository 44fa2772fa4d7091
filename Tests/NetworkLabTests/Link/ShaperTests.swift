// SPDX-License-Identifier: MIT

@testable import NetworkLab
import Testing

/// A generator whose numbers are the same every time.
struct SeededGenerator: RandomNumberGenerator, Sendable {
    private var state: UInt64

    init(_ seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return state ^ state >> 29
    }
}

@Suite struct ShaperTests {
    /// 1000 bytes a second, half a second's way.
    private let direction = LinkProfile.Direction(bitsPerSecond: 8000, delay: 0.5)

    /// Bytes, when they are offered, and when they are to come out.
    private func expect(_ rows: [(bytes: Int, offered: Double, arrival: Double)], of shaper: inout Shaper) {
        for row in rows {
            let arrival = shaper.arrival(of: row.bytes, offeredAt: row.offered)
            #expect(abs(arrival - row.arrival) < 1e-9, "\(row): \(arrival)")
        }
    }

    @Test func serializesThenDelays() {
        var shaper = Shaper(direction)
        // A link that was idle owes nothing and has saved nothing.
        expect([(100, 1, 1.6), (100, 1, 1.7), (0, 1, 1.7), (100, 5, 5.6)], of: &shaper)
    }

    @Test func outagesStopTheClock() throws {
        let outages = try #require(OutageSchedule(down: 2, every: 10))
        var shaper = Shaper(direction, outages: outages)
        // Before the outage that begins at 8, on its way then, and offered during it.
        expect([(100, 7, 7.6), (100, 7.6, 10.2), (100, 9, 10.6)], of: &shaper)
        #expect(abs(shaper.opening(at: 9, after: 1) - 11) < 1e-9)
        #expect(abs(Shaper(direction).opening(at: 9, after: 1) - 10) < 1e-9)
    }

    @Test func jitterDelaysAndNeverReorders() {
        var jittery = direction
        jittery.jitter = 0.2
        var shaper = Shaper(jittery, random: SeededGenerator(1))
        var last = 0.0
        for index in 0..<1000 {
            let offered = Double(index) * 0.2
            let arrival = shaper.arrival(of: 100, offeredAt: offered)
            #expect(arrival >= last)
            #expect((0.6...0.8).contains(arrival - offered))
            last = arrival
        }
    }

    @Test func stallsStartAndEnd() {
        let stalls = LinkProfile.Stalls(every: 10, lasting: 1...3)
        var shaper = Shaper(direction, stalls: stalls, random: SeededGenerator(2))
        var held = 0
        for index in 0..<1000 {
            let offered = Double(index) * 0.2
            let delay = shaper.arrival(of: 10, offeredAt: offered) - offered
            #expect(delay <= 4)
            if delay > 1 { held += 1 }
        }
        // Some twenty in 200 s, of two seconds each: a tenth to a fifth of the time.
        #expect((30...250).contains(held), "\(held)")
    }

    @Test(arguments: LinkProfile.all) func limitsMatchTheLink(_ profile: LinkProfile) {
        for direction in [profile.down, profile.up] {
            let shaper = Shaper(direction)
            #expect((1460...65_536).contains(shaper.pieceBytes))
            #expect((16_384...1_048_576).contains(shaper.capacity))
            #expect(shaper.capacity >= shaper.pieceBytes)
        }
    }

    @Test func profilesHaveTheirDocumentedNames() {
        #expect(
            LinkProfile.all.map(\.name) == [
                "3g", "lte", "edge", "dsl", "wifi", "wifi-ac", "very-bad", "loss", "slow-dns",
            ])
        #expect(LinkProfile.named("edge")?.up.rate == 25_000)
        #expect(LinkProfile.named("slow-dns")?.openDelay == 3)
        #expect(LinkProfile.named("5g") == nil)
    }
}

@Suite struct OutageScheduleTests {
    @Test func downAtTheEndOfEachSpan() throws {
        let schedule = try #require(OutageSchedule(down: 10, every: 60))
        let times: [(Double, Bool, Double)] = [
            (0, false, 50), (49, false, 50), (50, true, 60), (59, true, 60), (60, false, 110), (115, true, 120),
        ]
        for (time, isDown, change) in times {
            #expect(schedule.isDown(at: time) == isDown)
            #expect(schedule.nextChange(after: time) == change)
        }
    }

    @Test func upTimeAndBack() throws {
        let schedule = try #require(OutageSchedule(down: 10, every: 60))
        for (time, upTime) in [(0.0, 0.0), (49, 49), (50, 50), (55, 50), (60, 50), (61, 51), (170, 150)] {
            #expect(schedule.upTime(at: time) == upTime)
        }
        for (upTime, time) in [(0.0, 0.0), (49, 49), (50, 60), (51, 61), (150, 180)] {
            #expect(schedule.time(ofUpTime: upTime) == time)
        }
    }

    @Test(arguments: [(0.0, 10.0), (10, 10), (20, 10), (-1, 10), (1, .infinity), (.nan, 10), (1, .nan)])
    func ignoresInvalidFields(_ down: Double, _ every: Double) {
        #expect(OutageSchedule(down: down, every: every) == nil)
    }
}
