// SPDX-License-Identifier: MIT

import SessionCore
import TransferModel
import TransferTesting

/// The way to all servers: up, down or expensive.
final class Network: @unchecked Sendable {  // Used on one thread.
    let machine: Machine
    let origin: Origin
    /// Rises with each process: what an earlier one began has no effect any more.
    var life = 0
    weak var transport: SimulatedTransport?
    /// The client wants to send a request, and does.
    var wanted: (Exchange) -> Void = { _ in }
    var sending: (Exchange) -> Void = { _ in }
    /// Bytes of this path moved.
    var moved: (String) -> Void = { _ in }
    /// An exchange for this path is about to end.
    var ending: (String) -> Void = { _ in }
    private(set) var monitor = SimulatedPathMonitor()
    private(set) var isUp = true
    private var isExpensive = false

    init(_ machine: Machine, _ origin: Origin) { (self.machine, self.origin) = (machine, origin) }

    func begin() {
        life += 1
        monitor = SimulatedPathMonitor(path)
    }

    /// The process is gone: nothing reaches what it left in memory.
    func end() {
        monitor = SimulatedPathMonitor()
        transport?.abandon()
        transport = nil
    }

    private var path: NetworkPath {
        isUp
            ? FakePathMonitor.through(NetworkInterface(name: "eth0", kind: .wired, isExpensive: isExpensive))
            : FakePathMonitor.none
    }

    func set(isUp: Bool, isExpensive: Bool) {
        guard (isUp, isExpensive) != (self.isUp, self.isExpensive) else { return }
        let (was, cost) = (self.isUp, self.isExpensive)
        (self.isUp, self.isExpensive) = (isUp, isExpensive)
        machine.trace.note(machine.now, "network: \(isUp ? isExpensive ? "expensive" : "up" : "down")")
        machine.trace.sometimes("network: \(isUp ? isExpensive ? "expensive" : "up" : "down")")
        if !isUp { machine.trace.met(.pathLoss) } else if isExpensive { machine.trace.met(.expensivePath) }
        monitor.path = path
        var change = PathChange()
        if isUp, !was { change.available = ["eth0"] }
        if !isUp, was { change.lost = ["eth0"] }
        change.hasNewCosts = cost != isExpensive
        if !isUp, was { transport?.losePath() }
        monitor.fire(change)
    }
}
