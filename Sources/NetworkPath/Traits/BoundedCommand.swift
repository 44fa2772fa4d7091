// SPDX-License-Identifier: MIT

import Glibc
import Platform

/// Runs another program and takes what it writes, within bounds of time and size.
protocol CommandRunner: Sendable {
    /// Blocks until the program has ended or `seconds` are over.
    /// - Parameter words: the program, looked up in `PATH`, and its arguments; no shell reads them.
    /// - Returns: standard output when it ended with 0; `nil` otherwise.
    func run(_ words: [String], within seconds: Double) -> [UInt8]?
}

/// By `posix_spawn`. What does not end in time is killed, by its number.
struct BoundedCommand: CommandRunner {
    /// More than this is as good as nothing.
    private static let maximumBytes = 65_536

    func run(_ words: [String], within seconds: Double) -> [UInt8]? {
        guard let (child, output) = try? start(words) else { return nil }
        let bytes = read(output, until: SystemClock.monotonic + seconds)
        if bytes == nil { kill(child.pid, SIGKILL) }
        // After its last byte it only has to end; what closes its output and stays is killed too.
        return ended(child, by: SystemClock.monotonic + 0.5) ? bytes : nil
    }

    /// In a group of its own, which the terminal's Ctrl-C does not reach.
    private func start(_ words: [String]) throws(SystemError) -> (Child, output: Descriptor) {
        let (reading, writing) = try Descriptor.pipe()
        let child = try Spawn(words, streams: [.null, .descriptor(writing), .null], group: .own).start()
        return (child, reading)
    }

    /// To the end; `nil` when time or room ran out before.
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

    /// Waits for the child, which has been killed or has closed its output.
    private func ended(_ child: Child, by end: Double) -> Bool {
        while !child.hasEnded, SystemClock.monotonic < end { poll(nil, 0, 2) }
        kill(child.pid, SIGKILL)
        return child.reap() == .exited(code: 0)
    }
}
