// SPDX-License-Identifier: MIT

import Synchronization

/// The reply to one question. Thread-safe.
///
/// Called like a function. The first reply counts, later ones are ignored; if the last reference is released without
/// one, the default is used. So the asker gets exactly one reply, even if a delegate forgets it.
package final class OneAnswer<Value: Sendable>: Sendable {
    private let waiting: Mutex<(@Sendable (Value) -> Void)?>
    private let defaultValue: Value

    /// - Parameters:
    ///   - defaultValue: the default reply.
    ///   - receive: called exactly once, on the thread that replies or releases the last reference.
    package init(default defaultValue: Value, _ receive: @escaping @Sendable (Value) -> Void) {
        self.defaultValue = defaultValue
        waiting = Mutex(receive)
    }

    deinit { callAsFunction(defaultValue) }

    package func callAsFunction(_ value: Value) {
        let receive = waiting.withLock { waiting in
            defer { waiting = nil }
            return waiting
        }
        receive?(value)
    }
}
