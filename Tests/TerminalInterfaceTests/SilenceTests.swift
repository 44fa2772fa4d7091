// SPDX-License-Identifier: MIT

import Testing
import TransferControl
import TransferModel
import TransferTesting

@testable import TerminalInterface

struct SilenceTests {
    /// As the service reports it, not from when the screen was opened.
    @Test func silenceCountsFromTheLastByte() {
        var silent = Samples.transfer(1, .running, bytes: 5, total: 10)
        silent.edit { ($0.rate, $0.silentSince) = (0, 880) }
        for isNew in [true, false] {
            var state = Samples.state(isNew ? [silent] : [Samples.transfer(1, .running, bytes: 5, total: 10)])
            state.now = 1000
            func receive(_ transfer: Transfer) {
                state.receive(.events([TransferEvent(time: 1000, name: .progress, transfer: transfer)]))
            }
            if !isNew { receive(silent) }
            #expect(RowText(silent, state.surroundings)?.texts.first == "no data 2:00")
            let moving = Samples.transfer(1, .running, bytes: 6, total: 10)
            receive(moving)
            #expect(RowText(moving, state.surroundings) == nil)
        }
    }
}
