// SPDX-License-Identifier: MIT

import TransferModel

/// How often each fault, each transition of the table of states and everything else was reached.
struct Counters {
    /// Of the table of ``TransferModel/TransferState/canBecome(_:)``.
    struct Transition: Hashable {
        var from: TransferState
        var to: TransferState

        var name: String { "\(from.rawValue) → \(to.rawValue)" }
    }

    var faults: [Fault: Int] = [:]
    var transitions: [Transition: Int] = [:]
    var others: [String: Int] = [:]

    mutating func add(_ more: Counters) {
        faults.merge(more.faults, uniquingKeysWith: +)
        transitions.merge(more.transitions, uniquingKeysWith: +)
        others.merge(more.others, uniquingKeysWith: +)
    }

    /// All that a long run has to reach, and whatever else was reached; a fault or transition that was not has 0.
    var table: [(name: String, count: Int)] {
        var counts = others
        for name in Self.declared { counts[name] = counts[name] ?? 0 }
        for fault in Fault.allCases { counts["fault: \(fault.rawValue)"] = faults[fault] ?? 0 }
        for transition in Self.reachable { counts["state: \(transition.name)"] = 0 }
        for (transition, count) in transitions { counts["state: \(transition.name)"] = count }
        return counts.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    }

    /// Besides all faults and transitions.
    private static let declared =
        [
            "add without a reply", "another client", "command: at a name", "command: at an end",
            "command: while verifying", "completed download",
            "completed upload", "connections: several", "hold: process ended",
            "limits: changed",
            "network: down", "network: expensive", "network: up", "process: clean", "process: kill",
            "process: powerCut",
            "request: range", "response: 206", "several run", "upload: appended", "upload: broken", "upload: fileq",
            "upload: key repeated",
            "upload: put", "upload: queried", "upload: resumable stored", "upload: created by tus",
            "upload: created with content", "upload: queried by tus", "upload: removed by tus",
            "upload: appended by tus", "upload: refused offset by tus",
        ]
        + [
            "answer: right", "answer: wrong", "answer: decline", "answer: to no question", "answer: of two clients",
            "answer: beside a command", "answer: process ends soon", "login: stored", "key: stored",
            "question: login", "question: login, again", "question: trust", "question: another key",
            "question: decided",
            "cleared", "history: read", "dismissed: process ended", "undone: all as before",
            "undone: process ended", "rate: of a transfer", "rate: of all", "rate: of the timetable",
            "control: command", "control: reply", "control: reply lost", "control: connected again",
            "fetch: received", "fetch: sent", "fetch: handed over", "fetch: continued", "fetch: dropped",
            "fetch: recalled", "fetch: returned", "fetch: withdrawn", "fetch: cancelled", "named at once",
        ]
        + [
            "pause", "hold", "resume", "cancel", "move", "priority", "limit", "schedule", "relocate", "limits.set",
            "timetable.set", "dismiss",
        ].map { "undone: \($0)" }
        + [
            "cancel", "clear", "dismiss", "history", "undo", "hold", "hold all", "release", "limit", "move", "pause",
            "priority", "relocate", "remove", "resume", "retry", "schedule", "timetable",
        ].map { "command: \($0)" }

    private static var reachable: [Transition] {
        TransferState.allCases.flatMap { from in
            TransferState.allCases.filter { from.canBecome($0) }.map { Transition(from: from, to: $0) }
        }.filter { unreachable[$0] == nil && !rare.contains($0) }
    }

    /// Transitions that one seed of some thousand reaches: an exchange ends in the moment at which a command takes its
    /// transfer's slot.
    private static let rare: Set<Transition> = [
        .init(from: .queued, to: .verifying), .init(from: .queued, to: .completed), .init(from: .queued, to: .retrying),
        .init(from: .paused, to: .completed), .init(from: .paused, to: .failed),
    ]

    /// Transitions of the table that no event of a simulated queue reports, and why.
    static let unreachable: [Transition: String] = [
        .init(from: .retrying, to: .waiting): "a transfer that waits for its next attempt has no task to wait with",
        .init(from: .paused, to: .running): "a transfer that is resumed is queued first, and reported so",
        .init(from: .paused, to: .verifying):
            "a download that is paused stays so, and the end of an upload is reported when it is stored",
        .init(from: .queued, to: .failed):
            "only one whose request cannot be read from the store, or during which the program crashed",
        .init(from: .retrying, to: .failed): "as queued: the next attempt begins, and is reported, before it can fail",
    ]
}
