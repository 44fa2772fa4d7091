// SPDX-License-Identifier: MIT

/// What stands behind a ``ControlServer``.
public protocol ControlHandler: Sendable {
    /// The queue that clients talk about. Its errors travel to them as they are.
    var queue: any QueueClient { get }

    /// A client asked the service to end. Called on any thread, after the client was told yes; the process then ends in order:
    /// first the queue, so that listeners hear the last changes, then ``ControlServer/shutDown()``.
    func shutDownRequested()
}
