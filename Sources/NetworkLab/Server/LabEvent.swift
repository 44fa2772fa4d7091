// SPDX-License-Identifier: MIT

/// Something that a client did, or that was done to it; for a log that people read.
public struct LabEvent: Sendable, Hashable {
    /// Of the connection, from 1.
    public var connection: Int
    /// Seconds since the server or the link started.
    public var seconds: Double
    /// Holds what a client sent: clean it before a terminal sees it.
    public var text: String
}
