// SPDX-License-Identifier: MIT

extension RunningExchange {
    /// Why a direction is blocked.
    struct Holds: OptionSet {
        let rawValue: UInt8
        /// Suspended by the caller.
        static let user = Holds(rawValue: 1)
        /// The body waits for its destination.
        static let decision = Holds(rawValue: 2)
        /// A rate limit is exhausted.
        static let rate = Holds(rawValue: 4)
        /// The output stream is full, or the input stream empty.
        static let stream = Holds(rawValue: 8)
        /// The buffer of a file behind a lane is full, or empty.
        static let file = Holds(rawValue: 16)
        /// The rest of the body waits for ``Exchange/gate``.
        static let gate = Holds(rawValue: 32)
    }
}
