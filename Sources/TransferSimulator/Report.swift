// SPDX-License-Identifier: MIT

import TransferTesting

/// What a person needs to understand a violation: the seed, what of its course is enough for it, and the last events.
struct Report {
    let seed: UInt64
    let folder: String
    let options: Options

    func print(_ violation: Trace.Violation, _ trace: Trace) {
        Swift.print(
            "seed \(seed): \(Program.hex(trace.hash)) violates \"\(violation.invariant)\": \(violation.detail)")
        guard !options.showsTrace else { return }
        let (again, _) = Program.play(seed, folder, options, keepsLines: true)
        if again.hash != trace.hash { Swift.print("  the second run differs: \(Program.hex(again.hash))") }
        let (course, lines) = options.shortens ? shortened(violation, again.lines) : (options.course, again.lines)
        lines.suffix(40).forEach { Swift.print("  \($0)") }
        Swift.print("  all of it: make simulate SEED=\(seed)")
        guard options.shortens else { return }
        let faults = (course.faults ?? []).map(\.rawValue).sorted().joined(separator: ",")
        let transfers = course.transfers.map { " TRANSFERS=\($0)" } ?? ""
        Swift.print("  enough of it: make simulate SEED=\(seed) ONLY=\(faults)\(transfers)")
    }

    /// Leaves out transfers and faults, one after the other, as long as the same invariant is violated.
    /// - Parameter lines: of the whole course.
    /// - Returns: what is left, and its trace.
    private func shortened(_ violation: Trace.Violation, _ lines: [String]) -> (Course, [String]) {
        var options = options
        var lines = lines
        func isEnough(_ course: Course) -> Bool {
            var tried = options
            tried.course = course
            let (trace, _) = Program.play(seed, folder, tried, keepsLines: true)
            guard trace.violation?.invariant == violation.invariant else { return false }
            (options.course, lines) = (course, trace.lines)
            return true
        }
        for count in 1...8 {
            var course = options.course
            course.transfers = count
            if isEnough(course) { break }
        }
        var random = SeededRandom(seed)
        let drawn = Swarm(&random, only: options.course.faults).faults
        options.course.faults = drawn
        // Without one, another may be needed no more.
        var count = Int.max
        while let left = options.course.faults, left.count < count {
            count = left.count
            for fault in Fault.allCases where left.contains(fault) {
                var course = options.course
                course.faults?.remove(fault)
                _ = isEnough(course)
            }
        }
        return (options.course, lines)
    }
}
