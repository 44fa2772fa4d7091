// SPDX-License-Identifier: MIT

import Testing
import TransferControl
import TransferModel
import TransferTesting

@testable import TerminalInterface
@testable import fileq

struct TallyTests {
    @Test func showsTheTimeOnlyIfKnown() {
        var down = Samples.transfer(1, .running, bytes: 50, total: 150)
        down.edit { $0.rate = 10 }
        var tally = TransferControl.Tally()
        tally.add(down)
        #expect(tally.knownLeft == 10 && tally.fraction == 1.0 / 3)
        tally.add(Samples.transfer(2, .queued))
        #expect(tally.knownLeft == 10 && tally.unknownSizes == 1)
        tally.remove(Samples.transfer(2, .queued))
        tally.add(Samples.transfer(3, .queued, kind: .upload, total: 10))
        #expect(tally.knownLeft == nil && tally.leastLeft == 10, "an upload that does not move takes some time, too")
        tally.remove(Samples.transfer(3, .queued, kind: .upload, total: 10))
        tally.add(Samples.transfer(4, .paused, total: 1_000_000))
        #expect(tally.knownLeft == 10)
    }

    @Test func theTotalTakesNoLessTimeThanOneTransfer() {
        func running(_ id: Int, _ rate: Double, _ eta: Double) -> Transfer {
            Samples.transfer(id, .running, bytes: 50, total: 150).edited { ($0.rate, $0.eta) = (rate, eta) }
        }
        var tally = TransferControl.Tally()
        tally.add(running(1, 100, 1))
        tally.add(running(2, 1, 100))
        #expect(tally.knownLeft == 100)
        // The new one comes before the old one goes.
        tally.add(running(2, 2, 50))
        tally.remove(running(2, 1, 100))
        tally.add(running(3, 2, 50))
        tally.remove(running(3, 2, 50))
        #expect(tally.knownLeft == 50)
        tally.add(running(4, 1, .nan))
        tally.remove(running(2, 2, 50))
        #expect((tally.knownLeft ?? 0) < 3)
    }
}

struct ViewportTests {
    @Test(arguments: [
        (0, 0, 5, 10, 0), (3, 0, 5, 10, 0), (0, 9, 100, 10, 2), (0, 7, 100, 10, 0), (0, 99, 100, 10, 90),
        (50, 50, 100, 10, 48),
        (50, 59, 100, 10, 52), (95, 99, 100, 10, 90), (0, 1, 2, 1, 1), (0, 5, 10, 2, 4),
    ])
    func top(_ top: Int, _ selected: Int, _ count: Int, _ height: Int, _ expected: Int) {
        #expect(Viewport.top(top, selected: selected, count: count, height: height) == expected)
    }
}
