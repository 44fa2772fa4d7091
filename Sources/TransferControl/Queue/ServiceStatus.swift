// SPDX-License-Identifier: MIT

/// The process of a service.
package struct ServiceStatus: Sendable, Hashable, Codable {
    package var pid: Int32
    /// The program's version.
    package var version: String
    /// The protocol's version; see docs/Control.md.
    package var `protocol`: Int
    /// Path of the socket; `nil` if it was inherited.
    package var socket: String?
    /// Seconds since 1970.
    package var startedAt: Double
    /// Connections, including this one.
    package var clients: Int
    /// The number of transfers in each `TransferState`, by raw value; omits empty states.
    package var transfers: [String: Int]
    /// In force now, including the timetable; `nil` from an older service.
    package var limits: QueueLimits?
    /// `nil` if the service has none, or is older.
    package var configuration: ServiceConfiguration?

    package init(
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
