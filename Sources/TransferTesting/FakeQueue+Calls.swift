// SPDX-License-Identifier: MIT

import Synchronization
package import TransferControl
package import TransferModel

extension FakeQueue {
    static let usual: CallHandlers<FakeQueue> = {
        var calls = CallHandlers<FakeQueue>()
        calls.reply(to: AddParams.self) { queue, call in
            .init(ids: queue.contents.withLock { $0.add(call.transfers, call.terms) })
        }
        calls.handle(PerformCall.self) { queue, call in
            try queue.contents.withLock { try $0.obey(call.command, call.ids) }
        }
        calls.reply(to: SnapshotCall.self) { queue, _ in
            await queue.awaitRelease()
            return queue.contents.withLock(\.snapshot)
        }
        calls.reply(to: ListCall.self) { queue, call in
            await queue.awaitRelease()
            return .init(transfers: call.value.apply(to: queue.contents.withLock(\.transfers)))
        }
        calls.reply(to: InfoCall.self) { queue, call in
            try queue.contents.withLock { contents in
                let all = contents.transfers + contents.history.map(\.transfer)
                guard let found = all.first(where: { $0.id == call.id }) else {
                    throw TransferError.unknownTransfer(call.id)
                }
                return TransferInfo(transfer: found, attempts: contents.attempts, ranges: contents.ranges)
            }
        }
        calls.reply(to: ClearCall.self) { queue, call in
            queue.contents.withLock { contents in
                let gone = Set(call.value.apply(to: contents.transfers).filter(\.state.isEnded).map(\.id))
                contents.remove(gone)
                return .init(cleared: gone.count)
            }
        }
        calls.reply(to: RelocateCall.self) { queue, _ in .init(dropped: queue.contents.withLock(\.dropped)) }
        calls.reply(to: UndoCall.self) { queue, _ in
            guard let undone = queue.contents.withLock(\.undone) else {
                throw TransferError(.usage, "nothing to undo", fields: .init(variant: .nothingToUndo))
            }
            return undone
        }
        addRecords(&calls)
        addLimits(&calls)
        return calls
    }()

    private static func addRecords(_ calls: inout CallHandlers<FakeQueue>) {
        calls.reply(to: HistoryCall.self) { queue, call in
            let query = call.query
            let matcher = QueueFilterMatcher(query.filter)
            let found = queue.contents.withLock(\.history).filter { entry in
                matcher.takes(entry.transfer)
                    && query.before.map { (entry.endedAt, entry.transfer.id) < ($0.endedAt, $0.id) } ?? true
            }
            return .init(entries: Array(found.prefix(query.limit)))
        }
        calls.reply(to: SessionEventsCall.self) { queue, call in
            let events = queue.contents.withLock(\.sessionEvents)
            return .init(events: Array(events.filter { $0.transfer.session == call.session }.prefix(call.maximum)))
        }
        calls.handle(AcknowledgeCall.self) { queue, call in
            queue.contents.withLock { contents in
                contents.sessionEvents.removeAll {
                    $0.transfer.session == call.session && $0.sequence <= call.upTo
                }
            }
        }
    }

    private static func addLimits(_ calls: inout CallHandlers<FakeQueue>) {
        calls.reply(to: GetLimitsCall.self) { queue, _ in queue.contents.withLock(\.limits) }
        calls.handle(SetLimitsCall.self) { queue, call in
            try queue.contents.withLock { contents in
                switch call.change {
                case .all(let limits):
                    try limits.validate()
                    let isHeld = limits.isHeld ?? contents.limits.isHeld
                    contents.limits = limits
                    contents.limits.isHeld = isHeld == true ? true : nil
                case .hold(let isHeld): contents.limits.isHeld = isHeld ? true : nil
                }
                contents.post(.limits(contents.limits))
            }
        }
        calls.reply(to: GetTimetableCall.self) { queue, _ in queue.contents.withLock(\.timetable) }
        calls.handle(SetTimetableCall.self) { queue, call in
            queue.contents.withLock { $0.timetable = call.value }
        }
    }
}

