// SPDX-License-Identifier: MIT

import HTTPTypes
import Testing
import TransferModel
import TransferTesting

@testable import SessionCore

struct BackgroundProgressRow: Sendable {
    var kind = TransferKind.download
    var before: Transfer?
    var after: Transfer
    var reported: [String]
}

/// The events of a task, derived from the service's records of its transfer.
@Suite struct BackgroundProgressTests {
    private static func at(
        _ bytes: Int64, _ state: TransferState = .running, _ kind: TransferKind = .download,
        _ change: (inout TransferForm) -> Void = { _ in }
    ) -> Transfer {
        var snapshot = Transfer(
            id: TransferID(rawValue: 1), kind: kind, url: "https://a.test/x", file: "/x", state: state)
        (snapshot.bytes, snapshot.total) = (bytes, 100)
        snapshot.edit(change)
        return snapshot
    }

    private static func words(_ events: [TaskEvent]) -> [String] {
        events.map { event in
            switch event {
            case .waiting(let wait): wait.map { "waits: \($0.message)" } ?? "continues"
            case .sent(let bytes, let total, let expected): "sent \(bytes) \(total) \(expected ?? -1)"
            case .wrote(let bytes, let total, let expected): "wrote \(bytes) \(total) \(expected ?? -1)"
            case .response(let head): "response \(head.status.code)"
            case .finishedDownload(let path): "finished \(path)"
            case .metrics(let metrics): "metrics \(metrics.taskStart ?? -1) \(metrics.taskEnd ?? -1)"
            case .completed(let error): "completed \(error.map { "\($0.code.rawValue)" } ?? "ok")"
            default: "something else"
            }
        }
    }

    private static let moveRows: [BackgroundProgressRow] = [
        BackgroundProgressRow(after: at(0), reported: []),
        BackgroundProgressRow(after: at(10), reported: ["wrote 10 10 100"]),
        BackgroundProgressRow(before: at(10), after: at(30), reported: ["wrote 20 30 100"]),
        // From the first byte again.
        BackgroundProgressRow(before: at(30), after: at(5), reported: []),
        BackgroundProgressRow(
            before: at(5, .running, .upload), after: at(9, .running, .upload) { $0.total = nil },
            reported: ["sent 4 9 -1"]),
        BackgroundProgressRow(
            before: at(5), after: at(5, .waiting) { $0.reason = "no route" }, reported: ["waits: no route"]),
        BackgroundProgressRow(
            before: at(5, .waiting) { $0.reason = "no route" }, after: at(5, .waiting) { $0.reason = "no route" },
            reported: []),
        BackgroundProgressRow(
            before: at(5, .waiting) { $0.reason = "a" }, after: at(5, .waiting) { $0.reason = "b" },
            reported: ["waits: b"]),
        BackgroundProgressRow(before: at(5, .waiting), after: at(7), reported: ["continues", "wrote 2 7 100"]),
        BackgroundProgressRow(before: at(5), after: at(5, .retrying), reported: []),
        BackgroundProgressRow(before: at(5), after: at(5, .paused), reported: []),
    ]

    @Test(arguments: moveRows) func moves(_ row: BackgroundProgressRow) {
        var progress = BackgroundProgress(row.before)
        #expect(Self.words(progress.moved(to: row.after)) == row.reported)
        #expect(progress.snapshot == row.after)
        #expect(progress.isPaused == (row.after.state == .paused))
    }

    @Test func reportsWaitReasons() {
        var progress = BackgroundProgress()
        _ = progress.moved(to: Self.at(0, .waiting) { $0.unavailableReason = "cellular" })
        #expect(progress.currentWait?.unavailableReason == .cellular)
        _ = progress.moved(to: Self.at(0, .waiting) { $0.unavailableReason = "of a later version" })
        #expect(progress.currentWait?.unavailableReason == nil)
        let wait = PathWait.obstacle(.noRoute(host: "a.test", down: "wlan0"))
        var waiting = Self.at(0, .waiting)
        waiting.status = .waiting(NetworkWait(wait))
        _ = progress.moved(to: waiting)
        #expect(progress.currentWait == wait)
    }

    private static let endRows: [BackgroundProgressRow] = [
        BackgroundProgressRow(
            before: at(40), after: at(100, .completed),
            reported: ["wrote 60 100 100", "finished /x", "metrics -1.0 -1.0", "completed ok"]),
        BackgroundProgressRow(
            before: at(40), after: at(40, .failed) { $0.error = TransferError(.timedOut, "late") },
            reported: ["metrics -1.0 -1.0", "completed 28"]),
        BackgroundProgressRow(before: at(40), after: at(40, .failed), reported: ["metrics -1.0 -1.0", "completed 1"]),
        BackgroundProgressRow(
            after: at(0, .cancelled) { ($0.addedAt, $0.endedAt) = (5, 9) },
            reported: ["metrics 5.0 9.0", "completed 1"]),
        BackgroundProgressRow(
            after: at(8, .completed, .upload) { $0.status = 201 },
            reported: ["sent 8 8 100", "response 201", "metrics -1.0 -1.0", "completed ok"]),
        BackgroundProgressRow(
            after: at(0, .failed, .upload) { ($0.status, $0.error) = (403, TransferError(.httpStatus, "no")) },
            reported: ["response 403", "metrics -1.0 -1.0", "completed 22"]),
    ]

    @Test(arguments: endRows) func ends(_ row: BackgroundProgressRow) {
        var progress = BackgroundProgress(row.before)
        let response = BackgroundProgress.response(of: row.after, [:])
        let (events, error) = progress.ended(as: row.after, response: response, file: "/x")
        #expect(Self.words(events) == row.reported)
        #expect((error == nil) == (row.after.state == .completed))
    }

    @Test func missingFilesAreAnError() {
        var progress = BackgroundProgress(Self.at(100))
        let (events, error) = progress.ended(as: Self.at(100, .completed), response: nil, file: nil)
        #expect(Self.words(events) == ["metrics -1.0 -1.0", "completed 26"])
        #expect(error?.code == .cannotReadSource)
    }

    @Test(arguments: [(nil, nil), (200, 200), (99, nil), (1000, nil), (-1, nil)] as [(Int?, Int?)])
    func aStatusIsOne(_ status: Int?, _ code: Int?) {
        #expect(
            BackgroundProgress.response(of: Self.at(0) { $0.status = status }, [.location: "/a"])?.status.code == code)
    }
}
