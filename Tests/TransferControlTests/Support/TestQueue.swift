// SPDX-License-Identifier: MIT

import Synchronization
import TransferModel
import TransferTesting

@testable import TransferControl

/// The queue of the examples in docs/Control.md.
extension FakeQueue {
    static let session = "org.example.mirror"

    /// A download that runs and an upload that is done, then `more` that are queued.
    static func sample(more: Int = 0) -> FakeQueue {
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
        for index in all.indices { all[index].addedAt = time }
        let queue = FakeQueue(all)
        var ended = all[1]
        ended.session = session
        let event = SessionEvent(
            sequence: 7, time: time, transfer: ended,
            responseFields: [.init(name: "Location", value: "/files/1/minutes.pdf")])
        queue.contents.withLock { [all] in
            $0.history = [HistoryEntry(endedAt: time, transfer: all[1])]
            $0.sessionEvents = [event]
            $0.undone = UndoneCommand(command: "cancel", performedAt: time, ids: [TransferID(rawValue: 3)])
        }
        queue.on(LogCall.self) { queue, call in queue.contents.withLock { log(of: $0.transfers, call.query) } }
        queue.on(InfoCall.self) { queue, call in
            guard let transfer = queue.contents.withLock({ $0.transfers.first { $0.id == call.id } }) else {
                throw TransferError.unknownTransfer(call.id)
            }
            return info(transfer)
        }
        queue.on(RatesCall.self) { queue, call in rates(call, queue.contents.withLock(\.limits)) }
        queue.on(RelocateCall.self) { queue, call in
            // Until another client sets other limits.
            while call.place.folder != nil, queue.contents.withLock({ $0.limits.concurrent }) == 1 {
                await Task.yield()
            }
            return .init(dropped: [])
        }
        return queue
    }

    /// Advances the first transfer and reports it.
    func progress(to bytes: Int64) {
        contents.withLock { $0.change(TransferID(rawValue: 1), .progress) { $0.bytes = bytes } }
    }

    /// The beginning of the first transfer and the end of the second.
    private static func log(of transfers: [Transfer], _ query: LogQuery) -> LogPage {
        let events: [(TransferEvent.Name, Int)] = [(.queued, 1), (.started, 1), (.completed, 2)]
        let all = events.enumerated().compactMap { index, event -> LogEntry? in
            guard let transfer = transfers.first(where: { $0.id.rawValue == event.1 }) else { return nil }
            return LogEntry(
                sequence: Int64(index + 1), time: time, name: event.0, isNew: index == 0 ? true : nil,
                transfer: transfer)
        }
        let found = all.filter { entry in
            let isInside = entry.sequence > (query.after ?? 0) && entry.sequence < (query.before ?? Int64.max)
            return isInside && (query.id == nil || query.id == entry.transfer.id)
        }
        let page = query.after == nil ? found.suffix(query.limit) : found.prefix(query.limit)
        return LogPage(began: time, oldest: 1, latest: Int64(all.count), entries: Array(page))
    }

    private static func info(_ transfer: Transfer) -> TransferInfo {
        var attempt = TransferAttempt(number: 1, startedAt: time, url: transfer.url, firstByte: 0)
        attempt.lastByte = transfer.bytes
        let ranges = TransferRanges(stored: [0..<512, 2048..<2560], requested: [512..<2048, 2560..<4096])
        let heads = TransferHeads(
            method: "GET", url: transfer.url, request: [.init(name: "Range", value: "bytes=512-")], status: 206,
            response: [.init(name: "Set-Cookie", value: nil)])
        return TransferInfo(transfer: transfer, attempts: [attempt], ranges: ranges, heads: heads)
    }

    private static func rates(_ call: RatesCall, _ limits: QueueLimits) -> RateReport {
        var report = RateReport(
            received: [1024, 0, 512].suffix(call.duration), sent: [0, 0, 0].suffix(call.duration), limits: limits,
            transfer: call.id.map { id in
                TransferRates(id: id, series: [.init(step: 1, rates: [nil, 1024, 0]), .init(step: 5, rates: [512])])
            })
        report.receivedSeries = [.init(step: 1, rates: [1024, 0, 512]), .init(step: 5, rates: [512])]
        report.sentSeries = [.init(step: 1, rates: [0, 0, 0]), .init(step: 5, rates: [0])]
        return report
    }
}
