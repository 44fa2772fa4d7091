// SPDX-License-Identifier: MIT

/// Something that a client did, or that was done to it; for a log that people read.
package struct LabEvent: Sendable, Hashable {
    /// Of the connection, from 1.
    package var connection: Int
    /// Seconds since the server or the link started.
    package var seconds: Double
    /// Holds what a client sent: clean it before a terminal sees it.
    package var text: String
}
