// SPDX-License-Identifier: MIT

import Synchronization
import TransferModel

/// The shared state of a session's tasks. It is isolated to the transport's executor, as the tasks are: a task uses the
/// gate, the waiting tasks and the deadlines without waiting or locking.
actor SessionActor {
    nonisolated let executor: any TransportExecutor
    var gate: ExchangeGate
    var waitingTasks = WaitingTasks()
    var deadlines = DeadlineTable()
    /// Server certificates that a delegate has accepted, by host and port.
    var approvedLeaves: [String: Set<[UInt8]>] = [:]
    /// Client identities that delegates have chosen, by host and port.
    var identities: [String: ClientIdentity] = [:]
    /// The last known address, by host.
    var addresses: [String: HostAddress] = [:]
    /// When another path became the better one: connections made before are not reused.
    var pathChangedAt: Double?
    var observation: PathObservation?
    var isObservationDue = false
    /// When an exchange with a host last failed, by host.
    var failedAt: [String: Double] = [:]
    /// Local addresses of connections, by host, since the last change of the network.
    var sourceAddresses: [String: HostAddress] = [:]
    var uploadSupport = UploadSupportTable()
    /// The local addresses of the streams' connections, as far as known.
    var streamSources: [Int: HostAddress] = [:]

    init(executor: any TransportExecutor, gate: ExchangeGate) {
        self.executor = executor
        self.gate = gate
    }

    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }
}
