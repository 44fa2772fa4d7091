// SPDX-License-Identifier: MIT

/// The known cost of each interface, and pending queries. No I/O.
struct CostCache: Sendable, Hashable {
    /// A source is available; without, nothing is ever pending.
    var isSourceThere = false
    /// Inner `nil`: queried, but unknown.
    private var answers: [Int32: Bool?] = [:]

    /// `nil`: unknown, which allows everything.
    func isMetered(_ index: Int32) -> Bool? { answers[index] ?? nil }

    func isPending(_ index: Int32) -> Bool { isSourceThere && answers[index] == nil }

    /// An interface that reappears may be in another network.
    mutating func keep(only indices: Set<Int32>) { answers = answers.filter { indices.contains($0.key) } }

    /// - Returns: whether any known cost has changed.
    mutating func record(_ metered: Bool?, of index: Int32) -> Bool {
        defer { answers[index] = .some(metered) }
        return answers[index] != .some(metered)
    }
}
