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

/// A queue in memory that obeys at once, for a control server to stand before.
final class ObedientQueue: QueueClient, ControlHandler {
    struct Contents {
        var transfers: [Transfer] = []
        var limits = QueueLimits()
        var performed: [(command: QueueCommand, ids: [Int])] = []
        var relocated: [Relocation] = []
        /// What relocating reports.
        var dropped: [String] = []
        /// Those that are not relocated.
        var refused: [Int] = []
        var timetable = LimitTimetable()
        var history: [HistoryEntry] = []
        var attempts: [TransferAttempt] = []
        var ranges: TransferRanges?
        var undone: UndoneCommand?
        var listeners: [Int: AsyncStream<QueueUpdate>.Continuation] = [:]
        var nextListener = 1
    }

    static let time = 1_700_000_000.0
    let contents: Mutex<Contents>
    var queue: any QueueClient { self }

    init(_ transfers: [Transfer]) { contents = Mutex(Contents(transfers: transfers)) }

    /// Changes a transfer and reports it.
    func change(_ id: Int, _ state: TransferState, _ change: (inout TransferForm) -> Void = { _ in }) {
        contents.withLock { contents in
            guard let index = contents.transfers.firstIndex(where: { $0.id.rawValue == id }) else { return }
            contents.transfers[index].edit { form in
                form.state = state
                change(&form)
            }
            let event = TransferEvent(time: Self.time, name: .init(of: state), transfer: contents.transfers[index])
            contents.listeners.values.forEach { $0.yield(.events([event])) }
        }
    }

    func undo() async throws -> UndoneCommand {
        guard let undone = contents.withLock({ $0.undone }) else {
            throw TransferError(.usage, "nothing to undo", fields: .init(variant: .nothingToUndo))
        }
        return undone
    }

    /// Every stream ends in order.
    func end() {
        let listeners = contents.withLock { contents in
            defer { contents.listeners = [:] }
            return contents.listeners
        }
        listeners.values.forEach { $0.finish() }
    }

    var listenerCount: Int { contents.withLock { $0.listeners.count } }
    func shutDownRequested() { end() }

    func add(_ descriptions: [Spec], on terms: TransferTerms) async throws -> [TransferID] { [] }

    func perform(_ command: QueueCommand, on ids: [TransferID]) async throws {
        if let unknown = ids.first(where: { id in contents.withLock { !$0.transfers.contains { $0.id == id } } }) {
            throw TransferError.unknownTransfer(unknown)
        }
        contents.withLock { $0.performed.append((command, ids.map(\.rawValue))) }
        for id in ids {
            switch command {
            case .pause: change(id.rawValue, .paused) { $0.pausedBy = .transfer }
            case .hold: change(id.rawValue, .paused) { $0.pausedBy = .queue }
            case .dismiss: contents.withLock { $0.transfers.removeAll { $0.id == id } }
            case .resume, .retry: change(id.rawValue, .queued)
            case .cancel: change(id.rawValue, .cancelled)
            default: break
            }
        }
    }

    func setLimits(_ limits: QueueLimits) async throws { contents.withLock { $0.limits = limits } }
    func timetable() async throws -> LimitTimetable { contents.withLock { $0.timetable } }
    func setTimetable(_ timetable: LimitTimetable) async throws { contents.withLock { $0.timetable = timetable } }
    func snapshot() async throws -> QueueSnapshot {
        contents.withLock { QueueSnapshot(transfers: $0.transfers, limits: $0.limits) }
    }

    func updates() -> AsyncStream<QueueUpdate> {
        let (stream, continuation) = AsyncStream.makeStream(of: QueueUpdate.self)
        let key = contents.withLock { contents in
            continuation.yield(.snapshot(QueueSnapshot(transfers: contents.transfers, limits: contents.limits)))
            contents.listeners[contents.nextListener] = continuation
            defer { contents.nextListener += 1 }
            return contents.nextListener
        }
        // Not at once: it is called while the cancelled task is locked, for which `yield` waits with locked contents.
        continuation.onTermination = { [weak self] _ in
            Task { self?.contents.withLock { $0.listeners[key] = nil } }
        }
        return stream
    }

    func info(_ id: TransferID) async throws -> TransferInfo {
        let found = contents.withLock { contents in
            (contents.transfers + contents.history.map(\.transfer)).first { $0.id == id }.map {
                TransferInfo(transfer: $0, attempts: contents.attempts, ranges: contents.ranges)
            }
        }
        guard let found else { throw TransferError.unknownTransfer(id) }
        return found
    }

    func relocate(_ id: TransferID, to place: Relocation) async throws -> [String] {
        try contents.withLock { contents in
            if contents.refused.contains(id.rawValue) { throw TransferError(.cannotWrite, "no room") }
            contents.relocated.append(place)
            return contents.dropped
        }
    }

    func history(_ query: HistoryQuery) async throws -> [HistoryEntry] {
        let matcher = QueueFilterMatcher(query.filter)
        let all = contents.withLock { $0.history }.filter { entry in
            matcher.takes(entry.transfer)
                && query.before.map { (entry.endedAt, entry.transfer.id) < ($0.endedAt, $0.id) } ?? true
        }
        return Array(all.prefix(query.limit))
    }

    func clear(_ filter: QueueFilter) async throws -> Int {
        contents.withLock { contents in
            let gone = Set(filter.apply(to: contents.transfers).filter(\.state.isEnded).map(\.id))
            contents.transfers.removeAll { gone.contains($0.id) }
            return gone.count
        }
    }
}

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
    let queue: ObedientQueue
    private let server: ControlServer
    let said: Mutex<[String]> = Mutex([])
    private let opening: Mutex<[String]> = Mutex([])
    private let copying: Mutex<[String]> = Mutex([])
    /// What would have been opened, and copied.
    var opened: [String] { opening.withLock { $0 } }
    var copied: [String] { copying.withLock { $0 } }

    init(_ transfers: [Transfer]) throws {
        folder = try Folder()
        queue = ObedientQueue(transfers)
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
        (transfer.total, transfer.addedAt) = (Int64(id) * 1000, ObedientQueue.time)
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
        context.surroundings.now = { ObedientQueue.time }
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

    var performed: [(command: QueueCommand, ids: [Int])] { queue.contents.withLock { $0.performed } }

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
