// SPDX-License-Identifier: MIT

import Glibc
import Platform

/// One program, run within bounds of time and of what it writes. In a process group of its own, with nothing to read.
struct HookProgram {
    /// What is kept of its output; more is read and thrown away.
    private static let maximumOutput = 4096
    /// Seconds until it is asked again whether it has ended: while it may write, whose end says so at once, and when it
    /// has closed its output.
    private static let slices = (open: 0.05, closed: 0.02)

    var words: [String]
    var environment: [String]
    /// Seconds
    var timeout: Double
    /// Seconds between SIGTERM and SIGKILL.
    var grace: Double

    /// Blocks until it has ended, by itself or not.
    /// - Parameter closing: when it has to have ended whatever its time, on the monotonic clock; asked again and again.
    func run(closing: () -> Double) -> (HookReport.Outcome, output: [UInt8]) {
        var child: Running
        do {
            child = try start()
        } catch {
            return (.notStarted(errno: error.errno), [])
        }

        let end = SystemClock.monotonic + timeout
        if child.waits(until: { min(end, closing()) }) { return (child.reap(), child.output) }
        let isOutOfTime = SystemClock.monotonic >= end
        // Its zombie keeps the group's number from being given to others until it is reaped.
        kill(-child.process.pid, SIGTERM)
        let lastMoment = SystemClock.monotonic + grace
        _ = child.waits { min(lastMoment, closing() + 0.2) }
        kill(-child.process.pid, SIGKILL)
        let givenUp = SystemClock.monotonic + 1
        _ = child.waits { givenUp }
        _ = child.reap()
        return (isOutOfTime ? .timedOut(after: timeout) : .interrupted, child.output)
    }

    private func start() throws(SystemError) -> Running {
        let (reading, writing) = try Descriptor.pipe()
        let streams: [Spawn.Stream] = [.null, .descriptor(writing), .descriptor(writing)]
        return Running(
            process: try Spawn(words, environment: environment, streams: streams, group: .own).start(), reading: reading
        )
    }

    /// The running program, as its parent sees it.
    private struct Running {
        let process: Child
        /// `nil` once nothing more can come.
        var reading: Descriptor?
        var output: [UInt8] = []

        /// - Returns: whether it has ended before `end`, which may come nearer meanwhile. It is not reaped.
        mutating func waits(until end: () -> Double) -> Bool {
            while true {
                if process.hasEnded {
                    // What it left in the pipe; others may hold that open, and write on.
                    for _ in 0..<16 where !take(within: 0) { break }
                    return true
                }
                let left = end() - SystemClock.monotonic
                guard left > 0 else { return false }
                _ = take(within: min(left, reading != nil ? HookProgram.slices.open : HookProgram.slices.closed))
            }
        }

        /// - Returns: whether there was something to read.
        private mutating func take(within seconds: Double) -> Bool {
            var wait = pollfd(fd: reading?.number ?? -1, events: Int16(POLLIN), revents: 0)
            guard poll(&wait, 1, Int32((seconds * 1000).rounded(.up))) > 0 else { return false }
            guard let bytes = try? reading?.read(upTo: 4096), !bytes.isEmpty else {
                reading = nil
                return false
            }
            output += bytes.prefix(HookProgram.maximumOutput - output.count)
            return true
        }

        func reap() -> HookReport.Outcome {
            switch process.reapIfEnded() {
            case .exited(0): .succeeded
            case .exited(let code): .failed(exitCode: code)
            case .killed(let signal): .killed(signal: signal)
            case nil: .killed(signal: 0)
            }
        }
    }
}
