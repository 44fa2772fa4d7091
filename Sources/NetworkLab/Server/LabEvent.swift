// SPDX-License-Identifier: MIT

/// An event of a client or connection, for a log.
package struct LabEvent: Sendable, Hashable {
    /// Of the connection, from 1.
    package var connection: Int
    /// Seconds since the server or the link started.
    package var seconds: Double
    /// Contains client data: sanitize before printing.
    package var text: String
}
