// SPDX-License-Identifier: MIT

import TransferControl
import TransferModel
import TransferService
import TransferTesting

/// Users clear what has ended, and read the history.
extension User {
    func clear() {
        guard let queue = world.queue, !ledger.isUndoing else { return }
        let states: [TransferState]? = [
            nil, [.completed], [.failed], [.cancelled], [.failed, .cancelled],
        ][origin.draw(0...4)]
        let ids = ledger.added.keys.sorted()
        let some = origin.draw(0...2) == 0 ? ids.filter { _ in origin.draw(0...1) == 0 } : nil
        let filter = QueueFilter(ids: some, states: states)
        let life = world.network.life
        let clear = ledger.beganClearing(filter)
        world.trace.met(.commands)
        world.trace.sometimes("command: clear")
        let words = states?.map(\.rawValue).joined(separator: ",") ?? ""
        world.trace.note(machine.now, "command: clear \(words) \(Self.list(some ?? []))")
        if origin.isFaulty, machine.random.once(in: 6) { world.killSoon(after: origin.draw(0...40)) }
        Task { [self] in
            var succeeded = true
            do {
                switch world.bug {
                case .clearDropped: break
                case .clearTakesAll: _ = try await queue.clear(QueueFilter())
                default: _ = try await world.give(to: queue, mayBreak: false) { try await $0.clear(filter) }
                }
            } catch { succeeded = false }
            guard life == world.network.life else { return }
            world.trace.note(machine.now, "reply: clear \(succeeded ? "done" : "failed")")
            let later = ledger.added.keys.filter { !ids.contains($0) }.sorted()
            let entries = await history(queue, life)
            guard let snapshot = try? await queue.snapshot(), life == world.network.life else { return }
            ledger.endedClearing(clear, ids, later: later, snapshot, entries, succeeded: succeeded)
            await learnOrder(queue, life)
        }
    }

    /// A reading of it, by pages.
    func readHistory() {
        guard let queue = world.queue else { return }
        let life = world.network.life
        let commands = ledger.commands
        let clock = ledger.undo.clock
        let known = ledger.isIdle && !ledger.isRemoving && ledger.isStoring ? ledger.ended : nil
        let asked = machine.wallNow
        world.trace.sometimes("command: history")
        Task { [self] in
            guard let entries = await history(queue, life, limit: 3), life == world.network.life else { return }
            let isClean = commands == ledger.commands && clock == ledger.undo.clock
            let removed = isClean ? ledger.removed : []
            var ended = isClean ? known : nil
            if let all = ended, !all.isSubset(of: entries.map(\.transfer.id)) {
                // That a retry has started them may be reported after its reply.
                guard let snapshot = try? await queue.snapshot(), life == world.network.life else { return }
                ended = all.subtracting(
                    snapshot.transfers.filter { !$0.state.isEnded || $0.endedAt ?? 0 >= asked }.map(\.id))
            }
            ledger.clear.check(entries, ended: ended, removed: removed)
        }
    }

    /// - Returns: all entries; `nil` if they could not be read.
    func history(_ queue: DurableQueue, _ life: Int, limit: Int = 1000) async -> [HistoryEntry]? {
        var entries: [HistoryEntry] = []
        while true {
            let query = HistoryQuery(before: entries.last?.place, limit: limit)
            guard let page = try? await queue.history(query), life == world.network.life else { return nil }
            entries += page
            if page.count < limit { return entries }
        }
    }
}
