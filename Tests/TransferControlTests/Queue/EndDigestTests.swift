// SPDX-License-Identifier: MIT

import Testing
import TransferModel

@testable import TransferControl

@Suite struct EndDigestTests {
    private func event(
        _ id: Int, _ name: TransferEvent.Name = .completed, size: Int64 = 2048, from began: Double = 0, at end: Double
    ) -> QueueUpdate {
        var metrics = TransferMetrics()
        metrics.taskStart = began
        let ending = TransferStatus.End(at: end, metrics: metrics)
        let status: TransferStatus =
            name == .failed ? .failed(ending, TransferError(.httpStatus, "404 Not Found")) : .completed(ending)
        var transfer = Transfer(
            id: TransferID(rawValue: id), kind: .download, url: "https://a.test/\(id).iso", file: "/tmp/\(id).iso",
            status: status)
        transfer.total = size
        return .events([TransferEvent(time: end, name: name, transfer: transfer)])
    }

    private func digest(_ change: (inout NotifySettings) -> Void = { _ in }) -> EndDigest {
        var settings = NotifySettings()
        change(&settings)
        return EndDigest(settings) { $0.error?.message }
    }

    @Test(
        arguments: [
            ([("completed", 12.0)], false, "1.iso completed", "2.00K"),
            ([("failed", 12)], false, "1.iso failed", "404 Not Found"),
            // Short ones are not reported, unless they fail.
            ([("completed", 9)], false, nil, nil), ([("failed", 1)], true, "1.iso failed", "404 Not Found"),
            ([("completed", 12), ("failed", 12)], false, "1 completed, 1 failed", "1.iso, 2.iso"),
            (
                [("completed", 12), ("completed", 12), ("completed", 12), ("completed", 12), ("completed", 1)], false,
                "4 completed", "1.iso, 2.iso, 3.iso, 1 more"
            ),
            // Together they took long.
            (
                [("completed", 5), ("completed", 6), ("failed", 12)], true, "All transfers have ended",
                "2 completed, 1 failed"
            ),
            ([("completed", 1), ("completed", 2)], true, nil, nil),
        ] as [([(String, Double)], Bool, String?, String?)])
    func oneNoticeForWhatEndsTogether(
        _ ends: [(String, Double)], _ isIdle: Bool, _ title: String?, _ body: String?
    ) throws {
        var digest = digest()
        for (index, end) in ends.enumerated() {
            let name = try #require(TransferEvent.Name(rawValue: end.0))
            digest.receive(event(index + 1, name, from: 12 - end.1, at: 12), at: 12)
        }
        #expect(digest.dueIn(12, isIdle: isIdle) == 1)
        let notice = digest.notice(at: 13, isIdle: isIdle)
        #expect(notice?.title == title && notice?.body == body)
        #expect(digest.dueIn(13, isIdle: isIdle) == nil)
    }

    @Test func smallOnesAreNotReported() {
        var digest = digest { $0.leastSize = 4096 }
        digest.receive(event(1, size: 4095, at: 60), at: 60)
        #expect(digest.notice(at: 61, isIdle: false) == nil)
        digest.receive(event(2, size: 4096, at: 70), at: 70)
        #expect(digest.notice(at: 71, isIdle: false)?.title == "2.iso completed")
    }

    @Test func noticesKeepTheirDistanceUntilTheQueueHasEnded() {
        var digest = digest()
        digest.receive(event(1, at: 60), at: 60)
        #expect(digest.notice(at: 61, isIdle: false) != nil)
        digest.receive(event(2, at: 62), at: 62)
        #expect(digest.dueIn(62, isIdle: false) == 9)
        #expect(digest.dueIn(62, isIdle: true) == 1)
        #expect(digest.notice(at: 63, isIdle: true)?.body == "2 completed")
        // The next batch.
        digest.receive(event(3, from: 80, at: 99), at: 99)
        #expect(digest.notice(at: 100, isIdle: true)?.title == "3.iso completed")
    }

    @Test func progressIsNoEnd() {
        var digest = digest()
        digest.receive(event(1, .progress, at: 60), at: 60)
        digest.receive(.removed([TransferID(rawValue: 1)]), at: 60)
        #expect(digest.dueIn(60, isIdle: true) == nil)
    }
}
