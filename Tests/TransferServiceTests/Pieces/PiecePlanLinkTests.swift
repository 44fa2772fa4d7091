// SPDX-License-Identifier: MIT

import Testing
import TransferModel
@testable import TransferService

/// How quickly a plan finds the number of connections, on modelled links.
@Suite struct PiecePlanLinkTests {
    private static let megabyte: Int64 = 1 << 20

    /// Against a client that opens all connections at once.
    @Test(arguments: [
        (LinkModel(kind: .capped(2e6), total: 512 * megabyte, limit: 16), 0.95),
        (LinkModel(kind: .capped(2e6), total: 256 * megabyte, limit: 16), 0.92),
        (LinkModel(kind: .capped(2e6), total: 64 * megabyte, limit: 4), 0.95),
        (LinkModel(kind: .portions(2e6), total: 512 * megabyte, limit: 16), 0.95),
        (LinkModel(kind: .portions(2e6), total: 256 * megabyte, limit: 4), 0.95),
        (LinkModel(kind: .lossy, total: 256 * megabyte, limit: 16, roundTrip: 0.2), 0.95),
        (LinkModel(kind: .lossy, total: 256 * megabyte, limit: 16, roundTrip: 0.05), 0.95),
        (LinkModel(kind: .lossy, total: 128 * megabyte, limit: 4, roundTrip: 0.2), 0.95),
    ]) func isAsFastAsAllConnectionsAtOnce(_ link: LinkModel, _ least: Double) {
        let (mine, theirs) = (link.run(), link.run(opensAll: true))
        #expect(theirs.seconds / mine.seconds >= least, "\(mine), all at once: \(theirs)")
        #expect(mine.most == link.limit)
    }

    /// Where further connections raise nothing, they cost little.
    @Test(arguments: [
        (LinkModel(kind: .shared(2e6), total: 128 * megabyte, limit: 4, roundTrip: 0.02), 1.02),
        (LinkModel(kind: .shared(12.5e6), total: 512 * megabyte, limit: 4, roundTrip: 0.02), 1.02),
        (LinkModel(kind: .shared(100e6), total: 1024 * megabyte, limit: 4, roundTrip: 0.005), 1.03),
        // A long path that one connection fills after seconds.
        (LinkModel(kind: .shared(12.5e6), total: 512 * megabyte, limit: 16, roundTrip: 0.2), 1.05),
        (LinkModel(kind: .limited(2e6, connections: 1), total: 128 * megabyte, limit: 16, roundTrip: 0.01), 1.01),
        (LinkModel(kind: .limited(2e6, connections: 2), total: 128 * megabyte, limit: 16, roundTrip: 0.01), 0.55),
    ]) func isNotSlowerThanOneConnection(_ link: LinkModel, _ most: Double) {
        let (mine, alone) = (link.run(), link.run(limit: 1))
        #expect(mine.seconds / alone.seconds <= most, "\(mine), alone: \(alone)")
    }

    /// A file that one connection brings within seconds.
    @Test(arguments: [1.2e9, 400e6]) func aFastPathHasOneRequest(_ rate: Double) {
        let link = LinkModel(kind: .shared(rate), total: 1024 * Self.megabyte, limit: 4, roundTrip: 0.0005)
        #expect(link.run().requests == 1)
    }

    /// A line that became slower while the connections were measured: they are found useful later.
    @Test func connectionsAreTriedOnceMore() {
        var simulation = PieceSimulation()
        (simulation.limit, simulation.total) = (4, 256 * Self.megabyte)
        (simulation.together, simulation.line) = (2e6, { _ in 2e6 })
        let alone = simulation.run(until: 15)
        #expect(alone.plan.pieces.count == 1)
        simulation.changes = (at: 10, together: .infinity)
        let outcome = simulation.run()
        #expect(outcome.plan.isComplete)
        #expect(outcome.seconds < 70)
    }
}
