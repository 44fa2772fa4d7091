// SPDX-License-Identifier: MIT

import TransferControl
import TransferModel

/// The handlers of both kinds of queue.
extension QueueCore {
    func call<Call: QueueCall>(_ call: Call) async throws -> Call.Reply {
        try await (policy.hasHistory ? Self.durable : Self.local).call(call, on: self)
    }

    private static let common: CallHandlers<QueueCore> = {
        var calls = CallHandlers<QueueCore>()
        calls.reply(to: AddParams.self) { .init(ids: try await $0.add($1.transfers, on: $1.terms)) }
        calls.handle(PerformCall.self) { try await $0.perform($1.command, on: $1.ids) }
        calls.reply(to: UndoCall.self) { core, _ in try await core.undo() }
        calls.reply(to: SnapshotCall.self) { core, _ in await core.run { $0.snapshot } }
        calls.reply(to: ListCall.self) { core, call in
            .init(transfers: await core.run { $0.queue.transfers(matching: call.value) })
        }
        calls.reply(to: GetLimitsCall.self) { core, _ in await core.run { $0.queue.limits } }
        calls.handle(SetLimitsCall.self) { core, call in
            switch call.change {
            case .all(let limits): try await core.setLimits(limits)
            case .hold(let isHeld): try await core.setHeld(isHeld)
            }
        }
        calls.reply(to: RatesCall.self) { core, call in
            await core.run { $0.rateReport(seconds: call.duration, of: call.id) }
        }
        calls.reply(to: GetTimetableCall.self) { core, _ in await core.run { $0.timetable } }
        calls.handle(SetTimetableCall.self) { try await $0.setTimetable($1.value) }
        return calls
    }()

    /// Handlers of a queue without a store.
    private static let local: CallHandlers<QueueCore> = {
        var calls = common
        calls.reply(to: InfoCall.self) { core, call in
            let id = call.id
            let (known, ranges, heads, expires) = await core.run {
                ($0.queue[id], $0.ranges(of: id), $0.heads(of: id), $0.uploadExpiry(of: id))
            }
            guard let known else { throw TransferError.unknownTransfer(id) }
            // Without attempts, which only a store has.
            return TransferInfo(transfer: known, ranges: ranges, heads: heads, uploadExpires: expires)
        }
        calls.reply(to: ClearCall.self) { core, call in
            let ended = await core.run { $0.queue.transfers(matching: call.value) }.filter(\.state.isEnded).map(\.id)
            if !ended.isEmpty { try await core.perform(.remove, on: ended) }
            return .init(cleared: ended.count)
        }
        return calls
    }()

    private static let durable: CallHandlers<QueueCore> = {
        var calls = common
        calls.reply(to: InfoCall.self) { try await $0.info($1.id) }
        calls.reply(to: HistoryCall.self) { .init(entries: try await $0.history($1.query)) }
        calls.reply(to: LogCall.self) { try await $0.log($1.query) }
        calls.reply(to: ClearCall.self) { .init(cleared: try await $0.clear($1.value)) }
        calls.reply(to: RelocateCall.self) { .init(dropped: try await $0.relocate($1.id, to: $1.place)) }
        calls.reply(to: SessionEventsCall.self) {
            .init(events: try await $0.sessionEvents(of: $1.session, limit: $1.maximum))
        }
        calls.handle(AcknowledgeCall.self) { try await $0.acknowledgeSessionEvents(of: $1.session, upTo: $1.upTo) }
        return calls
    }()
}
