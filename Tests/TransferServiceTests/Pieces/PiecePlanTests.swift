// SPDX-License-Identifier: MIT

import Testing
import TransferModel
@testable import TransferService

/// How many connections a plan uses, and for which bytes, on simulated servers.
@Suite struct PiecePlanTests {
    private static let megabyte = PieceSimulation.megabyte

    // MARK: The number of connections

    /// The limit is one of the connection: as many as the user allows, and nearly as fast.
    @Test(arguments: [2, 4, 8, 16]) func usesConnectionsThatRaiseTheRate(_ limit: Int) {
        var simulation = PieceSimulation()
        (simulation.limit, simulation.total) = (limit, Int64(limit) * 64 * Self.megabyte)
        let outcome = simulation.run()
        let ideal = Double(simulation.total) / (2e6 * Double(limit))
        #expect(outcome.plan.isComplete)
        #expect(outcome.most == limit)
        #expect(outcome.seconds < ideal * 1.15 + 1)
        // Almost nothing comes twice.
        #expect(outcome.sent <= simulation.total + Int64(limit) * Self.megabyte)
        #expect(outcome.requests <= limit * 4)
    }

    /// Further connections add nothing and are taken back; once more after a while.
    @Test(arguments: [1e6, 10e6, 100e6]) func takesBackWhatRaisesNothing(_ rate: Double) {
        var simulation = PieceSimulation()
        (simulation.line, simulation.together, simulation.total) = ({ _ in rate }, rate, Int64(rate * 60))
        let outcome = simulation.run()
        let alone = Double(simulation.total) / rate
        #expect(outcome.plan.isComplete)
        #expect(outcome.requests <= 12)
        #expect(outcome.most <= 4)
        #expect(outcome.seconds <= alone * 1.02 + 0.5)
        #expect(outcome.plan.pieces.count <= 1)
    }

    /// A limit of the user makes a connection pause, and short measurements low.
    @Test func noConnectionIsAddedBelowALimitOfTheUser() {
        var plan = PiecePlan(total: 64 * Self.megabyte, present: .init(), limit: 4)
        #expect(plan.setRateLimit(8_000_000).isEmpty)
        let id = plan.adopt(from: 0, at: 0)
        var orders: [PiecePlan.Order] = []
        // 8 MB a second, in portions.
        for portion in 1...16 {
            orders += plan.moved(id, to: Int64(portion) * 2_400_000, at: Double(portion) * 0.3)
            orders += plan.awoken(at: Double(portion) * 0.3 + 0.27)
        }
        #expect(orders.isEmpty)
    }

    /// Each further connection would take its part from the other downloads.
    @Test(
        arguments: [
            (600, [], 600), (600, [200, 200], 200), (600, [300, 290], 200), (600, [10], 590), (600, [600], 300),
            (600, [Int.max, -5], 200), (1, [1, 1, 1], 1), (600, [nil, nil], 200), (600, [nil, 10], 390),
        ] as [(Int, [Int?], Int)])
    func aLimitForAllIsShared(_ limit: Int, _ others: [Int?], _ share: Int) {
        #expect(PiecePlan.share(of: limit, besides: others) == share)
    }

    /// What a single connection fetches within seconds needs no other.
    @Test(arguments: [(Int64(1) << 30, 1e9), (16 * megabyte, 4e6), (3 * megabyte, 1e6), (megabyte, 1e5)])
    func needsOneRequestForAFastPath(_ total: Int64, _ rate: Double) {
        var simulation = PieceSimulation()
        (simulation.total, simulation.line, simulation.together) = (total, { _ in rate }, rate)
        let outcome = simulation.run()
        #expect(outcome.plan.isComplete)
        #expect(outcome.requests <= (Double(total) / rate > 5 ? 3 : 1))
    }

    /// After an outage near the end, at the rate of one connection no other would seem worth it.
    @Test func continuesWithWhatWasUseful() {
        var simulation = PieceSimulation()
        #expect(simulation.run(until: 6).plan.useful == 4)
        simulation.present = ByteRangeSet(0..<(58 * Self.megabyte))
        #expect(simulation.run().requests == 1)
        simulation.useful = 4
        let outcome = simulation.run()
        #expect(outcome.plan.isComplete)
        #expect(outcome.most == 4 && outcome.seconds < 2)
        // Not more than the user allows by now, and only once.
        simulation.limit = 2
        #expect(simulation.run().most == 2)
        // The server takes fewer by now.
        simulation.limit = 4
        simulation.reply = { _, open in open > 2 ? .refused : nil }
        let fewer = simulation.run().plan
        #expect(fewer.isComplete && fewer.useful == 2)
    }

    @Test func staysAtOneIfTheUserWantsOne() {
        var simulation = PieceSimulation()
        simulation.limit = 1
        #expect(simulation.run().requests == 1)
    }

