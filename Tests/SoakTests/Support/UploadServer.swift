// SPDX-License-Identifier: MIT

import Foundation
import Glibc
import Synchronization
import Testing
import TransferModel
import TransferTesting

/// `fileq serve`, or a store of S3, as a process, at one port over all its lives.
final class UploadServer: Sendable {
    enum Program: Sendable {
        /// - Parameter syncs: a confirmed byte survives a power cut.
        case fileQ(syncs: Bool)
        /// `Tests/uploads/s3store.py`; its confirmed parts survive one.
        case s3
    }

    /// What clients of ``Program/s3`` have to sign with.
    static let keys = ["AWS_ACCESS_KEY_ID": "AKIDOFATEST", "AWS_SECRET_ACCESS_KEY": "planted+secret/key"]
    private static let python = ["/usr/bin/python3", "/usr/local/bin/python3"]
        .first { FileManager.default.isExecutableFile(atPath: $0) }
    private static let store = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: "uploads/s3store.py").path

    let port: Int
    let root: String
    private let folder: TemporaryFolder
    private let program: Program
    private let child = Mutex<ChildProcess?>(nil)
    private let lives = Atomic<Int>(0)

    init(folder: TemporaryFolder, as program: Program = .fileQ(syncs: false)) async throws {
        (self.folder, self.program, root) = (folder, program, folder.file("served"))
        try FileManager.default.createDirectory(atPath: root, withIntermediateDirectories: false)
        port = try lastingPort()
        try await start()
    }

    func url(_ path: String) -> String { "http://127.0.0.1:\(port)\(path)" }

    /// - Parameter boot: the boot that it sees; `nil`: the machine's own.
    func start(_ boot: OtherBoot? = nil) async throws {
        // Whatever is asked for is watched, line by line: lines of all its lives stay.
        let number = lives.add(1, ordering: .relaxed).newValue
        var environment = Self.keys
        environment["PATH"] = "/usr/bin:/bin"
        environment["HOME"] = root
        environment["TMPDIR"] = folder.path
        environment["FILEQ_HOME"] = folder.file("server-state")
        let command = try self.command()
        let (first, arguments) = boot?.words(command) ?? (command[0], Array(command.dropFirst()))
        let child = try ChildProcess(
            first, arguments, environment: environment, folder: folder.path,
            output: .file(folder.file("server-\(number).out")), errors: .file(log(number)))
        self.child.withLock { $0 = child }
        let port = port
        let hasStarted =
            await becomesTrue(within: 120) { child.isListening(at: port) || !child.isRunning } && child.isRunning
        let own = String(decoding: FileManager.default.contents(atPath: log(number)) ?? Data(), as: UTF8.self)
        if !hasStarted { child.send(SIGKILL) }
        try #require(hasStarted, "\(command) did not start; running: \(child.isRunning), life \(number): \(own)")
    }

    private func command() throws -> [String] {
        switch program {
        case .fileQ(let syncs):
            return [Binary.path, "serve", root, "--port", "\(port)", "-v"] + (syncs ? [] : ["--no-sync"])
        case .s3:
            let python = try #require(Self.python, "python3 is not installed")
            return [python, Self.store, root, "\(port)"]
        }
    }

    /// Kills it, as with a power switch.
    func strike() async {
        guard let child = child.withLock({ $0 }) else { return }
        child.send(SIGKILL)
        _ = await child.end(within: 10)
    }

    func stop() async { await strike() }

    private func log(_ number: Int) -> String { folder.file("server-\(number).err") }

    /// What it said of its requests, over all its lives.
    var lines: [String] {
        (1...max(1, lives.load(ordering: .relaxed))).flatMap { number in
            String(decoding: FileManager.default.contents(atPath: log(number)) ?? Data(), as: UTF8.self).split(
                separator: "\n"
            ).map(String.init)
        }
    }

    // MARK: Asked directly

    /// A session such as senders get.
    func newSID() async throws -> String {
        try JSONDecoder().decode(FileQSession.self, from: await ask("POST \(FileQSession.path)")).sid
    }

    /// All FileQ uploads that it holds.
    func uploads() async throws -> [FileQListing.Entry] {
        try JSONDecoder().decode(FileQListing.self, from: await ask("GET \(FileQListing.path)")).files
    }

    /// Where an upload's bytes are.
    func path(of entry: FileQListing.Entry) -> String { "\(root)/files/\(entry.id)/\(entry.name)" }

    /// One request without a body, and the body of its answer.
    private func ask(_ line: String) async throws -> Data {
        let port = port
        let bytes = await offPool { () -> [UInt8] in
            let descriptor = connectLoopback(port)
            guard descriptor >= 0 else { return [] }
            defer { close(descriptor) }
            let head = Array(
                "\(line) HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 0\r\nConnection: close\r\n\r\n".utf8)
            guard Glibc.send(descriptor, head, head.count, Int32(MSG_NOSIGNAL)) == head.count else { return [] }
            var (answer, piece) = ([UInt8](), [UInt8](repeating: 0, count: 65_536))
            while case let count = recv(descriptor, &piece, piece.count, 0), count > 0 { answer += piece[..<count] }
            return answer
        }
        let end = try #require(bytes.firstRange(of: Array("\r\n\r\n".utf8)), "no answer to \(line)")
        return Data(bytes[end.upperBound...])
    }
}
