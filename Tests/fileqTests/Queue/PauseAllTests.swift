// SPDX-License-Identifier: MIT

import Testing
import TransferControl
import TransferModel
import TransferTesting

@testable import fileq

/// What is paused together is resumed together, and nothing else with it.
@Suite struct PauseAllTests {
    private static func paused(
        _ id: Int, _ origin: PauseOrigin?, _ change: (inout TransferForm) -> Void = { _ in }
    ) -> Transfer {
        QueueStage.transfer(id, .paused) { transfer in
            transfer.pausedBy = origin
            change(&transfer)
        }
    }

    @Test func resumeAllIgnoresIndividuallyPausedTransfers() async throws {
        let asking = Self.paused(5, nil) {
            $0.question = .login(
                .init(host: "example.org", port: 443, scheme: "https", realm: "staff", method: "basic"))
        }
        let transfers = [
            Self.paused(1, .transfer), Self.paused(2, .queue), Self.paused(3, .transfer), Self.paused(4, nil), asking,
        ]
        try await onQueueStage(transfers) { stage async throws in
            let outcome = try await stage.run(["resume", "--all"])
            #expect(outcome.status == 0)
            #expect(stage.performed.map(\.command) == [.resume] && stage.performed.map(\.ids) == [[2, 4]])
            #expect(
                outcome.said == [
                    "2 transfers were paused individually and stay paused; 'fileq resume state:paused' resumes them",
                    "1 transfer needs a decision; 'fileq' asks for it",
                ])
            #expect(try await stage.run(["resume", "state:paused"]).said.isEmpty)
            #expect(stage.performed.last?.ids == [1, 3, 5])
        }
    }

    @Test func pauseAllAndResumeAllTouchTheSame() async throws {
        try await onQueueStage([Self.paused(1, .transfer), QueueStage.transfer(2, .running)]) { stage async throws in
            _ = try await stage.run(["pause", "--all"])
            #expect(
                try await stage.run(["list", "--json"]).objects.map { $0["pausedBy"] as? String } == [
                    "transfer", "queue",
                ])
            let outcome = try await stage.run(["resume", "--all"])
            #expect(
                outcome.said == [
                    "1 transfer was paused individually and stays paused; 'fileq resume state:paused' resumes it"
                ])
            #expect(stage.performed.map(\.ids) == [[2], [2]])
        }
    }

    /// Such a pause outlasts the hold.
    @Test func pausesWhatIsHeldWithTheQueue() async throws {
        let transfers = [Self.paused(1, .queue), Self.paused(2, .transfer), QueueStage.transfer(3, .running)]
        try await onQueueStage(transfers) { stage async throws in
            let outcome = try await stage.run(["pause", "1", "2", "3"])
            #expect(outcome.status == 0 && outcome.said == ["2 is paused: nothing to pause"])
            #expect(stage.performed.map(\.command) == [.pause] && stage.performed.map(\.ids) == [[1, 3]])
            #expect(try await stage.run(["pause", "kind:download"]).said == ["no transfer matches: nothing done"])
            #expect(stage.performed.count == 1)
        }
    }

    @Test func explainsRetriesOfPausedTransfers() async throws {
        let transfers = [
            QueueStage.transfer(1, .cancelled) { $0.pausedBy = .transfer }, QueueStage.transfer(2, .cancelled),
        ]
        try await onQueueStage(transfers) { stage async throws in
            #expect(
                try await stage.run(["retry", "1", "2"]).said == [
                    "1 was paused when it was cancelled and is paused again; 'fileq resume 1' starts it"
                ])
        }
    }

    @Test func clearCanKeepTheHistory() async throws {
        try await onQueueStage(QueueCommandTests.transfers) { stage async throws in
            #expect(
                try await stage.run(["clear", "--keep-history", "-v"]).output == "2 transfers removed from the list\n")
            #expect(stage.performed.map(\.command) == [.dismiss] && stage.performed.map(\.ids) == [[2, 3]])
            #expect(try await stage.run(["list"]).lines.count == 3)
        }
    }
}
