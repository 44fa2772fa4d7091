// SPDX-License-Identifier: MIT

import TransferModel
@testable import TransferService

/// A server and its lines on virtual time, and a plan that downloads one file from it.
struct PieceSimulation {
    static let megabyte: Int64 = 1 << 20

    /// Bytes a second of one connection, by its number from 1.
    var line: (Int) -> Double = { _ in 2e6 }
    /// Bytes a second of all together.
    var together = Double.infinity
    /// From when on all together have another rate.
    var changes: (at: Double, together: Double)?
    /// Seconds from the request to the first byte.
    var delay = 0.05
    /// What the server does with a request, by its number from 1, given how many connections it has.
    var reply: (_ number: Int, _ open: Int) -> PiecePlan.End? = { _, _ in nil }
    /// Seconds after its first byte at which a connection breaks.
    var breaks: (Int) -> Double? = { _ in nil }
    var limit = 4
    var total: Int64 = 64 * megabyte
    var rateLimit: Int?
    /// From when on there is another rate limit.
    var newRateLimit: (at: Double, limit: Int?)?
    var present = ByteRangeSet()
    /// Of the plan before an interruption.
    var useful = 1

    struct Outcome {
        var seconds = 0.0
        var requests = 0
        var most = 0
        /// Bytes that were sent, also those that were sent twice.
        var sent: Int64 = 0
        var present = ByteRangeSet()
        var plan: PiecePlan
    }

    private struct Connection {
        var id: Int
        var number: Int
        var position: Double
        var end: Double
        var opensAt: Double
        var refusal: PiecePlan.End?
    }

    /// - Parameter end: seconds after which it stops.
    func run(until end: Double = 10_000) -> Outcome {
        var plan = PiecePlan(total: total, present: present, limit: limit, useful: useful)
        plan.rateLimit = rateLimit
        var outcome = Outcome(plan: plan)
        var open: [Connection] = []
        var now = 0.0

        func begin(_ id: Int, _ range: Range<Int64>) {
            outcome.requests += 1
            open.append(
                Connection(
                    id: id, number: outcome.requests, position: Double(range.lowerBound),
                    end: Double(range.upperBound), opensAt: now + delay,
                    refusal: reply(outcome.requests, open.count + 1)))
        }
        func obey(_ orders: [PiecePlan.Order]) {
            for order in orders {
                switch order {
                case .begin(let id, let range): begin(id, range)
                case .cut(let id): open.removeAll { $0.id == id }
                }
            }
            outcome.most = max(outcome.most, open.count)
        }

        let first = present.prefixLength
        begin(plan.adopt(from: first, at: now), first..<total)
        outcome.most = 1
        while !plan.isComplete, now < end {
            now += 0.1
            let active = open.filter { $0.opensAt <= now && $0.refusal == nil }
            let wanted = active.reduce(0) { $0 + line($1.number) }
            var together = together
            if let changes, now >= changes.at { together = changes.together }
            var rateLimit = rateLimit
            if let newRateLimit, now >= newRateLimit.at {
                rateLimit = newRateLimit.limit
                obey(plan.setRateLimit(rateLimit))
            }
            let share = min(1, min(together, Double(rateLimit ?? .max)) / max(1, wanted))
            for connection in open where connection.opensAt <= now {
                guard let index = open.firstIndex(where: { $0.id == connection.id }) else { continue }
                if let refusal = connection.refusal {
                    open.remove(at: index)
                    obey(plan.ended(connection.id, refusal, at: now))
                    continue
                }
                if let time = breaks(connection.number), now >= connection.opensAt + time {
                    open.remove(at: index)
                    obey(plan.ended(connection.id, .broken, at: now))
                    continue
                }
                let step = line(connection.number) * share * 0.1
                let position = min(connection.end, connection.position + step)
                outcome.sent += Int64(position) - Int64(connection.position)
                open[index].position = position
                obey(plan.moved(connection.id, to: Int64(position), at: now))
                obey(plan.resumed(at: now))
                if position >= connection.end, let index = open.firstIndex(where: { $0.id == connection.id }) {
                    open.remove(at: index)
                    obey(plan.ended(connection.id, .whole, at: now))
                }
            }
        }
        (outcome.seconds, outcome.present, outcome.plan) = (now, plan.present, plan)
        return outcome
    }
}
