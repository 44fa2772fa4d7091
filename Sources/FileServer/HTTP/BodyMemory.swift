// SPDX-License-Identifier: MIT

import Synchronization

/// The memory of large bodies that are made in memory, such as listings, until their clients have received them.
final class BodyMemory: Sendable {
    /// The bytes of one body.
    final class Share: Sendable {
        private let memory: BodyMemory
        private let bytes: Mutex<Int>

        fileprivate init(_ bytes: Int, of memory: BodyMemory) {
            self.memory = memory
            self.bytes = Mutex(bytes)
        }

        deinit { end() }

        /// The body is gone. May be called again.
        func end() {
            let rest = bytes.withLock { bytes in
                defer { bytes = 0 }
                return bytes
            }
            memory.used.withLock { $0 -= rest }
        }
    }

    private let limit: Int
    private let used = Mutex(0)

    /// - Parameter limit: bytes.
    init(limit: Int) { self.limit = limit }

    /// Bytes in use.
    var taken: Int { used.withLock { $0 } }

    /// - Returns: `nil` if there is no room. One body alone always has it.
    func take(_ bytes: Int) -> Share? {
        let isTaken = used.withLock { used in
            guard used == 0 || used + bytes <= limit else { return false }
            used += bytes
            return true
        }
        return isTaken ? Share(bytes, of: self) : nil
    }
}
