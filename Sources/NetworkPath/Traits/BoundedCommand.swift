// SPDX-License-Identifier: MIT

import CLinux
import Glibc

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
        var pipes: [Int32] = [-1, -1]
        guard clinux_pipe(&pipes) == 0 else { return nil }
        let child = spawn(words, output: pipes[1])
        close(pipes[1])
        defer { close(pipes[0]) }
        guard let child else { return nil }
        let output = read(pipes[0], until: Self.now + seconds)
        if output == nil { kill(child, SIGKILL) }
        // After its last byte it only has to end; what closes its output and stays is killed too.
        return ended(child, by: Self.now + 0.5) ? output : nil
    }

    private func spawn(_ words: [String], output: Int32) -> pid_t? {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        posix_spawn_file_actions_adddup2(&actions, output, 1)
        posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0)
        guard clinux_spawn_close_from(&actions, 3) == 0 else { return nil }

        // A group of its own keeps the terminal's Ctrl-C away from it.
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        posix_spawnattr_setpgroup(&attributes, 0)
        clinux_spawn_reset_signals(&attributes, Int16(POSIX_SPAWN_SETPGROUP))

        var arguments = words.map { strdup($0) } + [nil]
        defer { arguments.forEach { free($0) } }
        var child: pid_t = 0
        guard let program = arguments.first ?? nil,
            posix_spawnp(&child, program, &actions, &attributes, &arguments, environ) == 0 else { return nil }
        return child
    }

    /// To the end; `nil` when time or room ran out before.
    private func read(_ descriptor: Int32, until end: Double) -> [UInt8]? {
        var found: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 4096)
        while found.count <= Self.maximumBytes {
            let left = end - Self.now
            guard left > 0 else { return nil }
            var wait = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            let ready = poll(&wait, 1, Int32((left * 1000).rounded(.up)))
            if ready < 0, errno == EINTR { continue }
            guard ready > 0 else { return nil }
            let count = Glibc.read(descriptor, &buffer, buffer.count)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { return nil }
            if count == 0 { return found }
            found += buffer[..<count]
        }
        return nil
    }

    /// Waits for the child, which has been killed or has closed its output.
    private func ended(_ child: pid_t, by end: Double) -> Bool {
        var status: Int32 = 0
        while true {
            let result = waitpid(child, &status, WNOHANG)
            if result == child { return status == 0 }
            if result < 0, errno != EINTR { return false }
            guard Self.now < end else { break }
            poll(nil, 0, 2)
        }
        kill(child, SIGKILL)
        while waitpid(child, &status, 0) < 0, errno == EINTR {}
        return false
    }

    private static var now: Double {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
}
