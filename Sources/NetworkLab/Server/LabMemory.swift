// SPDX-License-Identifier: MIT

import Synchronization

/// How often each target had its fault, to implement `times=`.
final class LabMemory: Sendable {
    private let strikes = Mutex<[String: Int]>([:])
    private let capacity: Int

    init(capacity: Int = 4096) { self.capacity = capacity }

    /// Counts one request.
    /// - Returns: whether the fault still applies. Beyond the capacity, all targets are reset.
    func strikes(_ target: String, times: Int) -> Bool {
        strikes.withLock { strikes in
            let count = strikes[target, default: 0]
            guard count < times else { return false }
            if count == 0, strikes.count >= capacity { strikes.removeAll() }
            strikes[target] = count + 1
            return true
        }
    }
}
