// SPDX-License-Identifier: MIT

import Foundation
import Testing
import TransferControl
import TransferModel
import TransferTesting

@testable import TransferService

/// A source that changes while its parts are sent at the same time: they are never joined.
@Suite(.timeLimit(.minutes(10))) struct ChangingPartsTests {
    typealias Change = ChangingSourceTests.Change

    enum Moment: CaseIterable, Sendable {
        /// While the last part is on its way, which arrives.
        case duringPart
        /// Its connection breaks.
        case betweenRequests
        /// The queue ends without notice, and another process continues.
        case betweenProcesses
    }

    @Test(arguments: Change.allCases, Moment.allCases)
    func partsOfTusAreNotJoined(_ change: Change, _ moment: Moment) async throws {
        let (stage, server) = (try DurableStage(), try TusPartsServer(holds: 2, resets: moment != .duringPart))
        let id = try await addTus(stage, server)
        try await apply(change, moment, stage) { server.proceed() }
        expectRefusal(try await stage.end(of: id), change)
        #expect(!server.words.contains("POST final"))
        // What follows the first MiB is another file's.
        #expect(server.words.allSatisfy { !$0.hasPrefix("PATCH") || $0.hasSuffix(" 0") }, "\(server.words)")
    }

    @Test(arguments: Change.allCases, Moment.allCases)
    func partsOfS3AreNotJoined(_ change: Change, _ moment: Moment) async throws {
        let (stage, store) = (try DurableStage(), try SmallStore(stallsAt: 2, resets: moment != .duringPart))
        let id = try await addS3(stage, store)
        try await apply(change, moment, stage) { store.proceed() }
        expectRefusal(try await stage.end(of: id), change)
        #expect(!store.words.contains("POST"), "\(store.words)")
    }

    /// All parts are sent again.
    @Test func aRetrySendsTheNewVersionByTus() async throws {
        let (stage, server) = (try DurableStage(), try TusPartsServer(holds: 2))
        let id = try await addTus(stage, server)
        try await apply(.isReplaced, .betweenRequests, stage) { server.proceed() }
        expectRefusal(try await stage.end(of: id), .isReplaced)
        try await stage.queue.perform(.retry, on: [id])
        try await stage.wait(for: id) { $0.state == .completed }
        #expect(server.words.count { $0 == "POST partial" } == 4)
        let sent = try stage.folder.read("source")
        #expect(server.holds(sent))
        // Nothing of the old one stays there.
        #expect(await eventually { server.words.contains("DELETE 1") && server.words.contains("DELETE 2") })
        #expect(server.words.count { $0.hasPrefix("DELETE") } == 2)
        await stage.queue.shutDown()
    }

    @Test func aRetrySendsTheNewVersionToS3() async throws {
        let (stage, store) = (try DurableStage(), try SmallStore(stallsAt: 2))
        let id = try await addS3(stage, store)
        try await apply(.isReplaced, .betweenRequests, stage) { store.proceed() }
        expectRefusal(try await stage.end(of: id), .isReplaced)
        try await stage.queue.perform(.retry, on: [id])
        try await stage.wait(for: id) { $0.state == .completed }
        #expect(store.words.count { $0 == "POST uploads" } == 2)
        let sent = try stage.folder.read("source")
        #expect(store.holds(sent))
        #expect(await eventually { store.removed == ["u1"] }, "\(store.removed)")
        await stage.queue.shutDown()
    }

    // MARK: Steps

    /// Two parts: the server has the first, and a MiB of the second.
    private func addTus(_ stage: DurableStage, _ server: TusPartsServer) async throws -> TransferID {
        let path = try Files.fill(stage.folder.file("source"), 17_000_000)
        var spec = Spec(
            url: try TransferURL(server.url),
            operation: .upload(Upload(source: .file(path: path), resumption: .tus)))
        spec.options.connections = 2
        let id = try await stage.queue.add([spec], paused: false)[0]
        try #require(await eventually { server.complete == [1] && server.offset(of: 2) == 1 << 20 })
        return id
    }

    /// Three parts: the store has the first and the last.
    private func addS3(_ stage: DurableStage, _ store: SmallStore) async throws -> TransferID {
        try Files.fill(stage.folder.file("source"), 12_000_000)
        let form = S3Upload(
            region: "r", credential: S3Credential(accessKey: "planted-id", secretKey: "planted-key"),
            partSize: 5 << 20)
        let id = try await stage.queue.add(
            [stage.upload(store.url, name: "source", form: .s3(form))], paused: false)[0]
        try #require(await eventually { store.words.contains("PUT 2") && store.parts == [1, 3] })
        return id
    }

    private func apply(
        _ change: Change, _ moment: Moment, _ stage: DurableStage, _ proceed: () -> Void
    ) async throws {
        let path = stage.folder.file("source")
        switch moment {
        case .duringPart, .betweenRequests:
            change.apply(to: path)
            proceed()
        case .betweenProcesses:
            try await stage.crash {
                change.apply(to: path)
                proceed()
            }
        }
    }

    private func expectRefusal(_ result: Transfer, _ change: Change) {
        let error = result.error
        #expect(result.state == .failed && error?.code == .cannotReadSource, "\(String(describing: error))")
        let isMissing = change == .vanishes && error?.message.contains("source: cannot read: ") == true
        #expect(isMissing || error?.fields.variant == .sourceChanged, "\(String(describing: error))")
    }
}