    /// At the limit that the user has set, no connection adds anything.
    @Test func staysAtOneAtTheRateLimit() {
        var simulation = PieceSimulation()
        simulation.rateLimit = 1_900_000
        #expect(simulation.run().requests == 1)
    }

    /// Of four connections with 2 MB a second each.
    @Test(arguments: [(1_500_000, 1), (3_000_000, 2), (5_000_000, 3), (7_000_000, 4), (9_000_000, 4)])
    func aNewRateLimitEndsNeedlessConnections(_ limit: Int, _ left: Int) {
        var simulation = PieceSimulation()
        simulation.total = 256 * Self.megabyte
        simulation.newRateLimit = (at: 10, limit: limit)
        #expect(simulation.run(until: 9.9).plan.pieces.count == 4)
        #expect(simulation.run(until: 20).plan.pieces.count == left)
        #expect(simulation.run(until: 30).plan.pieces.count == left)
        let whole = simulation.run()
        #expect(whole.plan.isComplete && whole.sent < simulation.total + Self.megabyte)
    }

    @Test func connectionsReturnWithoutTheLimit() {
        var simulation = PieceSimulation()
        (simulation.total, simulation.rateLimit) = (256 * Self.megabyte, 1_500_000)
        simulation.newRateLimit = (at: 10, limit: nil)
        #expect(simulation.run(until: 9.9).plan.pieces.count == 1)
        #expect(simulation.run(until: 20).plan.pieces.count == 4)
    }

    @Test(arguments: [1, 2, 3]) func staysBelowTheLimitOfAServer(_ most: Int) {
        var simulation = PieceSimulation()
        simulation.reply = { _, open in open > most ? .refused : nil }
        let outcome = simulation.run()
        #expect(outcome.plan.isComplete)
        #expect(outcome.plan.ceiling == most)
        #expect(outcome.requests <= most + 4)
        let ideal = Double(simulation.total) / (2e6 * Double(most))
        #expect(outcome.seconds < ideal * 1.2 + 1)
    }

    /// A server that sends the whole in place of a range, or another version.
    @Test func givesUpRangesAtTheFirstUnfitResponse() {
        var simulation = PieceSimulation()
        simulation.reply = { number, _ in number > 1 ? .unfit : nil }
        let outcome = simulation.run()
        #expect(outcome.plan.isComplete)
        #expect(outcome.requests == 2)
        #expect(outcome.plan.ceiling == 1)
    }

    @Test func fewerConnectionsAreAllowedFromNowOn() {
        var plan = PiecePlan(total: 64 * Self.megabyte, present: .init(), limit: 4)
        let lead = plan.adopt(from: 0, at: 0)
        var begun: [Int] = []
        for step in 1...60 {
            for order in plan.moved(lead, to: Int64(step) * 200_000, at: Double(step) / 10) {
                if case .begin(let id, _) = order { begun.append(id) }
            }
            if !begun.isEmpty { break }
        }
        #expect(begun.count == 1)
        #expect(plan.setLimit(1) == begun.map { .cut($0) })
        #expect(plan.pieces.map(\.id) == [lead])
    }

    // MARK: Ranges

    /// The rest of a slow connection is requested over another at once.
    @Test func takesWorkFromTheSlow() {
        var simulation = PieceSimulation()
        simulation.total = 128 * Self.megabyte
        simulation.line = { $0 == 3 ? 1e5 : 2e6 }
        let outcome = simulation.run()
        #expect(outcome.plan.isComplete)
        #expect(outcome.seconds < Double(simulation.total) / 6e6 + 8)
    }

    /// Also from one that has stopped completely.
    @Test func takesWorkFromTheSilent() {
        var simulation = PieceSimulation()
        simulation.total = 128 * Self.megabyte
        simulation.line = { $0 == 3 ? 0 : 2e6 }
        let outcome = simulation.run(until: 600)
        #expect(outcome.plan.isComplete)
        #expect(outcome.seconds < 60)
    }

    /// Further connections that never get a byte are not tried again.
    @Test func silentConnectionsAreGivenUp() {
        var simulation = PieceSimulation()
        simulation.total = 512 * Self.megabyte
        simulation.line = { $0 > 1 ? 0 : 2e6 }
        let outcome = simulation.run()
        #expect(outcome.plan.isComplete)
        #expect(outcome.requests <= 3)
    }

    @Test func oneBrokenConnectionIsReplaced() {
        var simulation = PieceSimulation()
        simulation.breaks = { $0 == 2 ? 3 : nil }
        let outcome = simulation.run()
        #expect(outcome.plan.isComplete)
        #expect(outcome.most == 4)
        #expect(outcome.sent <= simulation.total + 4 * Self.megabyte)
    }

    /// A server that cuts every further connection keeps its one.
    @Test func connectionsThatAlwaysBreakAreGivenUp() {
        var simulation = PieceSimulation()
        simulation.breaks = { $0 > 1 ? 0.2 : nil }
        let outcome = simulation.run()
        #expect(outcome.plan.isComplete)
        #expect(outcome.requests < 12)
    }

