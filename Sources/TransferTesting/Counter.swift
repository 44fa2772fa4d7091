// SPDX-License-Identifier: MIT

import Synchronization

/// Counts from any thread.
package final class Counter: Sendable {
    private let value = Atomic<Int>(0)

    package init() {}

    package func add() { value.add(1, ordering: .relaxed) }
    package var count: Int { value.load(ordering: .relaxed) }
}
