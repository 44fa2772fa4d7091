// SPDX-License-Identifier: MIT

import Foundation
import Glibc
import Synchronization
import Testing
import TransferTesting

/// The path probe in a namespace: lines in, lines out. Ends with this object.
final class ProbeProcess: Sendable {
    private struct Log {
        var lines: [String] = []
        /// Lines before this one have been looked at.
        var next = 0
    }

    /// Beside the test bundle, wherever that was built.
    private static let program: String = {
        let bundle =
            (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? CommandLine.arguments[0]
        let named = CommandLine.arguments.first { $0.hasSuffix(".xctest") } ?? bundle
        return URL(filePath: named).deletingLastPathComponent().appending(path: "PathProbe").path
    }()

    struct Silence: Error { let what: String }

    private let process: ChildProcess
    private let log = Mutex(Log())

    init(in namespace: NetworkNamespace, _ arguments: String...) async throws {
        let words = namespace.words(for: Self.program, arguments)
        process = try ChildProcess(words[0], Array(words.dropFirst()), input: .pipe, output: .pipe)
        Thread.detachNewThread { [weak self, process] in
            var rest: [UInt8] = []
            while let bytes = try? process.read(), !bytes.isEmpty {
                rest += bytes
                let lines = rest.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
                rest = lines.last.map { Array($0) } ?? []
                self?.add(lines.dropLast().map { String(decoding: $0, as: UTF8.self) })
            }
        }
        try await line("ready true")
    }

    deinit {
        process.closeInput()
        _ = process.wait()
    }

    private func add(_ lines: [String]) { log.withLock { $0.lines += lines } }

    var changes: [String] { log.withLock { $0.lines.filter { $0.hasPrefix("change ") } } }

    /// Stops or continues it.
    func send(_ signal: Int32) { process.send(signal) }

    func say(_ command: String) throws { try process.write("\(command)\n") }

    /// Waits for a line that begins so and holds `part`, among those not looked at yet.
    @discardableResult
    func line(
        _ beginning: String, with part: String = "",
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws -> String {
        let found = Mutex<String?>(nil)
        _ = await eventually(within: 20) {
            let line: String? = log.withLock { log in
                let index = log.lines[log.next...].firstIndex {
                    $0.hasPrefix(beginning) && (part.isEmpty || $0.contains(part))
                }
                guard let index else { return nil }
                log.next = index + 1
                return log.lines[index]
            }
            found.withLock { $0 = line }
            return line != nil
        }
        guard let line = found.withLock({ $0 }) else {
            let said = log.withLock { $0.lines.suffix(10).joined(separator: "\n") }
            Issue.record("no line '\(beginning)…\(part)' after:\n\(said)", sourceLocation: sourceLocation)
            throw Silence(what: beginning)
        }
        return line
    }

    /// Asks again and again until the answer begins as it should: what the kernel did is known here a little later.
    func expect(_ command: String, _ beginning: String, sourceLocation: SourceLocation = #_sourceLocation) async throws
    {
        let end = ContinuousClock.now + .seconds(20)
        var answer = ""
        repeat {
            try say(command)
            answer = String(try await line("\(command): ", sourceLocation: sourceLocation).dropFirst(command.count + 2))
            if answer.hasPrefix(beginning) { return }
        } while ContinuousClock.now < end
        Issue.record("\(command): '\(answer)' instead of '\(beginning)'", sourceLocation: sourceLocation)
    }
}
