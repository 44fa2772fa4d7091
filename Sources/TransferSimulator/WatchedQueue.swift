// SPDX-License-Identifier: MIT

import TransferControl
import TransferModel
import TransferService

/// The queue behind the control server, which knows whether commands are under way.
final class WatchedQueue: QueueClient, @unchecked Sendable {  // Used on one thread.
    private let queue: DurableQueue
    private let bug: PlantedBug?
    private var underWay = 0
    private var waiting: [CheckedContinuation<Void, Never>] = []

    init(_ queue: DurableQueue, _ bug: PlantedBug?) { (self.queue, self.bug) = (queue, bug) }

    /// Returns when no command is under way.
    func awaitCommands() async {
        guard underWay > 0 else { return }
        await withCheckedContinuation { waiting.append($0) }
    }

    func call<Call: QueueCall>(_ call: Call) async throws -> Call.Reply {
        switch call {
        case is AddParams, is PerformCall, is UndoCall, is RelocateCall, is ClearCall, is SetLimitsCall,
            is SetTimetableCall:
            break
        default: return try await queue.call(call)
        }
        underWay += 1
        defer {
            underWay -= 1
            if underWay == 0 {
                for one in waiting { one.resume() }
                waiting = []
            }
        }
        if bug == .addedTwice, call is AddParams { _ = try await queue.call(call) }
        if bug == .requestCutShort, var cut = call as? PerformCall, cut.ids.count > 1 {
            // Of several IDs, the last one is missed.
            cut.ids.removeLast()
            if let cut = cut as? Call { return try await queue.call(cut) }
        }
        return try await queue.call(call)
    }

    func updates(of session: String?) -> AsyncStream<QueueUpdate> { queue.updates(of: session) }
}
