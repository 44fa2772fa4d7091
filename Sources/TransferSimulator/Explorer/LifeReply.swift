// SPDX-License-Identifier: MIT

import TransferService

/// Replies of executors, one byte each.
enum LifeReply: UInt8 {
    case none
    case ready, exists, isNamed, openFailed, openFailedForNow, openLacksSpace
    case waits, carries
    case whole, accepted, spared, stopped, failed, failedForNow, otherAddress, lacksSpace, asks
    case moved, notMoved
    case right, wrong, wrongHere
    case durable, lost, unrecorded
    case named, nameSpared, refused, takesOtherName, nameNotDurable
    case committed, notCommitted
    case removed
    case started, fetched, sent, handedOver, unfetched, unfetchedForNow, stockLacksSpace, returned, unfit

    var event: Life.Event {
        switch self {
        case .none: preconditionFailure("no reply")
        case .ready: .opened(.ready)
        case .exists: .opened(.exists)
        case .isNamed: .opened(.isNamed)
        case .openFailed: .opened(.failed(.end))
        case .openFailedForNow: .opened(.failed(.retry(after: 1)))
        case .openLacksSpace: .opened(.failed(.space))
        case .waits: .waits
        case .carries: .carries
        case .whole: .attemptEnded(.whole)
        case .accepted: .attemptEnded(.accepted)
        case .spared: .attemptEnded(.spared)
        case .stopped: .attemptEnded(.stopped)
        case .failed: .attemptEnded(.failed(.end))
        case .failedForNow: .attemptEnded(.failed(.retry(after: 1)))
        case .otherAddress: .attemptEnded(.failed(.again(after: 1)))
        case .lacksSpace: .attemptEnded(.failed(.space))
        case .asks: .attemptEnded(.failed(.asks))
        case .moved: .copied(isMoved: true)
        case .notMoved: .copied(isMoved: false)
        case .right: .digested(nil)
        case .wrong: .digested(.end)
        case .wrongHere: .digested(.again(after: 1))
        case .durable: .secured(.durable)
        case .lost: .secured(.lost)
        case .unrecorded: .secured(.unrecorded)
        case .named: .named(.named)
        case .nameSpared: .named(.spared)
        case .refused: .named(.refused)
        case .takesOtherName: .named(.takesOtherName)
        case .nameNotDurable: .named(.notDurable)
        case .committed: .committed(isDurable: true)
        case .notCommitted: .committed(isDurable: false)
        case .removed: .removed
        case .started: .started
        case .fetched: .fetched
        case .sent: .sent
        case .handedOver: .handedOver
        case .unfetched: .unfetched(.end)
        case .unfetchedForNow: .unfetched(.retry(after: 1))
        case .stockLacksSpace: .unfetched(.space)
        case .returned: .returned(isPlain: true)
        case .unfit: .returned(isPlain: false)
        }
    }

    var isReport: Bool { self == .waits || self == .carries || self == .started }

    /// One of each operation, and the reports.
    static let samples: [(event: Life.Event, op: Life.Op?)] = [
        LifeReply.ready, .whole, .waits, .carries, .moved, .right, .durable, .named, .committed, .removed, .started,
        .fetched, .sent, .handedOver, .unfit,
    ].map { ($0.event, $0.event.op) }
}

/// Replies under way to the engine, in order; at most three.
struct LifeMailbox {
    private(set) var replies: (LifeReply, LifeReply, LifeReply) = (.none, .none, .none)

    var first: LifeReply? { replies.0 == .none ? nil : replies.0 }
    var isEmpty: Bool { replies.0 == .none }
    /// Whether another report leaves room for the reply behind it.
    var takesReport: Bool { replies.1 == .none && !hasReply }
    /// The last of them ends its operation.
    var hasReply: Bool {
        let last = replies.2 != .none ? replies.2 : replies.1 != .none ? replies.1 : replies.0
        return last != .none && !last.isReport
    }
    func has(_ reply: LifeReply) -> Bool { replies.0 == reply || replies.1 == reply || replies.2 == reply }

    mutating func post(_ reply: LifeReply) {
        if replies.0 == .none {
            replies.0 = reply
        } else if replies.1 == .none {
            replies.1 = reply
        } else {
            replies.2 = reply
        }
    }

    mutating func take() -> LifeReply {
        defer { replies = (replies.1, replies.2, .none) }
        return replies.0
    }

    mutating func clear() { replies = (.none, .none, .none) }
}
