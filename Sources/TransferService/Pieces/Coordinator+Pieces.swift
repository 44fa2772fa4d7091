// SPDX-License-Identifier: MIT

import SessionCore
import TransferControl
import TransferModel

/// How many connections a transfer may have.
extension Coordinator {
    func mostConnections(of run: DownloadRun) -> Int {
        let url = run.description.url
        var most = run.description.options.connections ?? DownloadRun.usualConnections
        let known = run.sources.joined.map { connectionLimits.most(for: $0.origin, at: scheduler.now) ?? most }
        most = min(most, known.reduce(0) { min(most, $0 + $1) })
        return self.most(of: run, most, at: url.host)
    }

    func mostConnections(of run: UploadRun) -> Int {
        let most = min(run.resumption.most, run.description.options.connections ?? UploadRun.usualConnections)
        return self.most(of: run, most, at: run.description.url.host)
    }

    /// The limit per host counts connections.
    private func most(of run: Run, _ wanted: Int, at host: String) -> Int {
        guard let limit = queue.limits.perHost else { return max(1, wanted) }
        let others = runs.values.filter { $0 !== run && $0.task != nil && $0.description.url.host == host }
        return max(1, min(wanted, limit - others.reduce(0) { $0 + ($1.connections ?? 1) }))
    }

    func noteConnections(most: Int, of run: DownloadRun) {
        connectionLimits.note(run.address.origin, most: most, at: scheduler.now)
    }

    /// Bytes a second that its connections can reach together; `nil`: unlimited.
    func rateLimit(of run: DownloadRun) -> Int? {
        let own = queue[run.id]?.rateLimit
        guard let limit = rates?.download else { return own }
        let others = runs.values.filter { other in
            guard other !== run, let transfer = queue[other.id] else { return false }
            return transfer.state == .running && transfer.kind == .download
        }
        let speeds = others.map { other in
            (queue[other.id]?.rate).map { $0.isFinite ? Int(min(max(0, $0), 1e15)) : 0 }
        }
        return min(own ?? .max, PiecePlan.share(of: limit, besides: speeds))
    }
}
