// SPDX-License-Identifier: MIT

import Foundation

/// Work that blocks, kept away from the threads that all tests share.
func offPool<Result: Sendable>(_ work: @escaping @Sendable () -> Result) async -> Result {
    await withCheckedContinuation { continuation in
        Thread.detachNewThread { continuation.resume(returning: work()) }
    }
}
