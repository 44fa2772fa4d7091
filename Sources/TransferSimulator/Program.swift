// SPDX-License-Identifier: MIT

import Foundation
import Glibc

/// Runs each seed twice and compares the hashes of their traces. Exits with 1 after the first violation, whose seed
/// and trace it prints.
@main enum Program {
    static func main() {
        becomeDeterministic()
        if CommandLine.arguments.dropFirst().first == "explore" {
            guard let code = Exploration.run(Array(CommandLine.arguments.dropFirst(2))) else {
                print("usage: \(Exploration.usage)")
                exit(2)
            }
            exit(code)
        }
        guard let options = Options(CommandLine.arguments.dropFirst()) else {
            print(Options.usage)
            exit(2)
        }
        let folder = ownFolder()
        StoreTemplate.shared.make(in: folder)
        Simulation.install()
        if let count = options.soak { exit(Soak(transfers: count, folder: folder, bug: options.bug).run() ? 0 : 1) }
        exit(run(options, folder))
    }

    /// The order of sets and dictionaries must be the same in every process. Besides, a course allocates and frees the
    /// same sizes again and again: the allocator keeps more of them at hand.
    private static func becomeDeterministic() {
        guard getenv("SWIFT_DETERMINISTIC_HASHING") == nil else { return }
        setenv("SWIFT_DETERMINISTIC_HASHING", "1", 1)
        setenv("GLIBC_TUNABLES", "glibc.malloc.tcache_count=1000", 0)
        var words: [UnsafeMutablePointer<CChar>?] = CommandLine.arguments.map { strdup($0) } + [nil]
        execv("/proc/self/exe", &words)
        perror("exec")
        exit(2)
    }

    private static func run(_ options: Options, _ folder: String) -> Int32 {
        var counters = Counters()
        var steps = 0
        for seed in options.first...options.last {
            let (trace, count) = play(seed, folder, options, keepsLines: options.showsTrace)
            steps += count
            counters.add(trace.reached)
            if options.showsTrace { trace.lines.forEach { print($0) } }
            if let violation = trace.violation {
                Report(seed: seed, folder: folder, options: options).print(violation, trace)
                summarize(options.first, seed, steps, counters, options)
                return 1
            }
            guard !options.runsOnce else { continue }
            let (again, more) = play(seed, folder, options)
            steps += more
            if again.hash != trace.hash {
                print("seed \(seed): the simulator is not deterministic: \(hex(trace.hash)), then \(hex(again.hash))")
                return 3
            }
            if options.first == options.last { print("seed \(seed): \(hex(trace.hash))") }
        }
        summarize(options.first, options.last, steps, counters, options)
        return 0
    }

    /// A line that `Tests/simulate` adds up, and the counters if they are wanted.
    private static func summarize(
        _ first: UInt64, _ last: UInt64, _ steps: Int, _ counters: Counters, _ options: Options
    ) {
        let seconds = (cpuSeconds() * 10).rounded() / 10
        let faults = counters.faults.values.reduce(0, +)
        print("seeds \(first)-\(last): \(steps) steps, \(faults) faults, \(seconds) s of CPU")
        if options.showsCounters { for (name, count) in counters.table { print("  \(count)\t\(name)") } }
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

    /// Runs one seed, once.
    /// - Returns: its trace, and the number of its steps.
    static func play(_ seed: UInt64, _ folder: String, _ options: Options, keepsLines: Bool = false) -> (Trace, Int) {
        defer { Simulation.reclaimDescriptors() }
        let trace = Trace(keepsLines: keepsLines, showsSteps: options.showsSteps && keepsLines)
        let world = World(seed: seed, folder: folder, bug: options.bug, course: options.course, trace: trace)
        world.run()
        return (trace, world.machine.steps)
    }

    static func hex(_ hash: UInt64) -> String { String(hash, radix: 16) }

    static func cpuSeconds() -> Double {
        var time = timespec()
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
}
