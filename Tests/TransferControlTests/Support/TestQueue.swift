// SPDX-License-Identifier: MIT

import Synchronization
import TransferModel
import TransferTesting

@testable import TransferControl

/// A queue in memory whose commands take effect at once and whose times never change.
final class TestQueue: QueueClient {
    private struct Contents {
        var transfers: [Transfer] = []
        var limits = QueueLimits()
        var limitsSet = 0
        var timetable = LimitTimetable()
        var added: [Spec] = []
        var performed: [QueueCommand] = []
        var relocated: [Relocation] = []
        /// What relocating reports.
        var dropped: [String] = []
        var listeners: [Int: AsyncStream<QueueUpdate>.Continuation] = [:]
        var subscriptions = 0
        var sessionEvents: [SessionEvent] = []
        var isHeld = false
        var held: [CheckedContinuation<Void, Never>] = []
    }

    static let time = 1_700_000_000.0
    static let session = "org.example.mirror"
    private let contents = Mutex(Contents())

    /// A download that runs and an upload that is done, then `more` that are queued.
    init(more: Int = 0) {
        var running = Transfer(
            id: TransferID(rawValue: 1), kind: .download, url: "https://example.org/pool/big.iso",
            file: "/home/user/big.iso", state: .running)
        running.edit { ($0.bytes, $0.total, $0.confirmed, $0.rate, $0.eta) = (1024, 4096, 1024, 512, 6) }
        var done = Transfer(
            id: TransferID(rawValue: 2), kind: .upload, url: "https://example.org/upload",
            file: "/home/user/議事録.pdf", state: .completed)
        (done.bytes, done.total, done.confirmed, done.httpStatus) = (2048, 2048, 2048, 201)
        let queued = (0..<more).map { index in
            Transfer(
                id: TransferID(rawValue: index + 3), kind: .download, url: "https://example.org/pool/\(index)",
                file: "/home/user/\(index)", state: .queued)
        }
        var all = [running, done] + queued
        for index in all.indices { all[index].addedAt = Self.time }
        var ended = done
        (ended.session, ended.addedAt) = (Self.session, Self.time)
        let event = SessionEvent(
            sequence: 7, time: Self.time, transfer: ended,
            responseFields: [
                .init(name: "Location", value: "/files/1/minutes.pdf")
            ])
        contents.withLock { [all] in
            $0.transfers = all
            $0.sessionEvents = [event]
        }
    }

    var added: [Spec] { contents.withLock { $0.added } }
    var performed: [QueueCommand] { contents.withLock { $0.performed } }
    /// How often all limits were set.
    var limitsSet: Int { contents.withLock { $0.limitsSet } }
    var relocated: [Relocation] { contents.withLock { $0.relocated } }
    var listenerCount: Int { contents.withLock { $0.listeners.count } }
    /// The number of subscriptions so far.
    var subscriptions: Int { contents.withLock { $0.subscriptions } }

    /// From now on `snapshot` waits until ``release()``.
    func hold() { contents.withLock { $0.isHeld = true } }

    /// Calls that wait for ``release()``.
    var heldCount: Int { contents.withLock { $0.held.count } }

    func release() {
        let held = contents.withLock { contents in
            contents.isHeld = false
            defer { contents.held = [] }
            return contents.held
        }
        held.forEach { $0.resume() }
    }

    /// Notifies every listener.
    func post(_ update: QueueUpdate) {
        contents.withLock { contents in contents.listeners.values.forEach { $0.yield(update) } }
    }

    /// Advances the first transfer and reports it.
    func progress(to bytes: Int64) { change(1, .progress) { $0.bytes = bytes } }

    func end() {
        let listeners = contents.withLock { contents in
            defer { contents.listeners = [:] }
            return contents.listeners
        }
        listeners.values.forEach { $0.finish() }
    }

    private func change(_ id: Int, _ name: TransferEvent.Name, _ body: (inout TransferForm) -> Void) {
        contents.withLock { contents in
            guard let index = contents.transfers.firstIndex(where: { $0.id.rawValue == id }) else { return }
            contents.transfers[index].edit(body)
            let event = TransferEvent(time: Self.time, name: name, transfer: contents.transfers[index])
            contents.listeners.values.forEach { $0.yield(.events([event])) }
        }
    }

    func add(_ descriptions: [Spec], on terms: TransferTerms) async throws -> [TransferID] {
        contents.withLock { contents in
            contents.added += descriptions
            let ids = descriptions.map { description in
                let id = TransferID(rawValue: (contents.transfers.last?.id.rawValue ?? 0) + 1)
                var transfer = Transfer(
                    id: id, kind: description.kind, url: description.url.string, file: "/home/user/new",
                    state: terms.paused ? .paused : .queued)
                transfer.addedAt = Self.time
                contents.transfers.append(transfer)
                return id
            }
            let events = contents.transfers.suffix(ids.count).map {
                TransferEvent(time: Self.time, name: terms.paused ? .paused : .queued, transfer: $0)
            }
            contents.listeners.values.forEach { $0.yield(.events(events)) }
            return ids
        }
    }

    func perform(_ command: QueueCommand, on ids: [TransferID]) async throws {
        if let unknown = ids.first(where: { id in contents.withLock { !$0.transfers.contains { $0.id == id } } }) {
            throw TransferError.unknownTransfer(unknown)
        }
        contents.withLock { $0.performed.append(command) }
        switch command {
        case .pause:
            for id in ids { change(id.rawValue, .paused) { ($0.state, $0.rate, $0.eta) = (.paused, nil, nil) } }
        case .limit(let rate): for id in ids { change(id.rawValue, .changed) { $0.rateLimit = rate } }
        case .move:
            let order = contents.withLock { contents in
                contents.transfers.reverse()
                return contents.transfers.map(\.id)
            }
            post(.order(order))
        case .remove:
            contents.withLock { $0.transfers.removeAll { ids.contains($0.id) } }
            post(.removed(ids))
        default: break
        }
    }

