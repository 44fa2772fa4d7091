// SPDX-License-Identifier: MIT

import SessionCore
import TransferTesting

/// The clocks and timers of the code under simulation.
final class VirtualScheduler: Scheduler {
    private let machine: Machine
    private let bug: PlantedBug?

    init(_ machine: Machine, _ bug: PlantedBug?) {
        self.machine = machine
        self.bug = bug
    }

    var now: Double { machine.now }
    var wallNow: Double { machine.wallNow }

    func schedule(at time: Double, _ work: @escaping @Sendable () -> Void) {
        if bug == .lostWakeUp, time > machine.now, machine.random.once(in: 4) { return }
        machine.schedule(at: time, "timer", work)
    }
}
