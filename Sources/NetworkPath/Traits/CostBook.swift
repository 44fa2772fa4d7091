// SPDX-License-Identifier: MIT

/// What is known of the cost of each interface, and what is still being asked. Pure.
struct CostBook: Sendable, Hashable {
    /// Somebody can be asked here; without, nothing is ever pending.
    var isSourceThere = false
    /// `nil` inside: asked, and nothing is known.
    private var answers: [Int32: Bool?] = [:]

    /// `nil`: nothing is known, which allows everything.
    func isMetered(_ index: Int32) -> Bool? { answers[index] ?? nil }

    func isPending(_ index: Int32) -> Bool { isSourceThere && answers[index] == nil }

    /// An interface that went may come back in another network.
    mutating func keep(only indices: Set<Int32>) { answers = answers.filter { indices.contains($0.key) } }

    /// - Returns: whether anything is known now that was not, or is other than before.
    mutating func record(_ metered: Bool?, of index: Int32) -> Bool {
        defer { answers[index] = .some(metered) }
        return answers[index] != .some(metered)
    }
}