    func setLimits(_ limits: QueueLimits) async throws {
        guard limits.concurrent >= 1 else { throw TransferError(.usage, "limits must be above 0") }
        contents.withLock { contents in
            contents.limits = limits
            contents.limitsSet += 1
        }
        post(.limits(limits))
    }

    func setHeld(_ isHeld: Bool) async throws {
        let limits = contents.withLock { contents in
            contents.limits.isHeld = isHeld ? true : nil
            return contents.limits
        }
        post(.limits(limits))
    }

    /// The beginning of the first transfer and the end of the second.
    func log(_ query: LogQuery) async throws -> LogPage {
        let all = contents.withLock { contents in
            let events: [(TransferEvent.Name, Int)] = [(.queued, 1), (.started, 1), (.completed, 2)]
            return events.enumerated().compactMap { index, event -> LogEntry? in
                guard let transfer = contents.transfers.first(where: { $0.id.rawValue == event.1 }) else { return nil }
                return LogEntry(
                    sequence: Int64(index + 1), time: Self.time, name: event.0, isNew: index == 0 ? true : nil,
                    transfer: transfer)
            }
        }
        let found = all.filter { entry in
            let isInside = entry.sequence > (query.after ?? 0) && entry.sequence < (query.before ?? Int64.max)
            return isInside && (query.id == nil || query.id == entry.transfer.id)
        }
        let page = query.after == nil ? found.suffix(query.limit) : found.prefix(query.limit)
        return LogPage(began: Self.time, oldest: 1, latest: Int64(all.count), entries: Array(page))
    }

    func snapshot() async throws -> QueueSnapshot {
        await withCheckedContinuation { continuation in
            let isHeld = contents.withLock { contents in
                if contents.isHeld { contents.held.append(continuation) }
                return contents.isHeld
            }
            if !isHeld { continuation.resume() }
        }
        return contents.withLock { QueueSnapshot(transfers: $0.transfers, limits: $0.limits) }
    }

    func updates() -> AsyncStream<QueueUpdate> {
        let (stream, continuation) = AsyncStream.makeStream(of: QueueUpdate.self)
        let key = contents.withLock { contents in
            contents.subscriptions += 1
            contents.listeners[contents.subscriptions] = continuation
            continuation.yield(.snapshot(QueueSnapshot(transfers: contents.transfers, limits: contents.limits)))
            return contents.subscriptions
        }
        // Not at once: it is called while the cancelled task is locked, for which `yield` waits with locked contents.
        continuation.onTermination = { [weak self] _ in
            Task { self?.contents.withLock { $0.listeners[key] = nil } }
        }
        return stream
    }

    func info(_ id: TransferID) async throws -> TransferInfo {
        guard let transfer = contents.withLock({ $0.transfers.first { $0.id == id } }) else {
            throw TransferError.unknownTransfer(id)
        }
        var attempt = TransferAttempt(number: 1, startedAt: Self.time, url: transfer.url, firstByte: 0)
        attempt.lastByte = transfer.bytes
        let ranges = TransferRanges(stored: [0..<512, 2048..<2560], requested: [512..<2048, 2560..<4096])
        let heads = TransferHeads(
            method: "GET", url: transfer.url, request: [.init(name: "Range", value: "bytes=512-")], status: 206,
            response: [.init(name: "Set-Cookie", value: nil)])
        return TransferInfo(transfer: transfer, attempts: [attempt], ranges: ranges, heads: heads)
    }

    func relocate(_ id: TransferID, to place: Relocation) async throws -> [String] {
        let dropped = contents.withLock { contents in
            contents.relocated.append(place)
            return contents.dropped
        }
        while place.folder != nil, contents.withLock({ $0.limits.concurrent }) == 1 { await Task.yield() }
        return dropped
    }

    func history(_ query: HistoryQuery) async throws -> [HistoryEntry] {
        let ended = contents.withLock { $0.transfers.filter(\.state.isEnded) }
        return query.filter.apply(to: ended).prefix(query.limit).map { HistoryEntry(endedAt: Self.time, transfer: $0) }
    }

    func sessionEvents(of session: String, limit: Int) async throws -> [SessionEvent] {
        contents.withLock { Array($0.sessionEvents.filter { $0.transfer.session == session }.prefix(limit)) }
    }

    func acknowledgeSessionEvents(of session: String, upTo sequence: Int64) async throws {
        contents.withLock { $0.sessionEvents.removeAll { $0.transfer.session == session && $0.sequence <= sequence } }
    }

    func undo() async throws -> UndoneCommand {
        UndoneCommand(command: "cancel", performedAt: 1_700_000_000, ids: [TransferID(rawValue: 3)])
    }

    func rates(seconds: Int, of id: TransferID?) async throws -> RateReport {
        var report = RateReport(
            received: [1024, 0, 512].suffix(seconds), sent: [0, 0, 0].suffix(seconds),
            limits: contents.withLock(\.limits),
            transfer: id.map { id in
                TransferRates(id: id, series: [.init(step: 1, rates: [nil, 1024, 0]), .init(step: 5, rates: [512])])
            })
        report.receivedSeries = [.init(step: 1, rates: [1024, 0, 512]), .init(step: 5, rates: [512])]
        report.sentSeries = [.init(step: 1, rates: [0, 0, 0]), .init(step: 5, rates: [0])]
        return report
    }

    func timetable() async throws -> LimitTimetable { contents.withLock { $0.timetable } }
    func setTimetable(_ timetable: LimitTimetable) async throws { contents.withLock { $0.timetable = timetable } }
}
