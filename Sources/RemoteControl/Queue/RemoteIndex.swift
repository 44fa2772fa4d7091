// SPDX-License-Identifier: MIT

import Synchronization
import TransferControl
import TransferModel

/// aria2's three lists of the queue as IDs, kept up to date: a client asks for pages of them every second.
final class RemoteIndex: Sendable {
    enum List: Sendable { case active, waiting, stopped }

    /// A change that WebSocket clients are notified of.
    struct Notice: Sendable, Hashable {
        enum Kind: String, Sendable, CaseIterable {
            case start = "aria2.onDownloadStart"
            case pause = "aria2.onDownloadPause"
            case stop = "aria2.onDownloadStop"
            case complete = "aria2.onDownloadComplete"
            case error = "aria2.onDownloadError"
        }

        var kind: Kind
        var gid: RemoteGID
    }

    fileprivate struct State {
        var states: [TransferID: TransferState] = [:]
        /// All, in the order of the queue.
        var order: [TransferID] = []
        var active: [TransferID] = []
        /// Valid unless it is outdated.
        var waiting: [TransferID] = []
        var isWaitingOutdated = false
        /// By the time of their ends.
        var stopped: [TransferID] = []
        /// GIDs that clients have chosen.
        var chosen: [RemoteGID: TransferID] = [:]
        var isKnown = false
    }

    private let state = Mutex(State())

    /// The IDs of a list: the active ones and the waiting ones in the order of the queue, the stopped ones by the time
    /// of their ends.
    func ids(_ list: List) -> [TransferID] {
        state.withLock { state in
            switch list {
            case .active: return state.active
            case .waiting:
                if state.isWaitingOutdated {
                    state.waiting = state.order.filter { state.states[$0].map(Self.list) == .waiting }
                    state.isWaitingOutdated = false
                }
                return state.waiting
            case .stopped: return state.stopped
            }
        }
    }

    /// Transfers that a call has added are known at once.
    func added(_ ids: [TransferID], gid: RemoteGID?, paused: Bool) {
        state.withLock { state in
            for id in ids where state.states[id] == nil {
                state.insert(id, paused ? .paused : .queued)
            }
            if let gid, let id = ids.first { state.chosen[gid] = id }
        }
    }

    /// - Parameter text: a GID, or its first digits if no other one begins so.
    func find(_ text: String) throws(RPCFailure) -> TransferID {
        guard (1...16).contains(text.utf8.count), text.utf8.allSatisfy({ Hex.value(of: $0) != nil }) else {
            throw RPCFailure("Invalid GID \(text.prefix(64))")
        }
        let found: [TransferID] = state.withLock { state in
            if let gid = RemoteGID(text) {
                if let id = state.chosen[gid] { return [id] }
                return [gid.id].compactMap(\.self).filter { state.states[$0] != nil }
            }
            let start = text.lowercased()
            let chosen = state.chosen.filter { $0.key.text.hasPrefix(start) }.map(\.value)
            return chosen + state.order.filter { RemoteGID($0).text.hasPrefix(start) }
        }
        guard let first = found.first else { throw RPCFailure("GID \(text) is not found") }
        guard found.allSatisfy({ $0 == first }) else { throw RPCFailure("GID \(text) is not unique") }
        return first
    }

    func isFree(_ gid: RemoteGID) -> Bool {
        state.withLock { state in state.chosen[gid] == nil && gid.id.map { state.states[$0] == nil } ?? true }
    }

    static func list(_ state: TransferState) -> List {
        switch state {
        case .running, .verifying: .active
        case .queued, .waiting, .retrying, .paused: .waiting
        case .completed, .failed, .cancelled: .stopped
        }
    }

