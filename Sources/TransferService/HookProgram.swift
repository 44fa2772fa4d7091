// SPDX-License-Identifier: MIT

import Glibc
import Platform

/// One program, with limits for its time and output. In its own process group, without standard input.
struct HookProgram {
    /// Output that is stored; the rest is read and discarded.
    private static let maximumOutput = 4096
    /// Seconds between two checks whether it has ended: while its output is open, whose end is noticed immediately, and
    /// after it has closed its output.
    private static let slices = (open: 0.05, closed: 0.02)

    var words: [String]
    var environment: [String]
    /// Seconds
    var timeout: Double
    /// Seconds between SIGTERM and SIGKILL.
    var grace: Double

    /// Blocks until it has ended or was killed.
    /// - Parameter closing: the latest end on the monotonic clock, whatever the timeout; called repeatedly.
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
        // Its zombie keeps the process group's ID from being reused until it is reaped.
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

    /// The running program, from the parent's point of view.
    private struct Running {
        let process: Child
        /// `nil` after the end of its output.
        var reading: Descriptor?
        var output: [UInt8] = []

        /// - Returns: whether it has ended before `end`, which may move closer meanwhile. It is not reaped.
        mutating func waits(until end: () -> Double) -> Bool {
            while true {
                if process.hasEnded {
                    // What is left in the pipe; descendants may hold that open and continue to write.
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
