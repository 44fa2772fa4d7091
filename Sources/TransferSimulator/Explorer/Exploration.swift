// SPDX-License-Identifier: MIT

import Glibc
import TransferService

/// `TransferSimulator explore`: every state of a transfer's life, and every state of two with one file.
enum Exploration {
    private struct Course {
        var name: String
        var facts: Life.Facts = .syncs
        var kind: LifeWorld.Kind = []
        var budget = LifeWorld.Budget()
    }

    /// To their closure: any number of commands, faults and ends.
    private static let closures = [
        Course(name: "digest", facts: [.syncs, .hasDigest]), Course(name: "stream", facts: .isStream),
        Course(name: "upload", facts: [], kind: [.upload, .stock]),
        Course(name: "not synced", facts: [], kind: [.stock]), Course(name: "undo", kind: .undo),
        Course(name: "leases", kind: .leases), Course(name: "copies", kind: .copies),
        Course(name: "predecessors", facts: [.syncs, .isAfter], kind: .predecessors),
        Course(name: "deleting, holds, places", kind: [.discards, .holds, .places]),
        Course(name: "stock, deleting", kind: [.stock, .discards]),
        Course(name: "get", kind: [.local, .stock, .discards]),
    ]

    /// All families together, with power cuts.
    private static func everything(_ commands: UInt8, _ faults: UInt8, _ ends: UInt8) -> [Course] {
        let budget = LifeWorld.Budget(commands: commands, faults: faults, ends: ends)
        return [
            Course(name: "all", kind: .all, budget: budget),
            Course(name: "all, digest", facts: [.syncs, .hasDigest], kind: .all, budget: budget),
        ]
    }

    static let usage = "TransferSimulator explore [quick | table | bugs | bug NAME]"

    /// - Returns: the exit code of the program; `nil` if the arguments are not understood.
    static func run(_ words: [String]) -> Int32? {
        switch (words.first, words.dropFirst().first) {
        case (nil, _): return explore(closures + everything(2, 1, 1)) && explorePair(nil) ? 0 : 1
        case ("quick", nil): return explore([everything(1, 1, 1)[0]]) && explorePair(nil) ? 0 : 1
        case ("table", nil):
            table().forEach { print($0) }
            return 0
        case ("bugs", nil):
            let missed =
                LifeBug.allCases.filter { !isFound($0) }.map(\.rawValue)
                + LifePair.Bug.allCases.filter(explorePair).map(\.rawValue)
            print("not found: \(missed.joined(separator: " "))")
            return missed.isEmpty ? 0 : 1
        case ("bug", let name?):
            if let bug = LifeBug(rawValue: name) { return isFound(bug) ? 1 : 0 }
            return LifePair.Bug(rawValue: name).map { explorePair($0) ? 0 : 1 }
        default: return nil
        }
    }

    /// - Returns: whether no violation was found.
    private static func explore(_ courses: [Course], _ bug: LifeBug? = nil) -> Bool {
        for course in courses {
            var explorer = LifeExplorer<LifeWorld>(bug: bug)
            explorer.explore(LifeWorld(course.facts, course.kind, course.budget))
            guard report(course.name, explorer) else { return false }
        }
        return true
    }

    private static func explorePair(_ bug: LifePair.Bug?) -> Bool {
        var explorer = LifeExplorer<LifePair>(bug: bug)
        explorer.explore(LifePair())
        return report("two, one file" + (bug.map { ", \($0)" } ?? ""), explorer)
    }

    private static func isFound(_ bug: LifeBug) -> Bool {
        print("\(bug):")
        return !explore(everything(2, 1, 1) + [Course(name: "copies", kind: .copies)], bug)
    }

    private static func report(_ name: String, _ explorer: LifeExplorer<some Explorable>) -> Bool {
        defer { fflush(nil) }
        let end = explorer.isClosed ? "closed" : "not closed"
        print(
            "\(name): \(explorer.states) states, \(explorer.transitions) transitions, depth \(explorer.depth), \(end)")
        guard let (invariant, course) = explorer.violation else { return explorer.isClosed }
        print("violates \(invariant), after \(course.count) moves")
        for move in course { print("   \("\(move)".withoutModules)") }
        return false
    }

    // MARK: The table

    /// The transitions of docs/dev/Life.md: a line for each phase and event that changes something.
    static func table() -> [String] {
        let transitions = Transitions()
        let budget = LifeWorld.Budget(commands: 1, faults: 1, ends: 1)
        let others = [
            Course(name: "stream", facts: .isStream, budget: budget),
            Course(name: "upload", facts: [], kind: [.upload, .stock, .leases], budget: budget),
        ]
        for course in everything(1, 1, 1) + everything(2, 0, 0) + others {
            var explorer = LifeExplorer<LifeWorld>()
            explorer.observe = transitions.note
            explorer.explore(LifeWorld(course.facts, course.kind, course.budget))
        }
        return transitions.lines
    }

    private final class Transitions {
        private var found: [String: [String: Set<String>]] = [:]
        private var seen: Set<Seen> = []

        private struct Seen: Hashable {
            var event: Life.Event
            var old: Life.Phase
            var new: Life.Phase
        }

        func note(_ old: LifeWorld, _ move: LifeMove, _ new: LifeWorld) {
            let event: Life.Event
            switch move {
            case .happen(let happened, _): event = happened
            case .deliver: event = old.box.first?.event ?? .resume
            default: return
            }
            guard seen.insert(Seen(event: event, old: old.life.phase, new: new.life.phase)).inserted else { return }
            found[event.name, default: [:]][old.life.phaseName, default: []].insert(new.life.phaseName)
        }

        /// Events that lead to the same phases share a line, and phases from which one leads to the same a part of it.
        var lines: [String] {
            let texts = found.mapValues { phases in
                let parts = Dictionary(grouping: phases.filter { [$0.key] != $0.value.sorted() }) {
                    $0.value.sorted().joined(separator: ", ")
                }
                return parts.map { "\($0.value.map(\.key).sorted().joined(separator: ", ")) → \($0.key)" }.sorted()
                    .joined(separator: " · ")
            }
            return Dictionary(grouping: texts.filter { !$0.value.isEmpty }) { $0.value }
                .map { "| \($0.value.map(\.key).sorted().joined(separator: ", ")) | \($0.key) |" }.sorted()
        }
    }
}

extension Life.Event {
    /// Without times.
    fileprivate var name: String {
        let text = "\(self)".withoutModules
        if text.hasPrefix("restore") { return "restore" }
        return text.replacing(/\(after: [0-9.]+\)/, with: "").replacing(/Optional\((.*)\)\)$/) { "\($0.1))" }
    }
}

extension String {
    fileprivate var withoutModules: String { replacing(/[A-Z][A-Za-z]*\.(?=[A-Za-z])/, with: "") }
}
