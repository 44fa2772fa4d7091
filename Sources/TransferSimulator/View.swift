// SPDX-License-Identifier: MIT

import TransferControl
import TransferModel
import TransferService
import TransferTesting

/// The queue as a client sees it that has joined at some time: its snapshot, and every change since.
final class View: @unchecked Sendable {  // Used on one thread.
    private(set) var transfers: [TransferID: Transfer] = [:]
    private(set) var limits = QueueLimits()
    private(set) var hasBegun = false
    /// Its user has closed it.
    var hasLeft = false

    func take(_ update: QueueUpdate) {
        hasBegun = true
        switch update {
        case .snapshot(let snapshot):
            transfers = Dictionary(uniqueKeysWithValues: snapshot.transfers.map { ($0.id, $0) })
            limits = snapshot.limits
        case .events(let events): for event in events { transfers[event.transfer.id] = event.transfer }
        case .removed(let ids): for id in ids { transfers[id] = nil }
        case .limits(let changed): limits = changed
        case .order: break
        }
    }

    /// How it differs from the queue itself, when nothing moves.
    func difference(from snapshot: QueueSnapshot) -> String? {
        for transfer in snapshot.transfers {
            guard let seen = transfers[transfer.id] else { return "\(transfer.id) is missing" }
            guard seen.state == transfer.state, seen.bytes == transfer.bytes, seen.total == transfer.total else {
                return "\(transfer.id) is \(seen.state.rawValue) \(seen.bytes) instead of \(transfer.state.rawValue) "
                    + "\(transfer.bytes)"
            }
        }
        if let other = snapshot.transfers.first(where: { transfers[$0.id]?.question != $0.question }) {
            return "\(other.id) asks something else"
        }
        if limits != snapshot.limits { return "its limits are \(limits) instead of \(snapshot.limits)" }
        return transfers.count == snapshot.transfers.count ? nil : "it has \(transfers.count) transfers"
    }
}

extension World {
    /// Another client joins, and may leave.
    func watch() {
        guard let queue else { return }
        let view = View()
        let life = network.life
        views.append(view)
        trace.sometimes("another client")
        let isRemote = control != nil && origin.draw(0...2) > 0
        listen { [self] in
            var client: any QueueClient = queue
            if isRemote, let control {
                guard let (remote, drop) = try? await control.listener(), life == network.life else { return }
                client = remote
                loseConnections(drop)
            }
            for await update in client.updates() {
                guard life == network.life, !view.hasLeft else { return }
                if bug == .updateLost, machine.random.once(in: 10) { continue }
                view.take(update)
            }
            // It does not try for ever.
            if life == network.life { views.removeAll { $0 === view } }
        }
        guard origin.draw(0...2) == 0 else { return }
        at(time()) { [self] in
            view.hasLeft = true
            views.removeAll { $0 === view }
        }
    }

    private func loseConnections(_ drop: @escaping () -> Void) {
        guard swarm.has(.lostClients), origin.isFaulty else { return }
        for _ in 0..<origin.draw(0...4) {
            at(time()) { [self] in
                trace.met(.lostClients)
                drop()
            }
        }
    }

    /// After the last event all clients agree with the queue.
    func compareViews() {
        proceed(until: machine.now + 5)
        guard let queue else { return }
        Task { [self] in
            guard let snapshot = try? await queue.snapshot() else { return }
            for (file, transfers) in Dictionary(grouping: snapshot.transfers, by: \.file) where transfers.count > 1 {
                trace.violate("added once", "\(file) is there \(transfers.count) times")
            }
            for view in views where view.hasBegun {
                guard let difference = view.difference(from: snapshot) else { continue }
                trace.violate("clients agree", difference)
            }
        }
        proceed(until: machine.now + 5)
    }
}
