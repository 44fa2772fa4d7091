// SPDX-License-Identifier: MIT

import TransferControl
import TransferModel

/// How many transfers of a list are in which state, in words; nothing of states that none is in.
enum StateCounts {
    /// `6 active`, `2 ask`, `1 paused`, `3 queued`, `2 waiting`: what does not move by its cause.
    static func unfinished(_ tally: Tally) -> [String] {
        let waiting = tally[.waiting] + tally[.retrying]
        // Paused for a reason, that is a question or a full disk.
        let asking = tally.problems - waiting - tally[.failed]
        return texts([
            (tally[.running] + tally[.verifying], "active"), (asking, asking == 1 ? "asks" : "ask"),
            (waiting, "waiting"), (tally[.queued] - tally.scheduled, "queued"), (tally.scheduled, "scheduled"),
            (tally[.paused] - asking, "paused"),
        ])
    }

    static func texts(_ counts: [(Int, String)]) -> [String] { counts.filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" } }
}
