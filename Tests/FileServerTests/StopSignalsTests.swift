// SPDX-License-Identifier: MIT

import Glibc
import Testing

@testable import FileServer

struct StopSignalsTests {
    @Test func theFirstStopsAndTheSecondEnds() {
        var signals = StopSignals()
        #expect(signals.receive(SIGINT, at: 100) == .stop)
        #expect(signals.receive(SIGINT, at: 100.5) == .end)
    }

    /// timeout(1) sends its signal to the process and to its group.
    @Test func theSameSignalWithinAMomentCountsOnce() {
        var signals = StopSignals()
        #expect(signals.receive(SIGTERM, at: 100) == .stop)
        #expect(signals.receive(SIGTERM, at: 100.1) == .ignore)
        #expect(signals.receive(SIGTERM, at: 100.3) == .end)
    }

    @Test func anotherSignalEndsImmediately() {
        var signals = StopSignals()
        #expect(signals.receive(SIGTERM, at: 100) == .stop)
        #expect(signals.receive(SIGINT, at: 100.1) == .end)
    }
}
