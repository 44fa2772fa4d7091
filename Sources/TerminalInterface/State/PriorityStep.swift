// SPDX-License-Identifier: MIT

/// The priorities that keys go through.
package enum PriorityStep {
    private static let all: [(word: String, value: Double)] = [("low", 0.25), ("normal", 0.5), ("high", 0.75)]

    package static func word(_ priority: Double) -> String {
        all.first { $0.value == priority }?.word ?? String(priority)
    }

    /// The next one; `nil` at the end.
    static func next(_ priority: Double?, isUp: Bool) -> Double? {
        let now = priority ?? 0.5
        return isUp ? all.first { $0.value > now }?.value : all.last { $0.value < now }?.value
    }
}
