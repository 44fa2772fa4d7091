// SPDX-License-Identifier: MIT

import TransferModel

/// The views of the queue, each with a key and a count.
enum QueueView: Int, Sendable, CaseIterable {
    case all = 1, active, problems, done, history, log
    /// Those of the configuration; see ``OwnView``.
    case firstOwn, secondOwn, thirdOwn

    /// Its place among those of the configuration; `nil` for all others.
    var ownPlace: Int? { rawValue > Self.log.rawValue ? rawValue - Self.firstOwn.rawValue : nil }

    /// Whether it shows something else than the queue.
    var hasOwnList: Bool { self == .history || self == .log }

    var title: String {
        switch self {
        case .all: "All"
        case .active: "Active"
        case .problems: "Problems"
        case .done: "Done"
        case .history: "History"
        case .log: "Log"
        case .firstOwn, .secondOwn, .thirdOwn: "Own"
        }
    }

    /// What shows it.
    var action: Action.Name {
        switch self {
        case .all: .viewAll
        case .active: .viewActive
        case .problems: .viewProblems
        case .done: .viewDone
        case .history: .viewHistory
        case .log: .viewLog
        case .firstOwn: .viewFirstOwn
        case .secondOwn: .viewSecondOwn
        case .thirdOwn: .viewThirdOwn
        }
    }

    /// Not of the configuration: see ``InterfaceState/contains(_:_:)``.
    func contains(_ transfer: Transfer) -> Bool {
        switch self {
        case .all: true
        case .active: transfer.state == .running || transfer.state == .verifying
        case .problems: Self.isProblem(transfer)
        case .done: transfer.state == .completed || transfer.state == .cancelled
        case .history, .log, .firstOwn, .secondOwn, .thirdOwn: false
        }
    }

    /// Whether it does not progress for a reason that the user may want to know.
    static func isProblem(_ transfer: Transfer) -> Bool {
        switch transfer.state {
        case .waiting, .retrying, .failed: true
        case .paused: transfer.question != nil || transfer.error != nil
        case .queued, .running, .verifying, .completed, .cancelled: false
        }
    }

    /// `nil`: not counted here.
    func count(_ tally: Tally) -> Int? {
        switch self {
        case .all: tally.count
        case .active: tally[.running] + tally[.verifying]
        case .problems: tally.problems
        case .done: tally[.completed] + tally[.cancelled]
        case .history, .log, .firstOwn, .secondOwn, .thirdOwn: nil
        }
    }
}

/// The order of a list; without one, that of the queue.
struct ListOrder: Hashable, Sendable {
    enum Key: String, Sendable, CaseIterable {
        case name, server, size, done, rate, left, added

        /// Pressed after `s`.
        var letter: Unicode.Scalar {
            switch self {
            case .name: "n"
            case .server: "v"
            case .size: "z"
            case .done: "d"
            case .rate: "r"
            case .left: "t"
            case .added: "a"
            }
        }
    }

    var key: Key
    var isReversed = false

    /// Whether the least comes first, as an arrow in the headings shows.
    var isAscending: Bool {
        switch key {
        case .name, .server, .left: !isReversed
        case .size, .done, .rate, .added: isReversed
        }
    }

    /// `transfers` in this order; equal ones stay in the order of the queue.
    func sorted(_ transfers: [Transfer]) -> [TransferID] {
        switch key {
        case .name: sorted(transfers) { DisplayName.of($0).lowercased() }
        case .server: sorted(transfers) { DisplayName.server(of: $0) ?? "" }
        // The largest first: that is what one looks for.
        case .size: sorted(transfers) { -($0.total ?? -1) }
        case .done: sorted(transfers) { -($0.state == .completed ? 1 : $0.fraction ?? -1) }
        case .rate: sorted(transfers) { -($0.rate ?? -1) }
        case .left: sorted(transfers) { $0.eta ?? .infinity }
        case .added: sorted(transfers) { -$0.addedAt }
        }
    }

    private func sorted<Value: Comparable>(_ transfers: [Transfer], by value: (Transfer) -> Value) -> [TransferID] {
        let keyed = transfers.enumerated().map { (value: value($0.element), place: $0.offset, id: $0.element.id) }
        let ordered = keyed.sorted { left, right in
            if left.value != right.value { return isReversed ? left.value > right.value : left.value < right.value }
            return left.place < right.place
        }
        return ordered.map(\.id)
    }
}
