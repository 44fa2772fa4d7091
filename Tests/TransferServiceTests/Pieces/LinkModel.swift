// SPDX-License-Identifier: MIT

import TransferModel
@testable import TransferService

/// A link on virtual time, and two clients that download one file over it: a plan, and one that opens all its
/// connections at the first byte, as aria2 does.
struct LinkModel {
    enum Kind: Sendable {
        /// Bytes a second of each connection.
        case capped(Double)
        /// The same, sent as one portion each second, as nginx's `limit_rate` does.
        case portions(Double)
        /// One packet in a hundred is lost: each connection halves its window then, and grows by a packet each round
        /// trip.
        case lossy
        /// Bytes a second of all connections, which begin slowly.
        case shared(Double)
        /// Bytes a second of each of so many connections; the server refuses more.
        case limited(Double, connections: Int)
    }

    var kind: Kind
    var total: Int64
    var limit: Int
    /// Seconds.
    var roundTrip = 0.001

    struct Outcome {
        var seconds = 0.0
        var requests = 0
        var most = 0
    }

    private struct Connection {
        let id: Int
        let number: Int
        var position: Double
        let end: Double
        let opensAt: Double
        let isRefused: Bool
        var sent = 0.0
        var window = 14_600.0
        var reported: Int64
    }

    private static let step = 0.02
    private static let packet = 1460.0

    /// - Parameter opensAll: at the first byte, and decides nothing later but what each connection requests next.
    func run(limit: Int? = nil, opensAll: Bool = false) -> Outcome {
        let limit = limit ?? self.limit
        var plan = PiecePlan(total: total, present: .init(), limit: opensAll ? 1 : limit)
        var outcome = Outcome()
        var open: [Connection] = []
        var (now, tick, hasBegun) = (0.0, 0, false)
        var random: UInt64 = 1

        func begin(_ id: Int, _ range: Range<Int64>) {
            outcome.requests += 1
            var isRefused = false
            if case .limited(_, let most) = kind { isRefused = open.count >= most }
            open.append(
                Connection(
                    id: id, number: outcome.requests, position: Double(range.lowerBound), end: Double(range.upperBound),
                    opensAt: now + 2 * roundTrip + 0.01, isRefused: isRefused, reported: range.lowerBound))
            outcome.most = max(outcome.most, open.count)
        }
        func obey(_ orders: [PiecePlan.Order]) {
            for order in orders {
                switch order {
                case .begin(let id, let range): begin(id, range)
                case .cut(let id): open.removeAll { $0.id == id }
                }
            }
        }
        func report(_ id: Int) {
            guard let connection = open.first(where: { $0.id == id }), connection.opensAt <= now else { return }
            guard !connection.isRefused else {
                open.removeAll { $0.id == id }
                return obey(plan.ended(id, .refused, at: now))
            }
            let position = Int64(connection.position)
            guard position > connection.reported, let index = open.firstIndex(where: { $0.id == id }) else { return }
            open[index].reported = position
            if !hasBegun {
                hasBegun = true
                plan = PiecePlan(total: total, present: .init(0..<position), limit: opensAll ? 1 : limit)
                _ = plan.adopt(from: position, isReceiving: true, at: now)
                if opensAll {
                    plan.target = limit
                    obey(plan.fill(at: now))
                }
            }
            obey(plan.moved(id, to: position, at: now))
            if connection.position >= connection.end, open.contains(where: { $0.id == id }) {
                open.removeAll { $0.id == id }
                obey(plan.ended(id, .whole, at: now))
            }
        }

        begin(1, 0..<total)
        while !plan.isComplete, now < 5000 {
            now += Self.step
            tick += 1
            move(&open, now, &random)
            // Connections report ten times a second.
            guard tick % 5 == 0 else { continue }
            for id in open.map(\.id) { report(id) }
            if !opensAll, let wake = plan.wake, now >= wake { obey(plan.awoken(at: now)) }
        }
        outcome.seconds = now
        return outcome
    }

    private func move(_ open: inout [Connection], _ now: Double, _ random: inout UInt64) {
        var wanted = open.map { _ in 0.0 }
        for index in open.indices where open[index].opensAt <= now && !open[index].isRefused {
            let age = now - open[index].opensAt
            switch kind {
            case .capped(let rate), .limited(let rate, _): wanted[index] = rate * Self.step
            case .portions(let rate): wanted[index] = max(0, rate * Double(Int(age) + 1) - open[index].sent)
            case .lossy:
                let isStarting = age < 6 * roundTrip
                open[index].window += (isStarting ? open[index].window : Self.packet) * Self.step / roundTrip
                wanted[index] = open[index].window / roundTrip * Self.step
                random = random &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
                if Double(random >> 11) / 0x1p53 < 0.01 * wanted[index] / Self.packet { open[index].window /= 2 }
            case .shared:
                open[index].window *= 1 + Self.step / roundTrip
                wanted[index] = open[index].window / roundTrip * Self.step
            }
        }
        var share = 1.0
        if case .shared(let rate) = kind { share = min(1, rate * Self.step / max(1, wanted.reduce(0, +))) }
        for index in open.indices {
            let moved = wanted[index] * share
            open[index].sent += moved
            open[index].position = min(open[index].end, open[index].position + moved)
            guard share < 1, case .shared(let rate) = kind else { continue }
            // They come nearer to equal shares.
            let fair = rate * roundTrip / Double(open.count)
            open[index].window = open[index].window * share * 0.8 + fair * 0.2
        }
    }
}
