// SPDX-License-Identifier: MIT

/// The process that keeps a queue for others.
public struct ServiceStatus: Sendable, Hashable, Codable {
    public var pid: Int32
    /// Of the program.
    public var version: String
    /// Of the conversation; see docs/Control.md.
    public var `protocol`: Int
    /// Path of the socket; `nil` where another process opened it.
    public var socket: String?
    /// Seconds since 1970.
    public var startedAt: Double
    /// Connections, the one that asks included.
    public var clients: Int
    /// How many transfers are in each `TransferState`, by its raw value; states without any are left out.
    public var transfers: [String: Int]
    /// In force now, the timetable's rates included; `nil` from an older service.
    public var limits: QueueLimits?
    /// `nil` where the service has none, or is older.
    public var configuration: ServiceConfiguration?

    public init(
        pid: Int32, version: String, protocol: Int, socket: String?, startedAt: Double, clients: Int,
        transfers: [String: Int], limits: QueueLimits? = nil, configuration: ServiceConfiguration? = nil
    ) {
        self.pid = pid
        self.version = version
        self.protocol = `protocol`
        self.socket = socket
        self.startedAt = startedAt
        self.clients = clients
        self.transfers = transfers
        self.limits = limits
        self.configuration = configuration
    }
}
