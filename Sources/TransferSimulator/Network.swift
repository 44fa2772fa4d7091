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
    /// A request without a task begins for this path; whether another one for it is under way.
    var fetching: (String, Bool) -> Void = { _, _ in }
    /// A server has accepted the whole body of a request.
    var accepted: (Exchange) -> Void = { _ in }
    /// Bytes of this path moved.
    var moved: (String) -> Void = { _ in }
    var movedBelow: (String, SimulatedTransport) -> Void = { _, _ in }
    /// An exchange for this path is about to end.
    var ending: (String) -> Void = { _ in }
    private(set) var monitor = SimulatedPathMonitor()
    private(set) var isUp = true
    private var isExpensive = false
    /// Of two interfaces: the one that the system prefers, and new connections use.
    private(set) var route = 0

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
        guard isUp else { return FakePathMonitor.none }
        var path = FakePathMonitor.through(
            NetworkInterface(name: Self.names[route], kind: .wired, isExpensive: isExpensive))
        path.sourceAddress = HostAddress("10.0.\(route).1")
        return path
    }

    private static let names = ["eth0", "eth1"]

    /// The system prefers the other interface.
    /// - Parameter losesOther: what is connected by way of the one before is dead.
    func changeRoute(losesOther: Bool) {
        guard isUp else { return }
        let old = Self.names[route]
        route = 1 - route
        machine.trace.met(.betterPath)
        machine.trace.note(machine.now, "network: \(Self.names[route])\(losesOther ? ", without \(old)" : "")")
        monitor.path = path
        var change = PathChange()
        change.hasBetterPath = true
        change.available = [Self.names[route]]
        if losesOther {
            change.lost = [old]
            transport?.losePath(besides: route)
        }
        monitor.fire(change)
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
        if isUp, !was { change.available = [Self.names[route]] }
        if !isUp, was { change.lost = [Self.names[route]] }
        change.hasNewCosts = cost != isExpensive
        if !isUp, was { transport?.losePath() }
        monitor.fire(change)
    }
}
