// SPDX-License-Identifier: MIT

import Glibc
import Platform

/// Runs another program and captures its output, with limits for time and size.
protocol CommandRunner: Sendable {
    /// Blocks until the program has exited or `seconds` have passed.
    /// - Parameter words: the program, looked up in `PATH`, and its arguments; no shell.
    /// - Returns: standard output if the exit code is 0; else `nil`.
    func run(_ words: [String], within seconds: Double) -> [UInt8]?
}

/// By `posix_spawn`. Kills the process after the time limit.
struct BoundedCommand: CommandRunner {
    /// Longer output is rejected.
    private static let maximumBytes = 65_536

    func run(_ words: [String], within seconds: Double) -> [UInt8]? {
        guard let (child, output) = try? start(words) else { return nil }
        let bytes = read(output, until: SystemClock.monotonic + seconds)
        if bytes == nil { kill(child.pid, SIGKILL) }
        // After closing its output it must exit; otherwise it is killed, too.
        return ended(child, by: SystemClock.monotonic + 0.5) ? bytes : nil
    }

    /// In its own process group, which the terminal's Ctrl-C does not reach.
    private func start(_ words: [String]) throws(SystemError) -> (Child, output: Descriptor) {
        let (reading, writing) = try Descriptor.pipe()
        let child = try Spawn(words, streams: [.null, .descriptor(writing), .null], group: .own).start()
        return (child, reading)
    }

    /// Reads to the end; `nil` if a limit was exceeded.
    private func read(_ output: Descriptor, until end: Double) -> [UInt8]? {
        var found: [UInt8] = []
        while found.count <= Self.maximumBytes {
            let left = end - SystemClock.monotonic
            guard left > 0 else { return nil }
            var wait = pollfd(fd: output.number, events: Int16(POLLIN), revents: 0)
            let ready = poll(&wait, 1, Int32((left * 1000).rounded(.up)))
            if ready < 0, errno == EINTR { continue }
            guard ready > 0 else { return nil }
            guard let bytes = try? output.read(upTo: 4096) else { return nil }
            if bytes.isEmpty { return found }
            found += bytes
        }
        return nil
    }

    /// Waits for the child, which was killed or has closed its output.
    private func ended(_ child: Child, by end: Double) -> Bool {
        while !child.hasEnded, SystemClock.monotonic < end { poll(nil, 0, 2) }
        kill(child.pid, SIGKILL)
        return child.reap() == .exited(code: 0)
    }
}
