// SPDX-License-Identifier: MIT

import Dispatch
import Synchronization

/// Reads files that the user names, for a thread that others need: the file system of each may hang.
enum PromptRead {
    private static let queue = DispatchQueue(label: "fileq.user-files", attributes: .concurrent)
    /// Paths of calls that have not returned in time.
    private static let hanging = Mutex<Set<String>>([])

    private final class Call<Value: Sendable>: Sendable {
        let state = Mutex<(value: Value?, isLate: Bool)>((nil, false))
        let end = DispatchSemaphore(value: 0)
    }

    /// - Parameter patience: in seconds; as long as the call lasts after that, further ones for the path fail at once.
    /// - Returns: `nil` if the file system does not respond.
    static func value<Value: Sendable>(
        of path: String, patience: Double = 3, _ read: @escaping @Sendable () -> Value
    ) -> Value? {
        guard !hanging.withLock({ $0.contains(path) }) else { return nil }
        let call = Call<Value>()
        queue.async {
            let value = read()
            call.state.withLock { state in
                state.value = value
                if state.isLate { hanging.withLock { _ = $0.remove(path) } }
            }
            call.end.signal()
        }
        _ = call.end.wait(timeout: .now() + patience)
        return call.state.withLock { state in
            state.isLate = state.value == nil
            if state.isLate { hanging.withLock { _ = $0.insert(path) } }
            return state.value
        }
    }
}
