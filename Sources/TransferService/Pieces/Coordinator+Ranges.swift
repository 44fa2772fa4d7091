// SPDX-License-Identifier: MIT

import TransferControl
import TransferModel

/// Which bytes of a download are stored.
extension Coordinator {
    /// `nil`: in order from the first byte, not known, or too many to report.
    func ranges(of id: TransferID) -> TransferRanges? {
        guard let transfer = queue[id], transfer.kind == .download, transfer.state != .completed,
            transfer.state != .verifying
        else { return nil }
        if transfer.state == .running, let plan = (runs[id] as? DownloadRun)?.pieces?.plan {
            return report(plan.present.ranges, plan.pieces.filter { $0.remaining > 0 }.map { $0.position..<$0.end })
        }
        guard transfer.state != .running, let stored = journal.checkpoint(of: id)?.download?.data.ranges else {
            return nil
        }
        return report(stored.ranges, [])
    }

    private func report(_ stored: [Range<Int64>], _ requested: [Range<Int64>]) -> TransferRanges? {
        let isInOrder = stored.isEmpty || stored.count == 1 && stored[0].lowerBound == 0
        guard !isInOrder || requested.count > 1, stored.count <= TransferRanges.maximumCount else { return nil }
        return TransferRanges(stored: stored, requested: requested)
    }
}
