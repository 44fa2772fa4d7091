// SPDX-License-Identifier: MIT

import TransferControl
import TransferModel

/// How many transfers of a list are in which state, in words; nothing of states that none is in.
enum StateCounts {
    /// `6 active`, `2 ask`, `2 waiting`, `3 queued`, `1 paused`: what does not move by its cause.
    /// - Parameter problemsFirst: before what is active.
    static func unfinished(_ tally: Tally, problemsFirst: Bool = false) -> [String] {
        let waiting = tally[.waiting] + tally[.retrying]
        // Paused for a reason, that is a question or a full disk.
        let asking = tally.problems - waiting - tally[.failed]
        let active = texts([(tally[.running] + tally[.verifying], "active")])
        let problems = texts([(asking, asking == 1 ? "asks" : "ask"), (waiting, "waiting")])
        let others = texts([
            (tally[.queued] - tally.scheduled, "queued"), (tally.scheduled, "scheduled"),
            (tally[.paused] - asking, "paused"),
        ])
        return (problemsFirst ? problems + active : active + problems) + others
    }

    static func texts(_ counts: [(Int, String)]) -> [String] { counts.filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" } }
}
