// SPDX-License-Identifier: MIT

import Synchronization

/// How many have come so far, from any thread.
final class Arrivals: Sendable {
    private let guarded = Mutex(0)

    var count: Int { guarded.withLock { $0 } }
    func arrive() { guarded.withLock { $0 += 1 } }
}
