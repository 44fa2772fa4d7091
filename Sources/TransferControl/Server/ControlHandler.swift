// SPDX-License-Identifier: MIT

/// What stands behind a ``ControlServer``.
public protocol ControlHandler: Sendable {
    /// The queue that clients talk about. Its errors travel to them as they are.
    var queue: any QueueClient { get }

    /// The limits in force now, with the timetable's rates; `nil`: those of the queue's snapshot.
    func limitsInForce() async -> QueueLimits?

    /// What the service has taken from its configuration file; `nil`: there is none to speak of.
    var configuration: ServiceConfiguration? { get }

    /// A client asked the service to end. Called on any thread, after the client was told yes; the process then ends in
    /// order: first the queue, so that listeners hear the last changes, then ``ControlServer/shutDown()``.
    func shutDownRequested()
}

extension ControlHandler {
    public func limitsInForce() async -> QueueLimits? { nil }
    public var configuration: ServiceConfiguration? { nil }
}
