// SPDX-License-Identifier: MIT

import Foundation
import Glibc
import Synchronization
import Testing
import TransferTesting

/// All that one test has: a folder, the programs it started and the servers it wrote. Whatever happens, they end with
/// it.
final class Stage: Sendable {
    private let folder: TemporaryFolder
    private let children = Mutex<[ChildProcess]>([])
    private let servers = Mutex<[ScriptedServer]>([])
    private let count = Atomic<Int>(0)

    private init() throws {
        folder = try TemporaryFolder()
        for name in ["home", "state", "tmp", "logs", "here"] {
            try FileManager.default.createDirectory(atPath: folder.file(name), withIntermediateDirectories: false)
        }
    }

    static func with(_ body: (Stage) async throws -> Void) async throws {
        let stage = try Stage()
        do {
            try await body(stage)
        } catch {
            await stage.strike()
            throw error
        }
        await stage.strike()
    }

    private func strike() async {
        for server in servers.withLock({ $0 }) { server.stop() }
        let running = children.withLock { $0 }.filter(\.isRunning)
        for child in running.reversed() { child.send(SIGTERM) }
        for child in running { _ = await child.end(within: 10) }
        let left = (try? FileManager.default.contentsOfDirectory(atPath: folder.file("tmp"))) ?? []
        #expect(left.isEmpty, "left behind in the folder for temporary files")
        withExtendedLifetime(folder) {}
    }

    // MARK: Files

    /// A path below the folder that programs begin in.
    func path(_ name: String) -> String { folder.file("here/\(name)") }
    /// A path outside of it.
    func aside(_ name: String) -> String { folder.file(name) }

    func makeFolder(_ path: String) throws -> String {
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        return path
    }

    /// - Returns: its whole path.
    @discardableResult
    func write(_ text: String, to name: String, mode: mode_t = 0o600) throws -> String {
        try write(Array(text.utf8), to: name, mode: mode)
    }

    @discardableResult
    func write(_ bytes: [UInt8], to name: String, mode: mode_t = 0o600) throws -> String {
        try Data(bytes).write(to: URL(fileURLWithPath: path(name)))
        chmod(path(name), mode)
        return path(name)
    }

    func bytes(_ name: String) -> [UInt8]? { FileManager.default.contents(atPath: path(name)).map { [UInt8]($0) } }
    func text(_ name: String) -> String? { bytes(name).map { String(decoding: $0, as: UTF8.self) } }
    func exists(_ name: String) -> Bool { Files.exists(path(name)) }
    /// The names in the folder that programs begin in, sorted.
    var names: [String] { ((try? FileManager.default.contentsOfDirectory(atPath: path(""))) ?? []).sorted() }

    // MARK: Programs

    /// Nothing of the surroundings of the test reaches a program, proxies and configuration least of all.
    var environment: [String: String] {
        [
            "PATH": "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", "HOME": aside("home"),
            "TMPDIR": aside("tmp"),
            "FILEQ_HOME": aside("state"), "LANG": "C.UTF-8", "FILEQ": Binary.path,
        ]
    }

    /// Starts a program whose output goes to files.
    func start(
        _ program: String, _ arguments: [String], environment extra: [String: String] = [:],
        input: String = "/dev/null"
    ) throws -> Started {
        let number = count.add(1, ordering: .relaxed).newValue
        let (output, errors) = (aside("logs/\(number).out"), aside("logs/\(number).err"))
        let child = try ChildProcess(
            program, arguments, environment: environment.merging(extra) { $1 }, folder: path(""),
            input: .file(input), output: .file(output), errors: .file(errors))
        children.withLock { $0.append(child) }
        return Started(child: child, output: output, errors: errors)
    }

    func startFileq(_ arguments: [String], environment: [String: String] = [:]) throws -> Started {
        try start(Binary.path, arguments, environment: environment)
    }

    /// Runs `fileq` to its end.
    func fileq(
        _ arguments: String..., environment: [String: String] = [:], input: String = "/dev/null"
    ) async throws -> Outcome {
        try await fileq(arguments, environment: environment, input: input)
    }

    func fileq(
        _ arguments: [String], environment: [String: String] = [:], input: String = "/dev/null"
    ) async throws -> Outcome {
        try await start(Binary.path, arguments, environment: environment, input: input).end()
    }

    /// Runs a line of bash, which finds the program as `$FILEQ`; a pipe fails where any part of it does.
    func shell(_ line: String, within seconds: Double = 60) async throws -> Outcome {
        try await start("/bin/bash", ["-o", "pipefail", "-c", line]).end(within: seconds)
    }

    // MARK: Servers

    /// A server whose answers the test writes.
    func server(_ script: @escaping @Sendable (ScriptedConnection, Int) -> Void) throws -> ScriptedServer {
        let server = try ScriptedServer(script)
        servers.withLock { $0.append(server) }
        return server
    }

    /// A server that gives each request the same answer.
    func replying(_ status: String, _ fields: [String] = [], body: String = "") throws -> ScriptedServer {
        try server { connection, _ in
            while connection.readHead() != nil { connection.answer(status, fields, body: Array(body.utf8)) }
        }
    }
}

/// A program that runs, and where its words go.
struct Started: Sendable {
    let child: ChildProcess
    let output: String
    let errors: String

    func end(within seconds: Double = 60) async -> Outcome {
        let exit = await child.end(within: seconds)
        return Outcome(
            exit: exit, output: FileManager.default.contents(atPath: output) ?? Data(),
            errors: FileManager.default.contents(atPath: errors) ?? Data())
    }
}

/// How a program ended and what it said.
struct Outcome: Sendable, CustomStringConvertible {
    /// Exit code, or the negative number of a signal.
    let exit: Int32
    let output: Data
    let errors: Data

    var text: String { String(decoding: output, as: UTF8.self) }
    var complaints: String { String(decoding: errors, as: UTF8.self) }
    var complaintLines: [String] { complaints.split(separator: "\n").map(String.init) }
    var description: String { "exit \(exit); out: \(text.prefix(600)); err: \(complaints.prefix(1200))" }

    /// What `--json` wrote.
    func events() throws -> [JSONEvent] { try text.split(separator: "\n").map { try JSONEvent(line: String($0)) } }
}
