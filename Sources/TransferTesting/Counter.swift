// SPDX-License-Identifier: MIT

import Synchronization

/// Counts from any thread.
public final class Counter: Sendable {
    private let value = Atomic<Int>(0)

    public init() {}

    public func add() { value.add(1, ordering: .relaxed) }
    public var count: Int { value.load(ordering: .relaxed) }
}
