// SPDX-License-Identifier: MIT

import HTTPTypes
import Platform
import SessionCore
import TransferModel

/// An upload or a download without a run that is complete as soon as the store has committed it.
struct PlainCompletion: Sendable {
    let id: TransferID
    let change: Coordinator.Change
    let metrics: TransferMetrics
    let runsProgram: Bool
}

/// Small uploads without runs and tasks (``Coordinator/stockFetches()``).
///
/// An upload takes this way if it is a `PUT` of a small file in a folder that does not hang, without checksum, cookies
/// of FileQ or a protocol to resume by. The transport opens and reads the file just before it sends the request;
/// whatever is then not as expected is left to a run.
extension Coordinator {
    /// - Returns: `nil` for an upload that needs a run.
    func plainUpload(_ spec: Spec, _ upload: Upload, _ now: Double) -> PlainUpload? {
        let demands = fetches.demands(of: spec.$options)
        guard rates?.upload == nil, case .put = upload.form, case .file(let path) = upload.source,
            upload.checksum == nil, upload.resumption == .auto || upload.resumption == .never,
            demands.method ?? .put == .put, !demands.isConditional,
            fetches.isLocal(sources: ParentFolder.path(of: path), now: now, { mounts.mount(of: path).isLocal })
        else { return nil }
        return PlainUpload(path: path)
    }

    /// The server has accepted the whole file.
    /// - Parameter location: where it is, if the response says so.
    /// - Returns: what waits for its commit, if that is awaited.
    func uploadEnded(
        _ entry: FetchStock.Entry, _ upload: PlainUpload, _ times: ExchangeMetrics, _ location: String?
    ) -> PlainCompletion? {
        noteServer(of: entry, times)
        let (id, now) = (entry.id, scheduler.wallNow)
        let metrics = TransferMetrics(
            times, sent: upload.size, url: entry.spec.url, now: now, endpoint: entry.origin.endpoint)
        traffic.note(upload.size, .sent, at: scheduler.now)
        if let source = upload.source, source.hasChanged {
            uploadFailed(entry, upload.size, metrics, source.changeError)
            return nil
        }
        let place = location.map { FinalResponse.place($0, from: entry.spec.url) }
        let change = Self.completion(sent: upload.size, metrics, place, at: now)
        if policy.awaitsCommits {
            shadow?.note(.sent, id)
            guard awaitCommit(of: id) else { return nil }
            return PlainCompletion(id: id, change: change, metrics: metrics, runsProgram: !isShuttingDown)
        }
        update(id, .completed, change)
        pruneEnded(after: id)
        return nil
    }

    private static func completion(
        sent size: Int64, _ metrics: TransferMetrics, _ location: String?, at time: Double
    ) -> Change {
        { transfer in
            transfer.progress.bytes = size
            transfer.progress.total = size
            transfer.progress.confirmed = size
            transfer.progress.httpStatus = metrics.transactions.first?.status
            if let location { transfer.location = location }
            transfer.status = .completed(.init(at: time, duration: metrics.duration, metrics: metrics))
        }
    }

    private func uploadFailed(
        _ entry: FetchStock.Entry, _ size: Int64, _ metrics: TransferMetrics, _ error: TransferError
    ) {
        let run = runForFetch(entry)
        (run.metrics, run.latest) = (metrics, metrics)
        update(entry.id) {
            $0.bytes = size
            $0.httpStatus = metrics.transactions.first?.status
        }
        failed(run, error)
    }

    /// Records uploads of a durable queue that are complete, all in one commit.
    func commit(_ accepted: [PlainCompletion]) {
        guard !accepted.isEmpty else { return }
        let changes = accepted.compactMap { completion in
            queue[completion.id].map { transfer in
                var transfer = transfer
                completion.change(&transfer)
                completions[completion.id] = Completion(change: completion.change)
                return QueueJournal.Completion(transfer: transfer, metrics: completion.metrics)
            }
        }
        journal.complete(changes) { [self] error in
            EngineActor.async { [self] in completionsCommitted(accepted, error) }
        }
    }
}
