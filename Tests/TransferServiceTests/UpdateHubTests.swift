// SPDX-License-Identifier: MIT

import Testing
import TransferControl
import TransferModel

@testable import TransferService

@Suite struct UpdateHubTests {
    /// A stream whose consumer has gone reports its end to a handler that was set in time only.
    @Test(arguments: [true, false]) func listenersThatHaveLeftAreForgotten(_ leavesBefore: Bool) {
        var hub = UpdateHub()
        var (stream, continuation): (AsyncStream<QueueUpdate>?, AsyncStream<QueueUpdate>.Continuation)
        (stream, continuation) = AsyncStream<QueueUpdate>.makeStream()
        #expect(stream != nil)
        if leavesBefore { stream = nil }
        _ = hub.add(continuation, first: QueueSnapshot(transfers: [], limits: QueueLimits()))
        #expect(hub.hasListeners != leavesBefore)
        stream = nil
        hub.post(.order([]))
        #expect(!hub.hasListeners)
    }
}
