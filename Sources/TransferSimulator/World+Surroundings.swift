// SPDX-License-Identifier: MIT

/// What happens around the client, and when.
extension World {
    /// Most of it early, while much is under way.
    func time() -> Double {
        let share = Double.random(in: 0...1, using: &machine.random)
        return machine.now + share * share * (Self.faultyTime - 5)
    }

    func planSurroundings() {
        planClients()
        if swarm.has(.kill) { planKills(.kill) }
        if swarm.has(.powerCut) { planKills(.powerCut) }
        if swarm.has(.cleanEnd) { for _ in 0...origin.draw(0...1) { at(time()) { [self] in endCleanly() } } }
        if swarm.has(.clockSet) {
            for _ in 0...origin.draw(0...2) {
                let shift = Double(origin.draw(-5000...5000))
                at(time()) { [self] in
                    trace.met(.clockSet)
                    trace.note(machine.now, "clock: set by \(Int(shift)) s")
                    machine.wallOffset += shift
                    ledger.clockWasSet()
                }
            }
        }
        planNetwork()
        planDisk()
    }

    /// Clients that begin to listen at some time, and leave.
    private func planClients() {
        for _ in 0..<origin.draw(0...2) {
            at(time()) { [self] in watch() }
        }
    }

    private func planKills(_ end: Ledger.End) {
        for number in 0...origin.draw(0...2) {
            // The first one is expected anyway.
            if end == .powerCut, number > 0 { disk.cutsToCome += 1 }
            let steps = origin.draw(0...40)
            at(time()) { [self] in
                // Between any two steps, not only where nothing is due.
                proceed(steps: steps)
                if trace.violation == nil, !kill(end), end == .powerCut { disk.cutsToCome -= 1 }
            }
        }
    }

    /// Among the steps of a command that was just given.
    func killSoon(after hops: Int) {
        guard swarm.has(.kill) else { return }
        machine.schedule(at: machine.now, "kill") { [self] in
            guard hops == 0 else { return killSoon(after: hops - 1) }
            if trace.violation == nil, !machine.isHanging { kill(.kill) }
        }
    }

    private func planNetwork() {
        if swarm.has(.newVersion) {
            for path in origin.files.keys.sorted() {
                for _ in 0..<origin.draw(0...3) { at(time()) { [self] in origin.change(path) } }
            }
        }
        if swarm.has(.betterPath) {
            for _ in 0...origin.draw(0...2) {
                let losesOther = origin.draw(0...1) == 0
                at(time()) { [self] in network.changeRoute(losesOther: losesOther) }
            }
        }
        guard swarm.has(.pathLoss) || swarm.has(.expensivePath) else { return }
        for _ in 0...origin.draw(0...3) {
            let begin = time()
            let isUp = !swarm.has(.pathLoss) || (swarm.has(.expensivePath) && origin.draw(0...1) == 0)
            at(begin) { [self] in network.set(isUp: isUp, isExpensive: isUp) }
            at(begin + Double(origin.draw(1...60))) { [self] in network.set(isUp: true, isExpensive: false) }
        }
    }

    private func planDisk() {
        guard swarm.has(.fullDisk) || swarm.has(.readOnlyDisk) else { return }
        for _ in 0...origin.draw(0...2) {
            let begin = time()
            let isFull = swarm.has(.fullDisk) && (!swarm.has(.readOnlyDisk) || origin.draw(0...1) == 0)
            at(begin) { [self] in
                trace.met(isFull ? .fullDisk : .readOnlyDisk)
                trace.note(machine.now, isFull ? "disk full" : "disk read-only")
                if isFull { disk.isFull = true } else { disk.isReadOnly = true }
            }
            at(begin + Double(origin.draw(1...30))) { [self] in (disk.isFull, disk.isReadOnly) = (false, false) }
        }
    }
}
