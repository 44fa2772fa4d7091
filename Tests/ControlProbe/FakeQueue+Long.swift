// SPDX-License-Identifier: MIT

import TransferControl
import TransferModel
import TransferTesting

extension FakeQueue {
    /// A queue of many transfers in all states.
    static func long(count: Int) -> FakeQueue { FakeQueue((1...max(1, count)).map(sample)) }

    private static func sample(_ number: Int) -> Transfer {
        let states: [TransferState] = [
            .queued, .queued, .queued, .queued, .completed, .completed, .failed, .paused, .waiting, .retrying,
        ]
        let name = "folder-\(number % 97)/archive-\(number).tar.gz"
        var transfer = TransferForm(
            id: TransferID(rawValue: number), kind: number % 5 == 0 ? .upload : .download,
            url: "https://mirror\(number % 7).example.org/pool/main/\(name)", file: "/home/user/Downloads/\(name)",
            state: number <= 4 ? .running : states[number % states.count])
        transfer.total = Int64(number) * 1_234_567 % 5_000_000_000
        transfer.addedAt = 1_790_000_000.125 + Double(number) / 16
        switch transfer.state {
        case .completed:
            (transfer.bytes, transfer.confirmed, transfer.status) = (transfer.total ?? 0, transfer.total, 200)
            transfer.endedAt = transfer.addedAt + 60.5
            var metrics = TransferMetrics()
            (metrics.connect, metrics.firstByte, metrics.total) = (0.012_345, 0.045_678, 1.234_567)
            (metrics.bodyReceived, metrics.exchanges, metrics.protocolName) = (transfer.bytes, 1, "h2")
            transfer.metrics = metrics
        case .failed:
            transfer.status = 404
            transfer.error = TransferError(.httpStatus, "mirror.example.org: 404 not found; check the address")
        case .waiting: (transfer.reason, transfer.waitingSince) = ("no network", transfer.addedAt)
        case .retrying: (transfer.reason, transfer.retryAt) = ("connection reset", transfer.addedAt + 30)
        case .running: (transfer.bytes, transfer.rate, transfer.eta) = (1 << 20, 123_456.7, 89.5)
        default: break
        }
        return Transfer(transfer)
    }
}
