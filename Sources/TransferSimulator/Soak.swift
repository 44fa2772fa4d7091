// SPDX-License-Identifier: MIT

import Glibc
import TransferControl
import TransferModel
import TransferService
import TransferTesting

/// One client process over a day of virtual time: transfers come all the time, fail, are retried, and leave the queue.
/// Its memory may not grow.
final class Soak: @unchecked Sendable {  // Used on one thread.
    private let count: Int
    private let world: World
    private let user: User
    private let trace = Trace()
    private var added = 0
    private var removed = 0
    /// The most that were in the queue at the end of an interval, in an hour.
    private var peak = 0
    private var timers = 0

    static let hours = 24.0
    /// Seconds between two additions.
    private static let interval = 10.0
    /// With so many in the queue nothing is added; what was due follows later.
    private static let mostUnfinished = 5000
    /// Bytes by which the process may grow after its first three hours, for what the allocator keeps.
    private static let mostGrowth = 24 << 20

    /// Those of the network; each is rare, as in a day of use.
    private static let faults: Set<Fault> = [
        .refusedConnection, .slowHead, .reset, .earlyClose, .stall, .silence, .halfOpen, .busy, .interimResponse,
        .lostResponse, .ignoredRange, .otherLength, .newVersion, .weakValidator, .pathLoss, .clockSet, .commands,
    ]

    init(transfers: Int, folder: String, bug: PlantedBug?) {
        count = transfers
        world = World(seed: 1, folder: folder, bug: bug, course: Course(), swarm: Swarm(Self.faults), trace: trace)
        world.checksLimits = false
        world.limitsConnections = false
        world.maximumSteps = .max
        world.origin.rarity = 25
        user = User(world)
    }

    private var machine: Machine { world.machine }
    private var ledger: Ledger { world.ledger }

    /// - Returns: whether everything ended, in flat memory.
    func run() -> Bool {
        world.prepare()
        defer { Simulation.shared.world = nil }
        world.open()
        let begin = machine.now
        limit()
        var early: Usage?
        var hour = 0
        print("hour  transfers  completed  unfinished     steps   MiB  descriptors  seconds of CPU")
        while trace.violation == nil, machine.now < begin + Self.hours * 3600 {
            let next = machine.now + Self.interval
            let due = Int(Double(count) * min(1, (next - begin) / (Self.hours * 3600)))
            add(upTo: due)
            if machine.random.once(in: 6) { command() }
            if machine.random.once(in: 360) { losePath() }
            world.proceed(until: next)
            clean()
            peak = max(peak, added - removed)
            guard machine.now - begin >= Double(hour + 1) * 3600 else { continue }
            hour += 1
            show(hour)
            if hour == 3 { early = (Self.memory(), Self.descriptors()) }
        }
        end()
        show(hour)
        let late = (bytes: Self.memory(), descriptors: Self.descriptors())
        timers = machine.pendingTimers
        world.finish()
        return hasEndedWell() && isFlat(early ?? late, late)
    }

    // MARK: Its course

    private func limit() {
        guard let queue = world.queue else { return }
        Task { try? await queue.setLimits(QueueLimits(concurrent: 200)) }
    }

    private func add(upTo due: Int) {
        let number = min(due - added, Self.mostUnfinished - (added - removed))
        guard number > 0 else { return }
        added += number
        user.add((0..<number).map { _ in user.wish(.small) })
    }

    private func command() {
        let ids = ledger.added.keys.sorted().filter { _ in machine.random.once(in: 50) }
        user.perform(machine.random.once(in: 2) ? .pause : .cancel(deletingPartial: true), ids)
    }

    private func losePath() {
        world.network.set(isUp: false, isExpensive: false)
        world.at(machine.now + 30) { [world] in world.network.set(isUp: true, isExpensive: false) }
    }

    /// Completed ones leave the queue; paused, failed and cancelled ones continue.
    private func clean() {
        let states = ledger.added.keys.sorted().map { ($0, ledger.states[$0]) }
        let stopped = states.filter { $0.1 == .paused || $0.1 == .failed || $0.1 == .cancelled }.map(\.0)
        user.perform(.resume, stopped)
        user.perform(.retry, stopped)
        remove(states.filter { $0.1 == .completed }.map(\.0))
    }

    private func remove(_ ids: [TransferID]) {
        guard let queue = world.queue, !ids.isEmpty else { return }
        Task { [self] in
            guard (try? await queue.perform(.remove, on: ids)) != nil else { return }
            removed += ids.count
            let items = ids.compactMap { ledger.added[$0] }
            for item in items { unlink(item.file) }
            world.origin.forget(Set(items.map(\.path)))
            ledger.forget(ids)
        }
    }

    /// No more faults: the rest is added and completes.
    private func end() {
        guard trace.violation == nil else { return }
        world.calmDown()
        for _ in 0..<360 where removed < count && trace.violation == nil {
            add(upTo: count)
            world.proceed(until: machine.now + Self.interval)
            clean()
        }
        world.proceed(until: machine.now + Self.interval)
        if removed < count { trace.violate("liveness", "\(count - removed) of \(count) transfers have not completed") }
    }

    // MARK: Its figures

    private func show(_ hour: Int) {
        func column(_ number: Int, _ width: Int) -> String {
            let text = String(number)
            return String(repeating: " ", count: max(0, width - text.count)) + text
        }
        print(
            column(hour, 4) + column(added, 11) + column(removed, 11) + column(peak, 12) + column(machine.steps, 10)
                + column(Self.memory() >> 20, 6) + column(Self.descriptors(), 13)
                + column(Int(Program.cpuSeconds()), 16))
        fflush(nil)
        peak = 0
    }

    private func hasEndedWell() -> Bool {
        if let violation = trace.violation { print("violates \"\(violation.invariant)\": \(violation.detail)") }
        let faults = trace.reached.faults.values.reduce(0, +)
        print("\(removed) transfers, \(machine.steps) steps, \(faults) faults, \(timers) timers left")
        return trace.violation == nil
    }

    private func isFlat(_ early: Usage, _ late: Usage) -> Bool {
        if late.bytes > early.bytes + Self.mostGrowth {
            print("memory grew from \(early.bytes >> 20) to \(late.bytes >> 20) MiB")
            return false
        }
        if late.descriptors > early.descriptors + 8 {
            print("descriptors grew from \(early.descriptors) to \(late.descriptors)")
            return false
        }
        return true
    }

    private typealias Usage = (bytes: Int, descriptors: Int)

    /// Resident bytes.
    private static func memory() -> Int {
        let fields = (Files.text("/proc/self/statm") ?? "").split(separator: " ")
        return fields.count > 1 ? (Int(fields[1]) ?? 0) * Int(getpagesize()) : 0
    }

    private static func descriptors() -> Int { Files.names("/proc/self/fd").count }
}
