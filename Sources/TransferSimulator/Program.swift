// SPDX-License-Identifier: MIT

import Foundation
import Glibc

/// `TransferSimulator [--seeds FIRST-LAST] [--bug NAME] [--trace] [--steps] [--once]`
///
/// Runs each seed twice and compares the hashes of their traces. Exits with 1 after the first violation, whose seed
/// and trace it prints.
@main enum Program {
    struct Options {
        var first: UInt64 = 1
        var last: UInt64 = 100
        var bug: PlantedBug?
        var showsTrace = false
        var showsSteps = false
        var runsOnce = false
        var showsCounters = false
    }

    static func main() {
        becomeDeterministic()
        guard let options = options() else {
            print(
                "usage: TransferSimulator [--seeds FIRST-LAST] [--bug NAME] [--trace] [--steps] [--once] [--counters]")
            print("bugs: \(PlantedBug.allCases.map(\.rawValue).joined(separator: " "))")
            exit(2)
        }
        Simulation.install()
        exit(run(options))
    }

    /// The order of sets and dictionaries must be the same in every process.
    private static func becomeDeterministic() {
        guard getenv("SWIFT_DETERMINISTIC_HASHING") == nil else { return }
        setenv("SWIFT_DETERMINISTIC_HASHING", "1", 1)
        var words: [UnsafeMutablePointer<CChar>?] = CommandLine.arguments.map { strdup($0) } + [nil]
        execv("/proc/self/exe", &words)
        perror("exec")
        exit(2)
    }

    private static func options() -> Options? {
        var options = Options()
        var words = CommandLine.arguments.dropFirst()
        while let word = words.popFirst() {
            switch word {
            case "--seeds":
                let numbers = words.popFirst()?.split(separator: "-").compactMap { UInt64($0) } ?? []
                guard let first = numbers.first, let last = numbers.last, first <= last else { return nil }
                (options.first, options.last) = (first, last)
            case "--bug":
                guard let bug = words.popFirst().flatMap(PlantedBug.init) else { return nil }
                options.bug = bug
            case "--trace": options.showsTrace = true
            case "--steps": (options.showsTrace, options.showsSteps) = (true, true)
            case "--once": options.runsOnce = true
            case "--counters": options.showsCounters = true
            default: return nil
            }
        }
        return options
    }

    private static func run(_ options: Options) -> Int32 {
        let folder = ownFolder()
        var counters: [String: Int] = [:]
        var steps = 0
        for seed in options.first...options.last {
            let (trace, count) = play(seed, folder, options, keepsLines: options.showsTrace)
            steps += count
            counters.merge(trace.reached, uniquingKeysWith: +)
            if options.showsTrace { trace.lines.forEach { print($0) } }
            if trace.violation != nil { return report(seed, trace, folder, options) }
            guard !options.runsOnce else { continue }
            let (again, _) = play(seed, folder, options)
            if again.hash != trace.hash {
                print("seed \(seed): the simulator is not deterministic: \(hex(trace.hash)), then \(hex(again.hash))")
                return 3
            }
            if options.first == options.last { print("seed \(seed): \(hex(trace.hash))") }
        }
        let usage = cpuSeconds()
        let seconds = (usage * 10).rounded() / 10
        print("seeds \(options.first)-\(options.last): no violation, \(steps) steps, \(seconds) s of CPU")
        if options.showsCounters {
            for (name, count) in counters.sorted(by: { $0.key < $1.key }) { print("  \(count)\t\(name)") }
        }
        return 0
    }

    /// One that no other process uses. Paths are stored: all have the same length.
    private static func ownFolder() -> String {
        let base = access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp"
        for number in 100...999 {
            let folder = "\(base)/fileq-simulator-\(number)"
            let lock = open(folder + ".lock", O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
            if lock >= 0, flock(lock, LOCK_EX | LOCK_NB) == 0 { return folder }
            if lock >= 0 { close(lock) }
        }
        print("\(base): has no free folder")
        exit(2)
    }

    private static func play(
        _ seed: UInt64, _ folder: String, _ options: Options, keepsLines: Bool = false
    ) -> (Trace, Int) {
        let trace = Trace(keepsLines: keepsLines, showsSteps: options.showsSteps && keepsLines)
        let world = World(seed: seed, folder: folder, bug: options.bug, trace: trace)
        world.run()
        return (trace, world.machine.steps)
    }

    private static func report(_ seed: UInt64, _ trace: Trace, _ folder: String, _ options: Options) -> Int32 {
        guard let violation = trace.violation else { return 0 }
        print("seed \(seed): \(hex(trace.hash)) violates \"\(violation.invariant)\": \(violation.detail)")
        if !options.showsTrace {
            let (again, _) = play(seed, folder, options, keepsLines: true)
            if again.hash != trace.hash { print("  the second run differs: \(hex(again.hash))") }
            again.lines.suffix(40).forEach { print("  \($0)") }
        }
        print("  again, with all of it: make simulate SEED=\(seed)")
        return 1
    }

    private static func hex(_ hash: UInt64) -> String { String(hash, radix: 16) }

    private static func cpuSeconds() -> Double {
        var time = timespec()
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
}
