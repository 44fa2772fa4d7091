// SPDX-License-Identifier: MIT

@testable import SessionCore
import Testing

@Suite(.timeLimit(.minutes(10))) struct ExchangeGateTests {
    enum Step: Sendable {
        /// id, host, priority, whether it runs at once.
        case enter(Int, String, Double, Bool)
        /// id, who runs then.
        case leave(Int, [Int])
        case priority(Int, Double)
        case anyway(Int, String)
        case limit(String, Int?, [Int])
    }

    @Test(
        arguments: [
            (
                "order of entry", 2, 9,
                [
                    .enter(1, "a", 0.5, true), .enter(2, "a", 0.5, true), .enter(3, "a", 0.5, false),
                    .enter(4, "b", 0.5, false),
                    .leave(2, [3]), .leave(1, [4]),
                ]
            ),
            (
                "priority first", 1, 9,
                [
                    .enter(1, "a", 0.5, true), .enter(2, "a", 0.1, false), .enter(3, "b", 0.9, false),
                    .enter(4, "a", 0.9, false),
                    .leave(1, [3]), .leave(3, [4]), .leave(4, [2]),
                ]
            ),
            (
                "full hosts do not block others", 3, 1,
                [
                    .enter(1, "a", 1, true), .enter(2, "a", 1, false), .enter(3, "a", 1, false),
                    .enter(4, "b", 0, true),
                    .enter(5, "c", 0, true), .enter(6, "d", 0, false), .leave(4, [6]), .leave(1, [2]),
                ]
            ),
            (
                "withdrawn while waiting", 1, 9,
                [
                    .enter(1, "a", 1, true), .enter(2, "a", 1, false), .enter(3, "a", 1, false), .leave(2, []),
                    .leave(1, [3]),
                ]
            ),
            (
                "the first of a host is withdrawn", 1, 9,
                [
                    .enter(1, "a", 1, true), .enter(2, "a", 1, false), .enter(3, "b", 0.5, false),
                    .enter(4, "a", 0.1, false), .leave(2, []), .leave(1, [3]), .leave(3, [4]),
                ]
            ),
            (
                "new priority", 1, 9,
                [
                    .enter(1, "a", 1, true), .enter(2, "a", 0.5, false), .enter(3, "b", 0.5, false), .priority(3, 0.6),
                    .priority(1, 0),
                    .leave(1, [3]), .leave(3, [2]),
                ]
            ),
            (
                "lower priority", 1, 9,
                [
                    .enter(1, "a", 1, true), .enter(2, "a", 0.5, false), .enter(3, "a", 0.5, false), .priority(2, 0.4),
                    .leave(1, [3]),
                ]
            ),
            (
                "no number", 1, 9,
                [
                    .enter(1, "a", 1, true), .enter(2, "a", .nan, false), .enter(3, "a", 0, false),
                    .enter(4, "a", 0.1, false),
                    .priority(4, .nan), .leave(1, [2]), .leave(2, [3]), .leave(3, [4]),
                ]
            ),
            (
                "anyway", 1, 1,
                [.enter(1, "a", 1, true), .enter(2, "a", 1, false), .anyway(3, "a"), .leave(1, []), .leave(3, [2])]
            ),
            (
                "anyway, having waited", 1, 1,
                [
                    .enter(1, "a", 1, true), .enter(2, "a", 1, false), .enter(3, "a", 1, false), .anyway(2, "a"),
                    .anyway(2, "a"),
                    .leave(2, []), .leave(1, [3]),
                ]
            ),
            (
                "a host of many streams", 9, 1,
                [
                    .enter(1, "a", 1, true), .enter(2, "a", 0, false), .enter(3, "a", 1, false),
                    .enter(4, "a", 0, false),
                    .enter(5, "b", 1, true), .enter(6, "b", 1, false), .limit("a", 3, [3, 2]), .limit("b", 1, []),
                    .limit("a", nil, []), .leave(3, []), .leave(2, []), .leave(1, [4]),
                ]
            ),
            (
                "a limit before anybody comes", 9, 1,
                [
                    .limit("a", 2, []), .enter(1, "a", 1, true), .enter(2, "a", 1, true), .enter(3, "a", 1, false),
                    .leave(1, [3]), .leave(2, []), .leave(3, []), .enter(4, "a", 1, true), .enter(5, "a", 1, true),
                ]
            ),
            (
                "limits below 1", 0, -1,
                [.limit("b", 0, []), .enter(1, "a", 1, true), .enter(2, "b", 1, false), .leave(1, [2])]
            ),
            (
                "strangers", 1, 1,
                [
                    .leave(7, []), .priority(7, 1), .enter(1, "a", 1, true), .enter(1, "a", 1, true),
                    .enter(2, "a", 1, false),
                    .enter(2, "a", 1, false), .leave(1, [2]), .leave(1, []), .leave(2, []),
                ]
            ),
        ] as [(String, Int, Int, [Step])])
    func letsIn(name: String, total: Int, perHost: Int, steps: [Step]) {
        var gate = ExchangeGate(total: total, perHost: perHost)
        for (number, step) in steps.enumerated() {
            let place: Comment = "\(name), step \(number)"
            switch step {
            case .enter(let id, let host, let priority, let runs):
                #expect(gate.enter(id, host: host, priority: priority) == runs, place)
            case .leave(let id, let next): #expect(gate.leave(id) == next, place)
            case .priority(let id, let priority): gate.setPriority(id, priority)
            case .anyway(let id, let host): gate.takeAnyway(id, host: host)
            case .limit(let host, let limit, let next): #expect(gate.setLimit(forHost: host, limit) == next, place)
            }
        }
    }

    /// What the gate has to say, by looking through everybody each time.
    private struct Model {
        struct Member {
            var host: String
            var priority: Double
            var order: Int
            var isRunning = false
            var wasForced = false
        }

        let total: Int
        let perHost: Int
        var limits: [String: Int] = [:]
        var members: [Int: Member] = [:]

        func running(_ host: String? = nil) -> Int {
            members.values.count { $0.isRunning && (host == nil || $0.host == host) }
        }
        func limit(_ host: String) -> Int { limits[host] ?? perHost }

        mutating func startAll() -> [Int] {
            var started: [Int] = []
            while running() < total {
                let free = members.filter { !$0.value.isRunning && running($0.value.host) < limit($0.value.host) }
                guard
                    let next = free.min(by: {
                        ($1.value.priority, $0.value.order) < ($0.value.priority, $1.value.order)
                    })
                else { break }
                members[next.key]?.isRunning = true
                started.append(next.key)
            }
            return started
        }
    }

    @Test(arguments: 0..<30) func keepsItsInvariants(_ seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let (total, perHost) = (Int.random(in: 1...6, using: &random), Int.random(in: 1...3, using: &random))
        var gate = ExchangeGate(total: total, perHost: perHost)
        var model = Model(total: total, perHost: perHost)
        let hosts = ["a", "b", "c", "d"]
        let priorities = [0, 0.25, 0.5, 0.75, 1]
        var entered = 0
        var ran: Set<Int> = []
        var withdrawn: Set<Int> = []
        for _ in 0..<300 {
            let host = hosts.randomElement(using: &random)!
            let present = model.members.keys.sorted()
            switch (Int.random(in: 0..<10, using: &random), present.randomElement(using: &random)) {
            case (0..<5, _), (_, nil):
                entered += 1
                let priority = priorities.randomElement(using: &random)!
                model.members[entered] = Model.Member(host: host, priority: priority, order: entered)
                let expected = model.startAll() == [entered]
                #expect(gate.enter(entered, host: host, priority: priority) == expected)
                if expected { ran.insert(entered) }
            case (5..<8, let id?):
                if model.members.removeValue(forKey: id)?.isRunning == false { withdrawn.insert(id) }
                let expected = model.startAll()
                #expect(gate.leave(id) == expected)
                ran.formUnion(expected)
            case (8, let id?):
                if Bool.random(using: &random) {
                    let priority = priorities.randomElement(using: &random)!
                    model.members[id]?.priority = priority
                    gate.setPriority(id, priority)
                } else if let member = model.members[id] {
                    model.members[id]?.isRunning = true
                    if !member.isRunning { model.members[id]?.wasForced = true }
                    gate.takeAnyway(id, host: member.host)
                    ran.insert(id)
                }
            default:
                let limit = [nil, 1, 2, 5].randomElement(using: &random)!
                model.limits[host] = limit
                let expected = model.startAll()
                #expect(gate.setLimit(forHost: host, limit) == expected)
                ran.formUnion(expected)
            }
            #expect(gate.running == model.running())
            #expect(gate.waiting == model.members.count - model.running())
            let forced = model.members.values.count { $0.wasForced && $0.isRunning }
            #expect(gate.running <= total + forced)
        }
        // All leave one after the other: every waiting one must get to run.
        while let id = model.members.filter(\.value.isRunning).keys.min() {
            model.members[id] = nil
            let expected = model.startAll()
            #expect(gate.leave(id) == expected)
            ran.formUnion(expected)
        }
        #expect(gate.running == 0)
        #expect(gate.waiting == 0)
        #expect(ran.union(withdrawn) == Set(0..<entered).union([entered]).subtracting([0]))
        #expect(ran.isDisjoint(with: withdrawn))
    }

    /// With work in proportion to those who wait, each of these would take minutes.
    @Test(arguments: [1, 10_000]) func queuesFortyThousand(_ hosts: Int) {
        let count = 40_000
        var gate = ExchangeGate(total: 1, perHost: 1)
        let names = (0..<hosts).map { "https://host\($0).test:443" }
        var atOnce: [Int] = []
        for id in -1..<count where gate.enter(id, host: names[max(0, id) % hosts], priority: Double(id % 7) / 7) {
            atOnce.append(id)
        }
        for id in stride(from: 1, to: count, by: 2) { atOnce += gate.leave(id) }
        #expect(atOnce == [-1])
        for id in stride(from: 0, to: count, by: 4) { gate.setPriority(id, 1) }
        var next = gate.leave(-1)
        var order: [Int] = []
        while let id = next.first {
            order.append(id)
            next = gate.leave(id)
        }
        #expect(order.count == count / 2)
        #expect(order.prefix(count / 4).elementsEqual(stride(from: 0, to: count, by: 4)))
        #expect(gate.waiting == 0)
    }
}
