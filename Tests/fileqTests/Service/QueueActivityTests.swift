// SPDX-License-Identifier: MIT

import Testing
import TransferControl
import TransferModel
import TransferTesting

@testable import fileq

@Suite struct QueueActivityTests {
    private func transfer(_ id: Int, _ state: TransferState) -> Transfer {
        Transfer(
            id: TransferID(rawValue: id), kind: .download, url: "https://example.org/a", file: "/a", state: state)
    }

    private func event(_ id: Int, _ state: TransferState) -> QueueUpdate {
        .events([TransferEvent(time: 0, name: .changed, transfer: transfer(id, state))])
    }

    @Test(arguments: TransferState.allCases) func pausedAndFinishedTransfersAreInactive(_ state: TransferState) {
        var activity = QueueActivity()
        activity.receive(.snapshot(QueueSnapshot(transfers: [transfer(1, state)])))
        #expect(activity.isActive == ![.paused, .completed, .failed, .cancelled].contains(state))
    }

    @Test func nothingIsKnownBeforeTheFirstSnapshot() {
        var activity = QueueActivity()
        #expect(activity.isActive)
        activity.receive(.limits(QueueLimits()))
        #expect(activity.isActive)
        activity.receive(.snapshot(QueueSnapshot()))
        #expect(!activity.isActive)
    }

    @Test func changesCount() {
        var activity = QueueActivity()
        activity.receive(.snapshot(QueueSnapshot()))
        let steps: [(QueueUpdate, Bool)] = [
            (event(1, .queued), true), (event(1, .running), true), (event(2, .waiting), true),
            (event(1, .completed), true),
            (.order([TransferID(rawValue: 2), TransferID(rawValue: 1)]), true), (event(2, .paused), false),
            (event(2, .queued), true),
            (.removed([TransferID(rawValue: 2)]), false), (event(3, .retrying), true),
            (.snapshot(QueueSnapshot()), false),
        ]
        for (index, step) in steps.enumerated() {
            activity.receive(step.0)
            #expect(activity.isActive == step.1, "step \(index)")
        }
    }
}
