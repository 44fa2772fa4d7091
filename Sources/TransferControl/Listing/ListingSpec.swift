// SPDX-License-Identifier: MIT

package import TransferModel

/// The part of the queue that a list shows.
package enum ListingView: String, Sendable, Hashable, Codable, CaseIterable {
    case all
    /// All, by state, the finished ones in a group of their own.
    case now
    case active, problems
    /// Paused or queued.
    case held
    case done

    package func contains(_ transfer: Transfer) -> Bool {
        switch self {
        case .all, .now: true
        case .held: transfer.state == .queued || transfer.state == .paused && !transfer.isProblem
        case .active: transfer.state == .running || transfer.state == .verifying
        case .problems: transfer.isProblem
        case .done: transfer.state == .completed || transfer.state == .cancelled
        }
    }

    /// How many of all are in it; of ``now``, how many have not finished.
    package func count(_ tally: Tally) -> Int {
        switch self {
        case .all: tally.count
        case .now: tally.count - Self.done.count(tally)
        // Those that are paused for a reason are problems.
        case .held:
            tally[.queued] + tally[.paused] + tally[.waiting] + tally[.retrying] + tally[.failed] - tally.problems
        case .active: tally[.running] + tally[.verifying]
        case .problems: tally.problems
        case .done: tally[.completed] + tally[.cancelled]
        }
    }
}

extension Transfer {
    /// Whether it does not progress for a reason that the user may want to know.
    package var isProblem: Bool {
        switch state {
        case .waiting, .retrying, .failed: true
        case .paused: question != nil || error != nil
        case .queued, .running, .verifying, .completed, .cancelled: false
        }
    }
}

/// Which transfers a list has, in which order, and in which groups.
package struct ListingSpec: Hashable, Sendable {
    package var view = ListingView.all
    /// As typed; a transfer of the list matches all of them. See ``ListFilter``.
    package var filters: [String] = []
    /// `nil`: the order of the queue.
    package var order: ListOrder?
    /// `nil`: the list has no groups.
    package var grouping: Grouping?
    /// Groups whose members are hidden; of batches, those whose members are not.
    package var folded: Set<String> = []
    /// Shown as `~` in the names of groups.
    package var home: String?
    /// Filters whose matches in the whole queue are counted.
    package var counted: [String] = []

    package init() {}

    /// The group of what has finished in ``ListingView/now``: the last one. All others are in batches, or in a group
    /// without a heading, unless there is a ``grouping``.
    package static let finished = "\u{10ffff}"

    /// The order in force.
    var sorting: ListOrder? { order ?? (view == .now ? ListOrder(key: .state) : nil) }

    var isGrouped: Bool { grouping != nil || view == .now }

    /// The name of the group of a transfer; `nil`: the list has no groups.
    /// - Parameter isOpen: whether it counts as unfinished.
    func group(of transfer: Transfer, isOpen: Bool) -> String? {
        // A member of a batch stays in it when it has finished.
        if grouping == .batch, transfer.batch != nil { return grouping?.key(of: transfer, home: home) }
        if view == .now, !isOpen, ListingView.done.contains(transfer) { return Self.finished }
        return grouping?.key(of: transfer, home: home) ?? (view == .now ? "" : nil)
    }

    /// The most filters that are counted.
    package static let mostCounted = 8
    /// Limits on the filters of a client's list, since each changed transfer is compared with all of them.
    package static let mostFilters = 8, mostFilterBytes = 4096

    /// - Throws: code `usage` for a filter with a mistake, and for too many or too long ones.
    package func check() throws(TransferError) {
        guard counted.count <= Self.mostCounted else {
            throw TransferError(ParameterProblem(nil, .countedFilters, upTo: Self.mostCounted))
        }
        guard filters.count <= Self.mostFilters else {
            throw TransferError(ParameterProblem(nil, .filters, upTo: Self.mostFilters))
        }
        let texts = filters + counted
        guard texts.reduce(0, { $0 + $1.utf8.count }) <= Self.mostFilterBytes else {
            throw TransferError(ParameterProblem(nil, .filterBytes, upTo: Self.mostFilterBytes))
        }
        for text in texts {
            if let error = ListFilter(text, now: 0).error { throw error }
        }
    }
}
