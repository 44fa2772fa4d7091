// SPDX-License-Identifier: MIT

/// The process of a service.
public struct ServiceStatus: Sendable, Hashable, Codable {
    public var pid: Int32
    /// The program's version.
    public var version: String
    /// The protocol's version; see docs/Control.md.
    public var `protocol`: Int
    /// Path of the socket; `nil` if it was inherited.
    public var socket: String?
    /// Seconds since 1970.
    public var startedAt: Double
    /// Connections, including this one.
    public var clients: Int
    /// The number of transfers in each `TransferState`, by raw value; omits empty states.
    public var transfers: [String: Int]
    /// In force now, including the timetable; `nil` from an older service.
    public var limits: QueueLimits?
    /// `nil` if the service has none, or is older.
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