extension FakeQueue.Contents {
    /// Appends transfers and reports them.
    package mutating func add(_ specs: [Spec], _ terms: TransferTerms) -> [TransferID] {
        let first = (transfers.map(\.id.rawValue).max() ?? 0) + 1
        let new = specs.enumerated().map { index, spec in
            var transfer = Transfer(
                id: TransferID(rawValue: first + index), kind: spec.kind, url: spec.url.string,
                file: Self.file(of: spec),
                state: terms.paused ? .paused : .queued)
            (transfer.session, transfer.taskDescription) = (terms.session, terms.taskDescription)
            transfer.batch = terms.batch
            transfer.addedAt = FakeQueue.time
            return transfer
        }
        transfers += new
        let name: TransferEvent.Name = terms.paused ? .paused : .queued
        post(.events(new.map { TransferEvent(time: FakeQueue.time, name: name, transfer: $0) }))
        return new.map(\.id)
    }

    private static func file(of spec: Spec) -> String {
        switch spec.operation {
        case .download(let download):
            switch download.destination {
            case .file(let path): path
            case .folder(let path, let name): "\(path)/\(name)"
            case .stream: "-"
            }
        case .upload(let upload): if case .file(let path) = upload.source { path } else { "-" }
        }
    }

    /// Carries out a command where it applies. Answers to questions, and what orders transfers beyond their list, have
    /// no effect.
    package mutating func obey(_ command: QueueCommand, _ ids: [TransferID]) throws {
        for id in ids where !transfers.contains(where: { $0.id == id }) { throw TransferError.unknownTransfer(id) }
        switch command {
        case .pause: turn(ids, .paused, { !$0.isEnded }) { $0.pausedBy = .transfer }
        case .hold: turn(ids, .paused, { $0.isPausable }) { $0.pausedBy = .queue }
        case .resume: turn(ids, .queued) { $0 == .paused }
        case .cancel: turn(ids, .cancelled) { !$0.isEnded }
        case .retry: turn(ids, .queued) { $0 == .failed || $0 == .cancelled }
        case .limit(let rate): for id in ids { change(id, .changed) { $0.rateLimit = rate } }
        case .schedule(let time):
            for id in ids {
                change(id, .changed) { form in
                    var terms = form.terms ?? TransferTerms()
                    terms.earliestBegin = time
                    form.terms = terms == TransferTerms() ? nil : terms
                }
            }
        case .move(let move): for id in ids { self.move(id, move) }
        case .remove, .dismiss:
            remove(Set(transfers.filter { ids.contains($0.id) && $0.state.isEnded }.map(\.id)))
        case .after, .priority, .liftRestrictions, .trust, .login, .decline: break
        }
    }

    fileprivate mutating func remove(_ ids: Set<TransferID>) {
        transfers.removeAll { ids.contains($0.id) }
        history.removeAll { ids.contains($0.transfer.id) }
        post(.removed(ids.sorted()))
    }

    private mutating func turn(
        _ ids: [TransferID], _ state: TransferState, _ fits: (TransferState) -> Bool,
        _ body: (inout TransferForm) -> Void = { _ in }
    ) {
        for id in ids where transfers.contains(where: { $0.id == id && fits($0.state) }) {
            change(id) { form in
                form.state = state
                body(&form)
            }
        }
    }

    private mutating func move(_ id: TransferID, _ move: QueueMove) {
        guard let index = transfers.firstIndex(where: { $0.id == id }) else { return }
        let place =
            switch move {
            case .top: 0
            case .up: max(0, index - 1)
            case .down: min(transfers.count - 1, index + 1)
            case .bottom: transfers.count - 1
            }
        transfers.insert(transfers.remove(at: index), at: place)
        post(.order(transfers.map(\.id)))
    }
}
