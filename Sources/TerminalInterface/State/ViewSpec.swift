// SPDX-License-Identifier: MIT

import TransferControl
import TransferModel

/// The views of the queue, each with a key and a count.
package enum QueueView: Int, Sendable, CaseIterable {
    case now = 1, all, problems, held, done, history, log
    /// Those of the configuration; see ``OwnView``.
    case firstOwn, secondOwn, thirdOwn

    /// Its place among those of the configuration; `nil` for all others.
    var ownPlace: Int? { rawValue > Self.log.rawValue ? rawValue - Self.firstOwn.rawValue : nil }

    /// Whether it shows something else than the queue.
    var hasOwnList: Bool { self == .history || self == .log }

    var title: String {
        switch self {
        case .now: "Now"
        case .all: "All"
        case .problems: "Problems"
        case .held: "Held"
        case .done: "Done"
        case .history: "History"
        case .log: "Log"
        case .firstOwn, .secondOwn, .thirdOwn: "Own"
        }
    }

    /// The first whose title is, or else begins with, a name, ignoring case.
    package static func named(_ name: String, own: [OwnView]) -> QueueView? {
        let titles = titles(own: own).map { (view: $0.view, title: $0.title.lowercased()) }
        let name = name.lowercased()
        guard !name.isEmpty else { return nil }
        return (titles.first { $0.title == name } ?? titles.first { $0.title.hasPrefix(name) })?.view
    }

    /// The views that exist.
    package static func titles(own: [OwnView]) -> [(view: QueueView, title: String)] {
        allCases.compactMap { view in
            guard let place = view.ownPlace else { return (view, view.title) }
            return own.indices.contains(place) ? (view, own[place].title) : nil
        }
    }

    /// What shows it.
    var action: Action.Name {
        switch self {
        case .now: .viewNow
        case .all: .viewAll
        case .problems: .viewProblems
        case .held: .viewHeld
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
        case .now: .now
        case .all, .history, .log, .firstOwn, .secondOwn, .thirdOwn: .all
        case .problems: .problems
        case .held: .held
        case .done: .done
        }
    }

    /// `nil`: not counted here.
    func count(_ tally: Tally) -> Int? { hasOwnList || ownPlace != nil ? nil : listing.count(tally) }

    /// Of those that show a part of the queue, the one that says most about a transfer.
    static func showing(_ transfer: Transfer) -> QueueView {
        [.done, .problems, .held].first { $0.listing.contains(transfer) } ?? .now
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
        case .state: "e"
        }
    }
}
