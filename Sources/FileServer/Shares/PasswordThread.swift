// SPDX-License-Identifier: MIT

import Dispatch

/// Derives passwords on a thread of its own, one at a time: each takes some hundredths of a second of CPU, for which no
/// file must wait.
final class PasswordThread: Sendable {
    private let queue = DispatchQueue(label: "fileq.serve.passwords")
    private let gate = WorkGate(width: 1, mostWaiting: 64)

    /// - Throws: 503 if too many wait, or too long.
    func run<Result: Sendable>(_ work: @escaping @Sendable () throws -> Result) async throws -> Result {
        try await gate.run(atMost: .seconds(10)) {
            try await withCheckedThrowingContinuation { continuation in
                queue.async { continuation.resume(with: Swift.Result(catching: work)) }
            }
        }
    }
}
