// SPDX-License-Identifier: MIT

import Dispatch
import Foundation
package import Glibc
import Platform
import Synchronization

/// A program that a test started. It inherits no descriptor. A dedicated thread waits for it and reaps it; until then,
/// signals reach this process only.
package final class ChildProcess: Sendable {
    /// The target of a standard stream.
    package enum Stream: Sendable {
        case null
        /// A file; truncated for writing, may be shared by output and errors.
        case file(String)
        /// A pipe: ``ChildProcess/write(_:)``, ``ChildProcess/read(upTo:)``.
        case pipe
    }

    private let child: Child
    /// Exit code, or the negative number of the signal that ended it; `nil` while it runs.
    private let status = Mutex<Int32?>(nil)
    private let end = DispatchGroup()
    private let writing: Mutex<Descriptor?>
    private let reading: Descriptor?

    package var pid: pid_t { child.pid }

    /// Starts it.
    /// - Parameters:
    ///   - program: its path, or a name looked up in `PATH`.
    ///   - environment: `nil`: inherited.
    ///   - folder: its current folder.
    package init(
        _ program: String, _ arguments: [String] = [], environment: [String: String]? = nil, folder: String? = nil,
        input: Stream = .null, output: Stream = .null, errors: Stream = .null
    ) throws {
        func stream(_ stream: Stream, isInput: Bool) throws -> (child: Spawn.Stream, here: Descriptor?) {
            switch stream {
            case .null: return (.null, nil)
            case .file(let path):
                return (.file(path, flags: isInput ? O_RDONLY : O_WRONLY | O_CREAT | O_TRUNC | O_APPEND), nil)
            case .pipe:
                let (reading, writing) = try Descriptor.pipe()
                let (theirs, ours) = isInput ? (reading, writing) : (writing, reading)
                return (.descriptor(theirs), ours)
            }
        }
        let (input, output, errors) = (
            try stream(input, isInput: true), try stream(output, isInput: false), try stream(errors, isInput: false)
        )
        // `env` changes the folder and execs the program with the same process ID.
        let words = (folder.map { ["/usr/bin/env", "-C", $0] } ?? []) + [program] + arguments
        let spawn = Spawn(
            words, environment: environment?.map { "\($0.key)=\($0.value)" },
            streams: [input.child, output.child, errors.child])
        child = try spawn.start()
        writing = Mutex(input.here)
        reading = output.here
        end.enter()
        Thread.detachNewThread { self.watch() }
    }

    private func watch() {
        child.waitForEnd()
        status.withLock { status in
            status =
                switch child.reap() {
                case .exited(let code): code
                case .killed(let signal): -signal
                case nil: -SIGKILL
                }
        }
        end.leave()
    }

    package var isRunning: Bool { status.withLock { $0 == nil } }

    package func send(_ signal: Int32) {
        status.withLock { if $0 == nil { kill(pid, signal) } }
    }

    /// Writes to its input pipe. Blocks.
    package func write(_ text: String) throws { try writing.withLock { $0 }?.write(Array(text.utf8)) }

    /// Closes its input.
    package func closeInput() { writing.withLock { $0 = nil } }

    /// Reads from its output pipe. Blocks until there is data.
    /// - Returns: empty at the end.
    package func read(upTo limit: Int = 4096) throws -> [UInt8] { try reading?.read(upTo: limit) ?? [] }

    /// Blocks until it has ended.
    /// - Returns: its exit code, or the negative number of the signal that ended it; `nil` if it still runs after
    ///   `seconds`.
    package func wait(within seconds: Double = .infinity) -> Int32? {
        let isOver = end.wait(timeout: seconds == .infinity ? .distantFuture : .now() + seconds) == .success
        return isOver ? status.withLock { $0 } : nil
    }

    /// Returns its exit code, or the negative number of the signal that ended it. Kills it after `seconds`.
    package func end(within seconds: Double = 60) async -> Int32 { await offPool { self.endBlocking(within: seconds) } }

    private func endBlocking(within seconds: Double) -> Int32 {
        if let status = wait(within: seconds) { return status }
        send(SIGKILL)
        return wait(within: 60) ?? -SIGKILL
    }

    /// Whether this very process listens on that port of IPv4.
    package func isListening(at port: Int) -> Bool {
        let table = Files.kernelText("/proc/net/tcp")
        // As bytes: a busy machine has thousands of lines.
        let sockets = table.utf8.split(separator: UInt8(ascii: "\n")).dropFirst().compactMap { line -> String? in
            let words = line.split(separator: UInt8(ascii: " "))
            guard words.count > 9, words[3].elementsEqual("0A".utf8),
                let number = words[1].split(separator: UInt8(ascii: ":")).last
            else { return nil }
            return Int(Substring(number), radix: 16) == port ? "socket:[\(Substring(words[9]))]" : nil
        }
        let folder = "/proc/\(pid)/fd"
        return ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).contains { name in
            (try? FileManager.default.destinationOfSymbolicLink(atPath: "\(folder)/\(name)")).map(sockets.contains)
                ?? false
        }
    }
}

extension ChildProcess {
    /// Runs a program to its end; blocks. After five minutes it is killed.
    /// - Returns: its exit code, or the negative number of the signal that ended it.
    @discardableResult
    package static func run(
        _ words: [String], input: Stream = .null, output: Stream = .null, errors: Stream = .null
    ) throws -> Int32 {
        try ChildProcess(words[0], Array(words.dropFirst()), input: input, output: output, errors: errors).endBlocking(
            within: 300)
    }

    /// The asynchronous variant: blocks no thread of the pool.
    @discardableResult
    package static func run(
        _ words: [String], input: Stream = .null, output: Stream = .null, errors: Stream = .null
    ) async throws -> Int32 {
        try await ChildProcess(words[0], Array(words.dropFirst()), input: input, output: output, errors: errors).end(
            within: 300)
    }

    /// Runs a program until its output and itself have ended; returns the output; blocks.
    package static func output(of words: [String]) throws -> String {
        let child = try ChildProcess(words[0], Array(words.dropFirst()), output: .pipe)
        let bytes = try child.reading?.readToEnd() ?? []
        _ = child.wait()
        return String(decoding: bytes, as: UTF8.self)
    }
}

/// Runs blocking work off the threads that all tests share.
package func offPool<Result: Sendable>(_ work: @escaping @Sendable () -> Result) async -> Result {
    await withCheckedContinuation { continuation in
        Thread.detachNewThread { continuation.resume(returning: work()) }
    }
}

/// Polls off the threads that all tests share; false after `seconds`.
package func becomesTrue(within seconds: Double = 30, _ condition: @escaping @Sendable () -> Bool) async -> Bool {
    await offPool { eventually(within: seconds, condition) }
}
