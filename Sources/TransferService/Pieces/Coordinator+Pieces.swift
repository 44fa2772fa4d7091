// SPDX-License-Identifier: MIT

import SessionCore
import TransferControl
import TransferModel

/// How many connections a download may have.
extension Coordinator {
    func mostConnections(of run: DownloadRun) -> Int {
        let url = run.description.url
        var most = run.description.options.connections ?? DownloadRun.usualConnections
        let known = run.sources.joined.map { connectionLimits.most(for: $0.origin, at: scheduler.now) ?? most }
        most = min(most, known.reduce(0) { min(most, $0 + $1) })
        if let limit = queue.limits.perHost {
            let others = runs.values.filter { $0 !== run && $0.task != nil && $0.description.url.host == url.host }
            most = min(most, limit - others.reduce(0) { $0 + (($1 as? DownloadRun)?.pieces?.count ?? 1) })
        }
        return max(1, most)
    }

    func noteConnections(most: Int, of run: DownloadRun) {
        connectionLimits.note(run.address.origin, most: most, at: scheduler.now)
    }

    /// Bytes a second that its connections can reach together; `nil`: unlimited.
    func rateLimit(of run: DownloadRun) -> Int? {
        [queue[run.id]?.rateLimit, rates?.download].compactMap(\.self).min()
    }
}
