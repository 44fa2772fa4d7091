// SPDX-License-Identifier: MIT

import Testing
import TransferControl
import TransferModel
import TransferTesting

@testable import TransferService

struct QueueLogTests {
    private func transfer(_ id: Int, _ status: TransferStatus = .queued()) -> Transfer {
        Transfer(
            id: TransferID(rawValue: id), kind: .download, url: "https://a.test/", file: "/tmp/\(id)", status: status)
    }

    /// Events of the transfers 1, 2 and 3 in turn.
    private func filled(_ count: Int) -> QueueLog {
        var log = QueueLog(began: 50)
        for number in 0..<count { log.note(.started, transfer(number % 3 + 1), isNew: false, at: Double(number)) }
        return log
    }

    private func numbers(_ log: QueueLog, _ query: LogQuery) -> [Int64] { log.page(query).entries.map(\.sequence) }

    private static let pages: [(LogQuery, [Int64])] = [
        (LogQuery(), Array(1...9)), (LogQuery(limit: 2), [8, 9]), (LogQuery(before: 8, limit: 2), [6, 7]),
        (LogQuery(before: 2), [1]), (LogQuery(before: 1), []), (LogQuery(after: 0, limit: 3), [1, 2, 3]),
        (LogQuery(after: 7), [8, 9]), (LogQuery(after: 9), []), (LogQuery(after: 99), []),
        (LogQuery(after: 2, before: 5), [3, 4]), (LogQuery(id: TransferID(rawValue: 2), limit: 2), [5, 8]),
        (LogQuery(after: 2, id: TransferID(rawValue: 2), limit: 1), [5]), (LogQuery(id: TransferID(rawValue: 4)), []),
        (LogQuery(after: .max), []), (LogQuery(after: .min, limit: 1), [1]), (LogQuery(before: .min), []),
        (LogQuery(before: .max, limit: 1), [9]), (LogQuery(limit: 0), [9]),
    ]

    @Test(arguments: pages) func returnsPages(_ query: LogQuery, _ expected: [Int64]) {
        let page = filled(9).page(query)
        #expect(page.entries.map(\.sequence) == expected)
        #expect(page.began == 50 && page.oldest == 1 && page.latest == 9)
    }

    @Test func keepsTheLatest() {
        let count = QueueLog.capacity + 25
        let log = filled(count)
        let page = log.page(LogQuery(after: 0, limit: 2))
        #expect(page.entries.map(\.sequence) == [26, 27] && page.oldest == 26 && page.latest == Int64(count))
        #expect(page.entries.map(\.time) == [25, 26])
        #expect(numbers(log, LogQuery(limit: 1)) == [Int64(count)])
        #expect(numbers(log, LogQuery(before: 27)) == [26] && numbers(log, LogQuery(before: 26)).isEmpty)
        #expect(numbers(log, LogQuery(after: 0, limit: 5000)).count == LogQuery.maximumLimit)
    }

    @Test func isEmptyAtFirst() {
        #expect(QueueLog(began: 1).page(LogQuery()) == LogPage(began: 1, oldest: 1, latest: 0, entries: []))
        #expect(QueueLog(began: 1).page(LogQuery(after: 4)).entries.isEmpty)
    }

    @Test func leavesOutWhatNoLineSays() throws {
        var log = QueueLog(began: 0)
        log.note(.progress, transfer(1), isNew: false, at: 0)
        log.note(.changed, transfer(1), isNew: false, at: 0)
        let error = TransferError(.httpStatus, "a.test: 404 Not Found")
        var ended = transfer(1, .failed(.init(at: 5, duration: 2, metrics: TransferMetrics()), error))
        ended.checkpoint = Checkpoint()
        log.note(.failed, ended, isNew: false, at: 5)
        // Back from the history.
        log.note(.queued, ended, isNew: true, at: 6)
        let entries = log.page(LogQuery()).entries
        #expect(entries.count == 1)
        let entry = try #require(entries.first)
        #expect(entry.sequence == 1 && entry.name == .failed && entry.isNew == nil)
        #expect(entry.transfer.error == error && entry.transfer.duration == 2)
        #expect(entry.transfer.metrics == nil && entry.transfer.checkpoint == nil)
    }
}

/// What a queue logs.
@Suite(.timeLimit(.minutes(5))) struct LoggedEventTests {
    @Test func aNewClientHasWhatHappenedSinceTheQueueBegan() async throws {
        let stage = try DurableStage()
        let server = try ScriptedServer.thatHangs()
        let missing = try await stage.queue.add([stage.download(server.url("/missing"), name: "a")], paused: false)[0]
        try await stage.end(of: missing)
        let paused = try await stage.queue.add([stage.download(server.url(), name: "b")], paused: true)[0]
        let page = try await stage.queue.log(LogQuery())
        #expect(page.entries.map(\.sequence) == Array(1...page.latest))
        let own = page.entries.filter { $0.transfer.id == missing }
        #expect(own.map(\.name).first == .queued && own.map(\.name).last == .failed)
        #expect(own.map(\.isNew).first == true && own.dropFirst().allSatisfy { $0.isNew == nil })
        #expect(own.last?.transfer.state == .failed && own.last?.transfer.httpStatus == 404)
        #expect(own.map(\.time) == own.map(\.time).sorted())
        let other = try await stage.queue.log(LogQuery(id: paused)).entries
        #expect(other.map(\.name) == [.paused] && other.map(\.isNew) == [true])
        // The numbers begin again with the next process.
        try await stage.reopen()
        let next = try await stage.queue.log(LogQuery())
        #expect(next.began >= page.began && next.entries.allSatisfy { $0.transfer.id != missing })
    }
}
