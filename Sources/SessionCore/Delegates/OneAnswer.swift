// SPDX-License-Identifier: MIT

import Synchronization

/// The way back for one answer to one question. From any thread.
///
/// Called like a function. The first answer counts, later ones are ignored; where the last reference goes without one,
/// the default is given. So whoever asked hears exactly once, even from a delegate that forgot to answer.
public final class OneAnswer<Value: Sendable>: Sendable {
    private let waiting: Mutex<(@Sendable (Value) -> Void)?>
    private let defaultValue: Value

    /// - Parameters:
    ///   - defaultValue: the answer where none is given.
    ///   - receive: called exactly once, on the thread that answers or lets the last reference go.
    public init(default defaultValue: Value, _ receive: @escaping @Sendable (Value) -> Void) {
        self.defaultValue = defaultValue
        waiting = Mutex(receive)
    }

    deinit { callAsFunction(defaultValue) }

    public func callAsFunction(_ value: Value) {
        let receive = waiting.withLock { waiting in
            defer { waiting = nil }
            return waiting
        }
        receive?(value)
    }
}
