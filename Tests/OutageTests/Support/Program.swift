// SPDX-License-Identifier: MIT

import Foundation
import Glibc
import Testing
import TransferTesting

/// One program in a namespace, whose words go to files. Ends with this object.
final class Program: Sendable {
    private let process: ChildProcess
    private let output: String
    private let errors: String

    /// - Parameter words: a program by its whole path, and its arguments.
    init(_ words: [String], in folder: TemporaryFolder, name: String = UUID().uuidString) throws {
        (output, errors) = (folder.file("\(name).out"), folder.file("\(name).err"))
        let environment = [
            "PATH": "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", "HOME": folder.path,
            "TMPDIR": folder.path, "FILEQ_HOME": folder.path, "LANG": "C.UTF-8",
        ]
        process = try ChildProcess(
            words[0], Array(words.dropFirst()), environment: environment, folder: folder.path,
            output: .file(output), errors: .file(errors))
    }

    deinit {
        process.send(SIGTERM)
        if process.wait(within: 5) == nil { process.send(SIGKILL) }
        _ = process.wait()
    }

    var isRunning: Bool { process.isRunning }
    var text: String { (try? String(contentsOfFile: output, encoding: .utf8)) ?? "" }
    var complaints: String { (try? String(contentsOfFile: errors, encoding: .utf8)) ?? "" }
    var lines: [String] { text.split(separator: "\n").map(String.init) }

    /// `nil` where it runs longer than `seconds`.
    func end(within seconds: Double = 60) async -> Int32? {
        await offPool { [process] in process.wait(within: seconds) }
    }

    /// Looks at what it said a few times a second until `condition` holds; false after `seconds`, and where it has
    /// ended without.
    func says(within seconds: Double = 30, _ condition: () -> Bool) async -> Bool {
        let end = ContinuousClock.now + .seconds(seconds)
        repeat {
            let isRunning = isRunning
            if condition() { return true }
            if !isRunning { return false }
            try? await Task.sleep(for: .milliseconds(20))
        } while ContinuousClock.now < end
        return false
    }

    /// Seconds of processor time so far; the kernel counts in hundredths.
    var processorTime: Double {
        let text = (try? String(contentsOfFile: "/proc/\(process.pid)/stat", encoding: .utf8)) ?? ""
        let words = text.split(separator: ")").last?.split(separator: " ") ?? []
        guard words.count > 12, let user = Double(words[11]), let system = Double(words[12]) else { return .nan }
        return (user + system) / Double(sysconf(Int32(_SC_CLK_TCK)))
    }

    /// What a short command says.
    static func output(_ words: [String]) async throws -> String {
        let folder = try TemporaryFolder()
        let program = try Program(words, in: folder)
        #expect(await program.end(within: 20) == 0, "\(words): \(program.complaints)")
        return program.text
    }

    /// Beside the test bundle, wherever that was built.
    static func built(_ name: String) -> String {
        let bundle =
            (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? CommandLine.arguments[0]
        let named = CommandLine.arguments.first { $0.hasSuffix(".xctest") } ?? bundle
        return URL(filePath: named).deletingLastPathComponent().appending(path: name).path
    }
}
