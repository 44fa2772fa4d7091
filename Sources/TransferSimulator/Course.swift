// SPDX-License-Identifier: MIT

/// What the command line leaves of the courses that seeds draw.
struct Course {
    /// Of the faults that a seed draws, only these; `nil`: all.
    var faults: Set<Fault>?
    /// Of the transfers that it draws, so many; `nil`: all.
    var transfers: Int?
}

/// The arguments of the program.
struct Options {
    var first: UInt64 = 1
    var last: UInt64 = 100
    var bug: PlantedBug?
    var course = Course()
    var showsTrace = false
    var showsSteps = false
    var runsOnce = false
    var showsCounters = false
    /// Whether the course of a violation is played again with less and less of it.
    var shortens = false
    /// Transfers of a long run instead of seeds.
    var soak: Int?

    static let usage = """
        usage: TransferSimulator [--seeds FIRST-LAST] [--once] [--counters] [--shorten]
                                 [--bug NAME] [--only FAULT,…] [--transfers N] [--trace] [--steps]
               TransferSimulator --soak TRANSFERS
               \(Exploration.usage)
        faults: \(Fault.allCases.map(\.rawValue).joined(separator: " "))
        bugs: \(PlantedBug.allCases.map(\.rawValue).joined(separator: " "))
        """

    /// - Returns: `nil` if they are not understood.
    init?(_ arguments: ArraySlice<String>) {
        var words = arguments
        func number() -> Int? { words.popFirst().flatMap { Int($0) } }
        while let word = words.popFirst() {
            switch word {
            case "--seeds":
                let numbers = words.popFirst()?.split(separator: "-").compactMap { UInt64($0) } ?? []
                guard let first = numbers.first, let last = numbers.last, first <= last else { return nil }
                (self.first, self.last) = (first, last)
            case "--bug":
                guard let bug = words.popFirst().flatMap(PlantedBug.init) else { return nil }
                self.bug = bug
            case "--only":
                let names = words.popFirst()?.split(separator: ",") ?? []
                let faults = names.compactMap { Fault(rawValue: String($0)) }
                guard faults.count == names.count else { return nil }
                course.faults = Set(faults)
            case "--transfers":
                guard let most = number() else { return nil }
                course.transfers = most
            case "--soak":
                guard let count = number() else { return nil }
                soak = count
            case "--trace": showsTrace = true
            case "--steps": (showsTrace, showsSteps) = (true, true)
            case "--once": runsOnce = true
            case "--counters": showsCounters = true
            case "--shorten": shortens = true
            default: return nil
            }
        }
    }
}
