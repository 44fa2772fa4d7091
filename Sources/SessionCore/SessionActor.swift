// SPDX-License-Identifier: MIT

import Synchronization
import TransferModel

/// What a session decides with, beside the tasks themselves. On the transport's executor, as they are: a task enters
/// the gate, the waiting room and the deadlines by calls that neither wait nor lock.
actor SessionActor {
    nonisolated let executor: any TransportExecutor
    var gate: ExchangeGate
    var waitingRoom = WaitingRoom()
    var deadlines = DeadlineTable()
    /// Certificates that a delegate has seen and found right, by host and port.
    var approvedLeaves: [String: Set<[UInt8]>] = [:]
    /// By host and port.
    var identities: [String: ClientIdentity] = [:]
    /// At which a host was met last.
    var addresses: [String: HostAddress] = [:]
    /// When another path became the better one: connections made before are not used again.
    var pathChangedAt: Double?
    var observation: PathObservation?
    var isObservationDue = false
    /// By host, when an exchange with it failed last.
    var failedAt: [String: Double] = [:]
    /// By host, since the network changed last.
    var sourceAddresses: [String: HostAddress] = [:]
    /// From which the system sends to the peers of streams, as far as known.
    var streamSources: [Int: HostAddress] = [:]

    init(executor: any TransportExecutor, gate: ExchangeGate) {
        self.executor = executor
        self.gate = gate
    }

    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }
}
