// SPDX-License-Identifier: MIT

import Foundation
public import Glibc
import Synchronization

/// One program that a test started, whose output goes to files. Only this very process is ever sent a signal: it is not reaped before its end is known
/// under the same lock.
public final class ChildProcess: Sendable {
    public let pid: pid_t
    /// Exit code, or the negative number of the signal that ended it; `nil` while it runs.
    private let status = Mutex<Int32?>(nil)

    /// Starts it.
    /// - Parameters:
    ///   - folder: the current folder it begins in.
    ///   - input: what it reads; output and errors are files that are made anew.
    public init(_ program: String, _ arguments: [String], environment: [String: String], folder: String,
                input: String = "/dev/null", output: String, errors: String) throws {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, 0, input, O_RDONLY, 0)
        posix_spawn_file_actions_addopen(&actions, 1, output, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
        posix_spawn_file_actions_addopen(&actions, 2, errors, O_WRONLY | O_CREAT | O_TRUNC, 0o600)

        // Whatever the test runner ignores or blocks, a program from a shell begins with nothing of it.
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var all = sigset_t()
        var none = sigset_t()
        sigfillset(&all)
        sigemptyset(&none)
        posix_spawnattr_setsigdefault(&attributes, &all)
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK))

        // `env` changes the folder and becomes the program; the number stays the same.
        let env = "/usr/bin/env"
        var words = ([env, "-C", folder, program] + arguments).map { strdup($0) } + [nil]
        var variables = environment.map { strdup("\($0.key)=\($0.value)") } + [nil]
        defer { (words + variables).forEach { free($0) } }
        Self.keepDescriptors()
        var pid: pid_t = 0
        let code = posix_spawn(&pid, env, &actions, &attributes, &words, &variables)
        guard code == 0 else { throw POSIXError(POSIXErrorCode(rawValue: code) ?? .EIO) }
        self.pid = pid
        Thread.detachNewThread { self.watch() }
    }

    /// A child gets none of this process's own: a port that a server of the test listens at would stay taken as long as the child lives.
    private static func keepDescriptors() {
        for name in (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")) ?? [] {
            guard let descriptor = Int32(name), descriptor > 2 else { continue }
            _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        }
    }

    public var isRunning: Bool { status.withLock { $0 == nil } }

    public func send(_ signal: Int32) {
        status.withLock { if $0 == nil { kill(pid, signal) } }
    }

    /// Whether this process itself, and not another one, accepts connections at that port of IPv4.
    public func isListening(at port: Int) -> Bool {
        let table = (try? String(contentsOfFile: "/proc/net/tcp", encoding: .utf8)) ?? ""
        let sockets = table.split(separator: "\n").dropFirst().compactMap { line -> String? in
            let words = line.split(separator: " ")
            guard words.count > 9, words[3] == "0A", let number = words[1].split(separator: ":").last else { return nil }
            return Int(number, radix: 16) == port ? "socket:[\(words[9])]" : nil
        }
        let folder = "/proc/\(pid)/fd"
        return ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).contains { name in
            (try? FileManager.default.destinationOfSymbolicLink(atPath: "\(folder)/\(name)")).map(sockets.contains) ?? false
        }
    }

    /// Returns its exit code, or the negative number of the signal that ended it. After `seconds` it is killed.
    public func end(within seconds: Double = 60) async -> Int32 {
        await offPool {
            if !eventually(within: seconds, { !self.isRunning }) {
                self.send(SIGKILL)
                _ = eventually { !self.isRunning }
            }
            return self.status.withLock { $0 ?? -SIGKILL }
        }
    }

    private func watch() {
        var info = siginfo_t()
        while waitid(P_PID, id_t(pid), &info, WEXITED | WNOWAIT) != 0, errno == EINTR {}
        status.withLock { status in
            var raw: Int32 = 0
            waitpid(pid, &raw, 0)
            status = raw & 0x7f == 0 ? raw >> 8 & 0xff : -(raw & 0x7f)
        }
    }
}

/// Work that blocks, kept away from the threads that all tests share.
public func offPool<Result: Sendable>(_ work: @escaping @Sendable () -> Result) async -> Result {
    await withCheckedContinuation { continuation in
        Thread.detachNewThread { continuation.resume(returning: work()) }
    }
}

/// Asks again and again, away from the threads that all tests share; false after `seconds`.
public func becomesTrue(within seconds: Double = 30, _ condition: @escaping @Sendable () -> Bool) async -> Bool {
    await offPool { eventually(within: seconds, condition) }
}
