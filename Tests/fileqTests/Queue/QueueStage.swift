// SPDX-License-Identifier: MIT

import ArgumentParser
import Foundation
import Glibc
import Synchronization
import Testing
import TransferControl
import TransferModel
import TransferTesting

@testable import fileq

/// The queue commands against a real control server, with their output in a file.
final class QueueStage: Sendable {
    struct Outcome {
        var status: Int32
        var output: String
        var said: [String]
        var lines: [String] { output.split(separator: "\n").map(String.init) }
        var objects: [[String: Any]] {
            lines.compactMap { try? JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any] }
        }
    }

    let folder: Folder
    let queue: FakeQueue
    private let server: ControlServer
    let said: Mutex<[String]> = Mutex([])
    private let opening: Mutex<[String]> = Mutex([])
    private let copying: Mutex<[String]> = Mutex([])
    /// What would have been opened, and copied.
    var opened: [String] { opening.withLock { $0 } }
    var copied: [String] { copying.withLock { $0 } }

    init(_ transfers: [Transfer]) throws {
        folder = try Folder()
        queue = FakeQueue(transfers)
        // All tests run at once on few processors.
        var options = ControlServer.Options(version: "0.1.0")
        options.helloTimeout = 600
        server = try ControlServer(path: folder.path + "/run/s", handler: queue, options: options)
        server.start()
    }

    /// One transfer as they are mostly needed.
    static func transfer(
        _ id: Int, _ state: TransferState = .queued, _ change: (inout TransferForm) -> Void = { _ in }
    ) -> Transfer {
        var transfer = Transfer(
            id: TransferID(rawValue: id), kind: .download, url: "https://example.org/\(id).iso",
            file: "/home/user/\(id).iso", state: state)
        (transfer.total, transfer.addedAt) = (Int64(id) * 1000, FakeQueue.time)
        transfer.edit(change)
        return transfer
    }

    /// Carries out one command line.
    func run(
        _ words: [String], interruption: Interruption = Interruption(), screen: QueueScreen? = nil,
        localTime: LocalTime = .utc,
        connect: (@Sendable (Bool) async throws(TransferError) -> ControlClient)? = nil
    ) async throws -> Outcome {
        let output = folder.path + "/output-\(UInt64.random(in: .min ... .max))"
        let descriptor = open(output, O_CREAT | O_RDWR | O_TRUNC | O_CLOEXEC, 0o600)
        defer { close(descriptor) }
        let path = folder.path + "/run/s"
        var context = QueueContext(connect: { _ async throws(TransferError) in try await Self.connect(path) })
        context.damagedQueue = { [folder] in DamagedQueue.latest(in: folder.path + "/queue") }
        if let connect { context.connect = connect }
        context.output = FileOutput(descriptor: descriptor)
        context.say = { [self] line in said.withLock { $0.append(line) } }
        context.open = { [self] path async throws(TransferError) in opening.withLock { $0.append(path) } }
        context.copy = { [self] text throws(TransferError) in copying.withLock { $0.append(text) } }
        context.screen = screen
        context.interruption = interruption
        context.surroundings.now = { FakeQueue.time }
        context.surroundings.localTime = localTime
        context.surroundings.arguments = words
        let home = folder.path
        context.surroundings.environment = { $0 == "FILEQ_HOME" ? home : nil }
        context.surroundings.askPassword = { _ throws(TransferError) in "asked" }
        context.pause = { _ in await Task.yield() }
        var status: Int32 = 0
        do {
            let command = try #require(try Program.parse(words) as? any QueueParsableCommand)
            try await command.run(in: context)
        } catch let code as ExitCode {
            status = code.rawValue
        } catch {
            let complaint = ErrorReport(error, about: MergedArguments(words: words))
            if let line = complaint.line { context.say(line) }
            status = complaint.status
        }
        let text = (try? String(contentsOfFile: output, encoding: .utf8)) ?? ""
        let heard = said.withLock { said in
            defer { said = [] }
            return said
        }
        return Outcome(status: status, output: text, said: heard)
    }

    static func connect(_ path: String) async throws(TransferError) -> ControlClient {
        do {
            var options = ControlClient.Options(version: "0.1.0")
            // All tests run at once on few processors.
            options.callTimeout = 600
            return try await ControlClient.connect(path: path, options: options)
        } catch {
            throw error as? TransferError ?? TransferError(.other, "\(error)")
        }
    }

    var performed: [(command: QueueCommand, ids: [Int])] { queue.performed }

    func end() async {
        queue.end()
        await server.shutDown()
    }
}

/// Runs `body` with a stage that is taken down afterwards.
func onQueueStage(_ transfers: [Transfer], _ body: (QueueStage) async throws -> Void) async throws {
    let stage = try QueueStage(transfers)
    do {
        try await body(stage)
    } catch {
        await stage.end()
        throw error
    }
    await stage.end()
}
