// SPDX-License-Identifier: MIT

import TransferControl
import TransferModel

/// Which bytes of a download are stored.
extension Coordinator {
    /// `nil`: in order from the first byte, not known before its first attempt in this process, or too many to report.
    func ranges(of id: TransferID) -> TransferRanges? {
        guard let state = queue[id]?.state, !state.isEnded, state != .verifying,
            let plan = (runs[id] as? DownloadRun)?.pieces?.plan
        else { return nil }
        let stored = plan.present.ranges
        let moving = state == .running ? plan.pieces.filter { $0.remaining > 0 } : []
        let isInOrder = stored.isEmpty || stored.count == 1 && stored[0].lowerBound == 0
        guard !isInOrder || moving.count > 1, stored.count <= TransferRanges.maximumCount else { return nil }
        return TransferRanges(stored: stored, requested: moving.map { $0.position..<$0.end })
    }
}
