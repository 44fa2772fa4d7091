// SPDX-License-Identifier: MIT

import Foundation
import Glibc
import NetworkLab
import Synchronization
import Testing
import TransferTesting

/// All that one test has: folders, servers, and the service that its commands start. Whatever happens, it ends with the
/// test.
final class SoakStage: Sendable {
    let folder: TemporaryFolder
    private let children = Mutex<[ChildProcess]>([])
    private let count = Atomic<Int>(0)
    private let mounts = Mutex<[String]>([])
    let server: UploadServer
    let lab: LabEnd

    private init() async throws {
        folder = try TemporaryFolder()
        for name in ["home", "state", "tmp", "logs", "here", "wanted", "sources"] {
            try FileManager.default.createDirectory(atPath: folder.file(name), withIntermediateDirectories: false)
        }
        let server = try await UploadServer(folder: folder)
        self.server = server
        do { lab = try await LabEnd() } catch {
            await server.stop()
            throw error
        }
    }

    static func with(_ body: (SoakStage) async throws -> Void) async throws {
        let stage = try await SoakStage()
        do {
            try await body(stage)
        } catch {
            await stage.strike()
            throw error
        }
        await stage.strike()
    }

    private func strike() async {
        _ = try? await fileq("service", "stop")
        for pid in processes { kill(pid, SIGKILL) }
        for child in children.withLock({ $0 }) where child.isRunning {
            child.send(SIGKILL)
            _ = await child.end(within: 10)
        }
        await server.stop()
        await lab.stop()
        for path in mounts.withLock({ $0 }).reversed() { umount2(path, Int32(MNT_DETACH)) }
        withExtendedLifetime(folder) {}
    }

    // MARK: Places

    /// Where downloads go.
    var here: String { folder.file("here") }
    /// `FILEQ_HOME`.
    var state: String { folder.file("state") }
    /// The folder of its store.
    var queue: String { "\(state)/queue" }
    /// The files to be sent.
    func source(_ name: String) -> String { folder.file("sources/\(name)") }
    func names(in path: String) -> [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []).sorted()
    }

    /// Puts a small file system of memory over an empty folder.
    func mountMemory(at path: String, bytes: Int) throws {
        try #require(
            mount("fileq-soak", path, "tmpfs", 0, "size=\(bytes),mode=0700") == 0,
            "mount: \(String(cString: strerror(errno)))")
        mounts.withLock { $0.append(path) }
    }

    /// A file system that a test has mounted ends with it.
    func noteMount(_ path: String) { mounts.withLock { $0.append(path) } }

    /// Resizes it, or makes it read-only, as soon as no process has a file open for writing there: one that could not
    /// start may still be ending.
    func remount(_ path: String, _ options: String, flags: Int = 0) async throws {
        let isDone = await becomesTrue {
            mount("fileq-soak", path, "tmpfs", UInt(MS_REMOUNT) | UInt(flags), options) == 0
        }
        try #require(isDone, "\(path) cannot be mounted again")
    }

    // MARK: Commands

    /// Nothing of the surroundings of the test reaches a program.
    var environment: [String: String] {
        [
            "PATH": "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", "HOME": folder.file("home"),
            "TMPDIR": folder.file("tmp"), "FILEQ_HOME": state, "LANG": "C.UTF-8",
        ]
    }

    func start(_ program: String, _ arguments: [String], environment extra: [String: String] = [:]) throws -> Running {
        let number = count.add(1, ordering: .relaxed).newValue
        let (output, errors) = (folder.file("logs/\(number).out"), folder.file("logs/\(number).err"))
        let child = try ChildProcess(
            program, arguments, environment: environment.merging(extra) { $1 }, folder: here,
            output: .file(output), errors: .file(errors))
        children.withLock { children in
            children.removeAll { !$0.isRunning }
            children.append(child)
        }
        return Running(child: child, words: arguments, output: output, errors: errors)
    }

    func startFileq(_ arguments: [String], environment: [String: String] = [:]) throws -> Running {
        try start(Binary.path, arguments, environment: environment)
    }

    /// Runs a command to its end. A command without a reply after a minute hangs, whichever process was killed
    /// meanwhile.
    func fileq(_ arguments: String..., environment: [String: String] = [:]) async throws -> Said {
        try await startFileq(arguments, environment: environment).end()
    }

    func fileq(_ arguments: [String], environment: [String: String] = [:]) async throws -> Said {
        try await startFileq(arguments, environment: environment).end()
    }

    /// Runs a command that has to succeed.
    @discardableResult
    func done(
        _ arguments: [String], environment: [String: String] = [:], location: SourceLocation = #_sourceLocation
    ) async throws -> Said {
        let said = try await fileq(arguments, environment: environment)
        try #require(said.exit == 0, "\(said)", sourceLocation: location)
        return said
    }
}

/// A command under way.
struct Running: Sendable {
    let child: ChildProcess
    let words: [String]
    let output: String
    let errors: String

    func end(within seconds: Double = 60) async -> Said {
        let exit = await child.end(within: seconds)
        defer { for path in [output, errors] { unlink(path) } }
        return Said(words: words, exit: exit, text: Self.text(output), complaints: Self.text(errors))
    }

    private static func text(_ path: String) -> String {
        String(decoding: FileManager.default.contents(atPath: path) ?? Data(), as: UTF8.self)
    }
}

/// How a command ended and what it said.
struct Said: Sendable, CustomStringConvertible {
    let words: [String]
    /// Exit code, or the negative number of a signal.
    let exit: Int32
    let text: String
    let complaints: String

    var lines: [String] { text.split(separator: "\n").map(String.init) }
    var description: String {
        "\(words.prefix(12)): exit \(exit); out: \(text.prefix(600)); err: \(complaints.prefix(1200))"
    }
}
