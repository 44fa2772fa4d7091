// SPDX-License-Identifier: MIT

import Testing
import TransferModel
import TransferTesting

@testable import TransferControl

@Suite struct ControlClientAddingTests {
    private func transfers(
        _ count: Int, options: (Int) -> TransferOptions = { _ in TransferOptions() }
    ) throws -> [Spec] {
        try (0..<count).map {
            Spec(
                url: try TransferURL("https://example.org/\($0)"),
                operation: .download(Download(destination: .folder(path: "/home", name: "\($0)"))), options: options($0)
            )
        }
    }

    @Test(arguments: [0, 1, 1999, 2000, 2001, 6000]) func addsListsOfAnyLength(count: Int) async throws {
        try await onStage { stage in
            let client = try await stage.client()
            let transfers = try transfers(count)
            #expect(try await client.add(transfers, paused: true).count == count)
            #expect(stage.testQueue.added == transfers)
        }
    }

    @Test func keepsOptionsPerTransfer() async throws {
        try await onStage(change: { $0.maximumMessage = 5000 }) { stage in
            let client = try await stage.client()
            let transfers = try transfers(100) { index in
                var options = TransferOptions()
                if index % 3 > 0 { options.retries = index % 3 }
                return options
            }
            _ = try await client.add(transfers, paused: true)
            #expect(stage.testQueue.added == transfers)
            // The same, with another one first.
            _ = try await client.add(transfers.reversed(), paused: true)
            #expect(stage.testQueue.added == transfers + transfers.reversed())
        }
    }

    @Test func oneOversizedTransferRefusesAll() async throws {
        try await onStage(change: { $0.maximumMessage = 2000 }) { stage in
            let client = try await stage.client()
            var transfers = try transfers(100)
            transfers[70].url = try TransferURL("https://example.org/" + String(repeating: "x", count: 3000))
            let error = await #expect(throws: TransferError.self) { try await client.add(transfers, paused: false) }
            #expect(error?.code == .usage)
            #expect(stage.testQueue.added.isEmpty)
            #expect(try await client.add(try self.transfers(100), paused: false).count == 100)
        }
    }

    @Test func oneInvalidTransferRefusesAll() async throws {
        try await onStage { stage in
            let client = try await stage.client()
            var transfers = try transfers(5000)
            transfers[4500].operation = .download(Download(destination: .file(path: "relative")))
            await #expect(throws: TransferError.self) { try await client.add(transfers, paused: false) }
            #expect(stage.testQueue.added.isEmpty)
        }
    }

    /// The service may have carried out the request.
    @Test(arguments: ["", "nonsense\n"]) func aMissingReplyIsAnUnknownOutcome(_ text: String) async throws {
        let service = try ScriptedService { peer in
            await peer.greet()
            _ = await peer.line()
            await peer.send(text)
        }
        let client = try await service.client()
        let transfers = try transfers(1)
        let error = await #expect(throws: TransferError.self) { try await client.add(transfers, paused: false) }
        #expect(error?.code == .receiveFailed && error?.fields.variant == .additionUnknown)
        // These were not sent.
        let later = await #expect(throws: TransferError.self) { try await client.add(transfers, paused: false) }
        #expect(later?.code == .receiveFailed && later?.fields.variant == nil)
    }

    /// A list is added with its last part.
    @Test func aListThatBreaksOffIsNotAdded() async throws {
        let service = try ScriptedService { peer in
            await peer.greet()
            _ = await peer.line()
        }
        let client = try await service.client()
        let transfers = try transfers(4100)
        let error = await #expect(throws: TransferError.self) { try await client.add(transfers, paused: false) }
        #expect(error?.code == .receiveFailed && error?.fields.variant == nil)
    }

    @Test func listsOfSeveralTasksDoNotMix() async throws {
        try await onStage { stage in
            let client = try await stage.client()
            let transfers = try transfers(4100)
            try await withThrowingTaskGroup(of: [TransferID].self) { group in
                for _ in 0..<3 { group.addTask { try await client.add(transfers, paused: true) } }
                for try await ids in group { #expect(ids.count == 4100) }
            }
            #expect(stage.testQueue.added == transfers + transfers + transfers)
        }
    }
}
