// SPDX-License-Identifier: MIT

import CLinux
import Glibc

/// One program, run within bounds of time and of what it writes. In a process group of its own, with nothing to read.
struct HookProgram {
    /// What is kept of its output; more is read and thrown away.
    private static let maximumOutput = 4096
    /// Seconds until it is asked again whether it has ended: while it may write, whose end says so at once, and when it has closed
    /// its output.
    private static let slices = (open: 0.05, closed: 0.02)

    var words: [String]
    var environment: [String]
    /// Seconds
    var timeout: Double
    /// Seconds between SIGTERM and SIGKILL.
    var grace: Double

    /// Blocks until it has ended, by itself or not.
    /// - Parameter closing: when it has to have ended whatever its time, on the clock of ``now``; asked again and again.
    func run(closing: () -> Double) -> (HookReport.Outcome, output: [UInt8]) {
        var pipes: [Int32] = [-1, -1]
        guard clinux_pipe(&pipes) == 0 else { return (.notStarted(errno: errno), []) }
        var child = Child(reading: pipes[0])
        defer { close(pipes[0]) }
        let failure = spawn(&child.id, output: pipes[1])
        close(pipes[1])
        guard failure == 0 else { return (.notStarted(errno: failure), []) }

        let end = Self.now + timeout
        if child.waits(until: { min(end, closing()) }) { return (child.reap(), child.output) }
        let isOutOfTime = Self.now >= end
        // Its zombie keeps the group's number from being given to others until it is reaped.
        kill(-child.id, SIGTERM)
        let lastMoment = Self.now + grace
        _ = child.waits { min(lastMoment, closing() + 0.2) }
        kill(-child.id, SIGKILL)
        let givenUp = Self.now + 1
        _ = child.waits { givenUp }
        _ = child.reap()
        return (isOutOfTime ? .timedOut(after: timeout) : .interrupted, child.output)
    }

    static var now: Double {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }

    /// - Returns: 0 or an errno.
    private func spawn(_ id: inout pid_t, output: Int32) -> Int32 {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        posix_spawn_file_actions_adddup2(&actions, output, 1)
        posix_spawn_file_actions_adddup2(&actions, 1, 2)
        let failure = clinux_spawn_close_from(&actions, 3)
        guard failure == 0 else { return failure }

        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        posix_spawnattr_setpgroup(&attributes, 0)
        clinux_spawn_reset_signals(&attributes, Int16(POSIX_SPAWN_SETPGROUP))

        var arguments = words.map { strdup($0) } + [nil]
        var variables = environment.map { strdup($0) } + [nil]
        defer { (arguments + variables).forEach { free($0) } }
        guard let program = arguments.first ?? nil else { return ENOENT }
        return posix_spawnp(&id, program, &actions, &attributes, &arguments, &variables)
    }

    /// The running program, as its parent sees it.
    private struct Child {
        var id: pid_t = 0
        /// -1 once nothing more can come.
        var reading: Int32
        var output: [UInt8] = []

        init(reading: Int32) { self.reading = reading }

        /// - Returns: whether it has ended before `end`, which may come nearer meanwhile. It is not reaped.
        mutating func waits(until end: () -> Double) -> Bool {
            while true {
                if hasEnded {
                    // What it left in the pipe; others may hold that open, and write on.
                    for _ in 0..<16 where !take(within: 0) { break }
                    return true
                }
                let left = end() - HookProgram.now
                guard left > 0 else { return false }
                _ = take(within: min(left, reading >= 0 ? HookProgram.slices.open : HookProgram.slices.closed))
            }
        }

        private var hasEnded: Bool {
            var info = siginfo_t()
            let result = waitid(P_PID, id_t(id), &info, WEXITED | WNOHANG | WNOWAIT)
            return result == 0 ? info.si_signo == SIGCHLD : errno == ECHILD
        }

        /// - Returns: whether there was something to read.
        private mutating func take(within seconds: Double) -> Bool {
            var wait = pollfd(fd: reading, events: Int16(POLLIN), revents: 0)
            guard poll(&wait, 1, Int32((seconds * 1000).rounded(.up))) > 0 else { return false }
            var buffer = [UInt8](repeating: 0, count: 4096)
            let count = read(reading, &buffer, buffer.count)
            if count < 0, errno == EINTR { return true }
            guard count > 0 else {
                reading = -1
                return false
            }
            output += buffer[..<min(count, HookProgram.maximumOutput - output.count)]
            return true
        }

        func reap() -> HookReport.Outcome {
            var status: Int32 = 0
            guard waitpid(id, &status, WNOHANG) == id else { return .killed(signal: 0) }
            let signal = status & 0x7f
            let exitCode = (status >> 8) & 0xff
            if signal != 0 { return .killed(signal: signal) }
            return exitCode == 0 ? .succeeded : .failed(exitCode: exitCode)
        }
    }
}
