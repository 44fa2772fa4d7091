// SPDX-License-Identifier: MIT

import Synchronization

/// A thread-safe counter.
package final class Counter: Sendable {
    private let value = Atomic<Int>(0)

    package init() {}

    package func add() { value.add(1, ordering: .relaxed) }
    package var count: Int { value.load(ordering: .relaxed) }
}