    /// - Returns: what clients are notified of.
    func receive(_ update: QueueUpdate) -> [Notice] {
        state.withLock { state in
            switch update {
            case .snapshot(let snapshot): return state.replace(snapshot.transfers)
            case .events(let events): return events.compactMap { state.note($0.transfer) }
            case .order(let ids):
                (state.order, state.isWaitingOutdated) = (ids, true)
                return []
            case .removed(let ids):
                state.remove(Set(ids))
                return []
            case .limits: return []
            }
        }
    }
}

extension RemoteIndex.State {
    fileprivate mutating func insert(_ id: TransferID, _ new: TransferState) {
        states[id] = new
        order.append(id)
        append(id, new, isNew: true)
    }

    private mutating func append(_ id: TransferID, _ new: TransferState, isNew: Bool) {
        switch RemoteIndex.list(new) {
        case .active: active.append(id)
        case .stopped: stopped.append(id)
        case .waiting: if isNew { waiting.append(id) } else { isWaitingOutdated = true }
        }
    }

    fileprivate mutating func note(_ transfer: Transfer) -> RemoteIndex.Notice? {
        let (id, new) = (transfer.id, transfer.state)
        if let gid = transfer.taskDescription.flatMap(RemoteGID.init(origin:)) { chosen[gid] = id }
        guard let old = states[id] else {
            insert(id, new)
            return notice(of: transfer, since: nil)
        }
        guard old != new else { return nil }
        states[id] = new
        let list = RemoteIndex.list(old)
        if list != RemoteIndex.list(new) {
            switch list {
            case .active: active.removeAll { $0 == id }
            case .waiting: if let index = waiting.firstIndex(of: id) { waiting.remove(at: index) }
            case .stopped: if let index = stopped.lastIndex(of: id) { stopped.remove(at: index) }
            }
            append(id, new, isNew: false)
        }
        return notice(of: transfer, since: old)
    }

    private func notice(of transfer: Transfer, since old: TransferState?) -> RemoteIndex.Notice? {
        let kind: RemoteIndex.Notice.Kind? =
            switch transfer.state {
            // Attempts of one transfer are not notified.
            case .running: old == .verifying || old == .waiting || old == .retrying ? nil : .start
            case .paused: old == nil ? nil : .pause
            case .completed: .complete
            case .failed: .error
            case .cancelled: .stop
            case .queued, .waiting, .retrying, .verifying: nil
            }
        return kind.map { RemoteIndex.Notice(kind: $0, gid: RemoteGID(transfer)) }
    }

    fileprivate mutating func remove(_ gone: Set<TransferID>) {
        for id in gone { states[id] = nil }
        order.removeAll(where: gone.contains)
        active.removeAll(where: gone.contains)
        waiting.removeAll(where: gone.contains)
        stopped.removeAll(where: gone.contains)
        if !chosen.isEmpty { chosen = chosen.filter { !gone.contains($0.value) } }
    }

    /// The first snapshot notifies of nothing, a later one of what a slow reader has missed.
    fileprivate mutating func replace(_ transfers: [Transfer]) -> [RemoteIndex.Notice] {
        let (known, old) = (isKnown, states)
        self = RemoteIndex.State()
        isKnown = true
        order = transfers.map(\.id)
        isWaitingOutdated = true
        var ends: [(at: Double, id: TransferID)] = []
        var notices: [RemoteIndex.Notice] = []
        for transfer in transfers {
            states[transfer.id] = transfer.state
            if let gid = transfer.taskDescription.flatMap(RemoteGID.init(origin:)) { chosen[gid] = transfer.id }
            switch RemoteIndex.list(transfer.state) {
            case .active: active.append(transfer.id)
            case .waiting: break
            case .stopped: ends.append((transfer.endedAt ?? 0, transfer.id))
            }
            if known, old[transfer.id] != transfer.state, let notice = notice(of: transfer, since: old[transfer.id]) {
                notices.append(notice)
            }
        }
        stopped = ends.sorted { ($0.at, $0.id) < ($1.at, $1.id) }.map(\.id)
        return notices
    }
}
