// SPDX-License-Identifier: MIT

import Synchronization
import TransferControl
import TransferModel

/// Waits for transfers, reconnecting if necessary.
struct QueueWait {
    let transfers: [Transfer]
    let display: any ProgressDisplay
    /// Those of which ``earlierNotice(_:)`` has said how they ended: the display has no line of them.
    var summarized: Set<TransferID> = []
    /// The destination of NDJSON events; `nil`: none.
    let events: FileOutput?
    let context: QueueContext

    /// - Returns: the exit code.
    func execute(_ first: ControlClient) async throws -> Int32 {
        defer { display.end() }
        var ledger = WaitLedger(order: transfers.map(\.id))
        var objects = JSONEvents()
        var client = first
        // They may have left the queue for the history.
        try report(ledger.take(.snapshot(QueueSnapshot(transfers: transfers)), now: context.now), &ledger, &objects)
        while !ledger.isFinished {
            let listening = client
            context.interruption.arm(onFirst: { _ in listening.close() }, onSecond: {})
            for await update in listening.updates() {
                let update = await withEnded(update, listening, ledger)
                try report(ledger.take(update, now: context.now), &ledger, &objects)
                if ledger.isFinished { break }
            }
            if ledger.isFinished { break }
            if let number = context.interruption.signalNumber {
                display.say("no longer waiting; the transfers continue in the background")
                return Interruption.exitCode(for: number)
            }
            client = try await context.reconnect(after: listening) { display.say($0) }
        }
        return ledger.exitCode
    }

    /// The service sends a list again to who reads too slowly, or reconnects. It may have moved transfers that ended
    /// meanwhile to the history: these are added.
    private func withEnded(_ update: QueueUpdate, _ client: ControlClient, _ ledger: WaitLedger) async -> QueueUpdate {
        guard case .snapshot(var snapshot) = update else { return update }
        snapshot.transfers += await client.ended(among: ledger.missing(in: snapshot))
        return .snapshot(snapshot)
    }

    private func report(_ news: [TransferEvent], _ ledger: inout WaitLedger, _ objects: inout JSONEvents) throws {
        if let events {
            var output = ResultOutput(events)
            for event in news {
                if let line = objects.line(for: event) { try output.write(line: String(line.dropLast())) }
            }
            try output.flush()
        }
        display.show(summarized.isEmpty ? news : news.filter { !summarized.contains($0.transfer.id) })
        for transfer in ledger.newlyPaused(in: news) { display.say(Self.pausedNotice(transfer)) }
    }

    /// Of transfers that have failed or were cancelled before a command waited for the whole queue.
    static func earlierNotice(_ ended: [Transfer]) -> String {
        let failed = ended.filter { $0.state == .failed }
        var parts: [String] = []
        if failed.count < ended.count { parts.append("\(ended.count - failed.count) cancelled") }
        if let first = failed.first {
            let name = "\(first.id) (\(TransferName.short(first)))"
            let place = failed.count > 1 ? ", the first of them \(name)" : ", \(name)"
            let reason = MessageCatalog.queuedFailure(of: first) ?? "no reason given"
            parts.append("\(failed.count) failed\(place): \(reason)")
        }
        let what = ended.count > 1 ? "them" : "it"
        return "in the list already: \(parts.joined(separator: ", ")); "
            + "'fileq clear --keep-history' removes \(what) from the list"
    }

    static func pausedNotice(_ transfer: Transfer) -> String {
        let name = "\(transfer.id) (\(TransferName.short(transfer)))"
        if let question = transfer.question {
            let summary = MessageCatalog.summary(of: question)
            return "\(name) needs a decision: \(summary); 'fileq' asks, 'fileq cancel \(transfer.id)' cancels it"
        }
        let reason =
            (MessageCatalog.queuedFailure(of: transfer) ?? MessageCatalog.reason(of: transfer)).map { ": \($0)" } ?? ""
        return "\(name) is paused\(reason); 'fileq resume \(transfer.id)' resumes it"
    }
}

extension QueueClient {
    /// The transfers that the history has, the latest end first. One page a thousand: while a client asks for
    /// each alone, it reads no updates, falls behind, and gets all transfers again.
    func ended(among ids: [TransferID]) async -> [Transfer] {
        var found: [Transfer] = []
        var query = HistoryQuery(filter: QueueFilter(ids: ids), limit: HistoryQuery.maximumLimit)
        while found.count < ids.count, let page = try? await history(query), let last = page.last {
            found += page.map(\.transfer)
            query.before = last.place
        }
        return found
    }
}
