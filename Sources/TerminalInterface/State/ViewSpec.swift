// SPDX-License-Identifier: MIT

import TransferControl

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

    /// The part of the queue that it shows; those of the configuration filter all of it.
    var listing: ListingView {
        switch self {
        case .all, .history, .log, .firstOwn, .secondOwn, .thirdOwn: .all
        case .active: .active
        case .problems: .problems
        case .done: .done
        }
    }

    /// `nil`: not counted here.
    func count(_ tally: Tally) -> Int? {
        switch self {
        case .all, .active, .problems, .done: listing.count(tally)
        case .history, .log, .firstOwn, .secondOwn, .thirdOwn: nil
        }
    }
}

extension ListOrder.Key {
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
