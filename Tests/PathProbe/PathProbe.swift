// SPDX-License-Identifier: MIT

import Glibc
import NetworkPath
import SessionCore
import TransferModel

/// The monitor in a process of its own, for tests that put it into a network namespace.
///
/// Standard input: `path HOST` prints the path to it, `via NAME HOST` where it must go through NAME, `cheap HOST` where
/// it must not cost, `overruns` how often messages were lost, `cpu` the microseconds of processor time spent so far.
/// Ends with its input. Every change is a line of its own. `--receive-buffer N`: bytes of the socket's buffer.
/// `--expensive NAME`: this interface costs.
@main
struct PathProbe {
    static func main() {
        let words = CommandLine.arguments
        func value(_ name: String) -> String? {
            words.firstIndex(of: name).flatMap { $0 + 1 < words.count ? words[$0 + 1] : nil }
        }
        var overrides = PathOverrides()
        if let name = value("--expensive") { overrides.interfaces[name] = .init(isExpensive: true) }
        let monitor = LinkMonitor(
            overrides: overrides, scheduler: SystemScheduler(),
            receiveBuffer: value("--receive-buffer").flatMap { Int32($0) })
        let observation = monitor.addObserver { change in
            say(
                "change available=\(list(change.available)) lost=\(list(change.lost)) "
                    + "better=\(change.hasBetterPath) costs=\(change.hasNewCosts)")
        }
        say("ready \(monitor.observesChanges)")
        while let line = readLine() { obey(line.split(separator: " ").map(String.init), monitor) }
        observation.cancel()
    }

    private static func obey(_ words: [String], _ monitor: LinkMonitor) {
        switch words.first {
        case "path" where words.count == 2:
            say(words.joined(separator: " ") + ": " + describe(monitor, words[1], .init()))
        case "via" where words.count == 3:
            var requirements = PathRequirements()
            requirements.interface = words[1]
            say(words.joined(separator: " ") + ": " + describe(monitor, words[2], requirements))
        case "cheap" where words.count == 2:
            var requirements = PathRequirements()
            requirements.allowsExpensive = false
            say(words.joined(separator: " ") + ": " + describe(monitor, words[1], requirements))
        case "overruns": say("overruns \(monitor.overruns)")
        case "cpu":
            var usage = rusage()
            getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
            let time = usage.ru_utime.tv_sec + usage.ru_stime.tv_sec
            say("cpu \(time * 1_000_000 + Int(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec))")
        default: say("what?")
        }
    }

    private static func describe(_ monitor: LinkMonitor, _ host: String, _ requirements: PathRequirements) -> String {
        let path = monitor.path(to: PathTarget(host: host))
        let verdict =
            switch requirements.evaluate(path, host: host) {
            case .satisfied(let name?): "go bound to \(name)"
            case .satisfied(nil): "go"
            case .waits(let wait): "wait, \(wait.message)"
            }
        let kind = path.interface.map { "\($0.name) \($0.kind.rawValue)" } ?? "-"
        let others = path.alternatives.isEmpty ? "-" : path.alternatives.map(\.name).joined(separator: ",")
        return "\(verdict); \(kind); \(path.sourceAddress?.description ?? "-"); \(others)"
    }

    /// One write, so that lines of two threads stay apart.
    private static func say(_ line: String) {
        let text = line + "\n"
        _ = text.withCString { write(STDOUT_FILENO, $0, strlen($0)) }
    }

    private static func list(_ names: Set<String>) -> String {
        names.isEmpty ? "-" : names.sorted().joined(separator: ",")
    }
}