    /// No request is for less than a MiB, unless that is all that is missing.
    @Test func rangesHaveAMinimum() {
        var simulation = PieceSimulation()
        (simulation.limit, simulation.total) = (64, 20 * Self.megabyte)
        simulation.line = { _ in 2e5 }
        var plan = PiecePlan(total: simulation.total, present: .init(), limit: 64)
        let lead = plan.adopt(from: 0, at: 0)
        var ranges: [Range<Int64>] = []
        for step in 1...80 {
            for order in plan.moved(lead, to: Int64(step) * 20_000, at: Double(step) / 10) {
                if case .begin(_, let range) = order { ranges.append(range) }
            }
        }
        #expect(!ranges.isEmpty)
        #expect(ranges.allSatisfy { $0.count >= Self.megabyte })
        #expect(simulation.run().plan.isComplete)
    }

    /// What an earlier run has stored is not requested again, except for short stretches.
    @Test func fetchesTheGapsOfAnEarlierRun() {
        var simulation = PieceSimulation()
        simulation.present = ByteRangeSet([
            0..<(8 * Self.megabyte), (20 * Self.megabyte)..<(40 * Self.megabyte),
            (50 * Self.megabyte)..<(64 * Self.megabyte),
        ])
        let outcome = simulation.run()
        #expect(outcome.plan.isComplete)
        #expect(outcome.sent < 26 * Self.megabyte)
    }

    @Test func aPausedDownloadHasOneConnection() {
        var plan = PieceSimulation().run(until: 6).plan
        #expect(plan.pieces.count == 4)
        let kept = plan.pieces[1].id
        let orders = plan.hold(keeping: kept)
        #expect(orders.count == 3)
        #expect(plan.pieces.map(\.id) == [kept])
        #expect(plan.target == 1)
        // The next gap follows once its own range is done.
        let next = plan.ended(kept, .whole, at: 7)
        #expect(next.count == 1)
    }

    @Test func afterAPauseWhatWasUsefulBeginsOnce() {
        var plan = PieceSimulation().run(until: 6).plan
        #expect(plan.useful == 4)
        let kept = plan.pieces[0]
        _ = plan.hold(keeping: kept.id)
        #expect(plan.moved(kept.id, to: kept.position + 1, at: 20).isEmpty)
        let orders = plan.resumed(at: 20)
        #expect(orders.count == 3 && plan.pieces.count == 4 && plan.target == 4)
        #expect(plan.resumed(at: 20).isEmpty)
    }

    /// A connection that has stored its range counts until it has ended: then only, wrong parts are requested again.
    @Test func wrongPartsFollowOnceAConnectionHasEnded() {
        var plan = PiecePlan(total: 4 * Self.megabyte, present: .init(), limit: 1)
        let own = plan.adopt(from: 0, isReceiving: true, at: 0)
        #expect(plan.moved(own, to: plan.total, at: 1).isEmpty)
        #expect(plan.isComplete)
        plan.invalidate(Self.megabyte..<(2 * Self.megabyte))
        #expect(!plan.isComplete)
        #expect(plan.fill(at: 1).isEmpty)
        #expect(plan.ended(own, .whole, at: 1) == [.begin(own + 1, Self.megabyte..<(2 * Self.megabyte))])
    }

    /// In the other order, too: nothing is to be requested when the connection ends, but afterwards.
    @Test func partsMayBeFoundWrongAfterTheLastConnection() {
        var plan = PiecePlan(total: 4 * Self.megabyte, present: .init(), limit: 1)
        let own = plan.adopt(from: 0, isReceiving: true, at: 0)
        #expect(plan.moved(own, to: plan.total, at: 1).isEmpty)
        #expect(plan.ended(own, .whole, at: 1).isEmpty)
        plan.invalidate(Self.megabyte..<(2 * Self.megabyte))
        #expect(plan.fill(at: 1) == [.begin(own + 1, Self.megabyte..<(2 * Self.megabyte))])
    }

    /// Every byte has exactly one connection that is to fetch it, or none yet.
    @Test(arguments: 0..<20) func connectionsDoNotOverlap(_ seed: Int) {
        var simulation = PieceSimulation()
        simulation.limit = 2 + seed % 7
        simulation.line = { 5e5 + Double(($0 * 7919 + seed * 104_729) % 2_000_000) }
        simulation.breaks = { ($0 + seed) % 5 == 0 ? Double(1 + seed % 3) : nil }
        for end in stride(from: 1.0, to: 40, by: 1.7) {
            let plan = simulation.run(until: end).plan
            let claims = plan.pieces.map { $0.position..<max($0.position, $0.end) }.filter { !$0.isEmpty }
            for (index, claim) in claims.enumerated() {
                for other in claims[(index + 1)...] { #expect(!claim.overlaps(other), "\(claims)") }
            }
        }
        #expect(simulation.run().plan.isComplete)
    }
}
