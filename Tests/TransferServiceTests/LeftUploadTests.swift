// SPDX-License-Identifier: MIT

import Foundation
import Testing
import TransferControl
import TransferModel
import TransferTesting

@testable import TransferService

/// An upload that no attempt continues does not stay at the server. ``ChangingPartsTests`` has those in parts.
@Suite(.timeLimit(.minutes(10))) struct LeftUploadTests {
    private let bytes = patternedBytes(3_000_000)

    private func spec(_ server: DraftServer, _ path: String) throws -> Spec {
        var spec = Spec(
            url: try TransferURL(server.server.url()),
            operation: .upload(Upload(source: .file(path: path), resumption: .auto)))
        try spec.options.addHeader(name: "X-Key", value: "old-key")
        return spec
    }

    /// The server has the first million bytes, and its response to `HEAD` is awaited.
    private func interrupted(_ stage: DurableStage, _ server: DraftServer) async throws -> TransferID {
        let path = try stage.folder.write(bytes, to: "source")
        let id = try await stage.queue.add([spec(server, path)], paused: false)[0]
        try #require(await eventually { server.words.contains("HEAD") })
        return id
    }

    @Test(arguments: [false, true]) func aRetryRemovesThatOfTheOldVersion(_ isReopened: Bool) async throws {
        let stage = try DurableStage()
        let server = try DraftServer(cuts: [1_000_000], stalls: true, numbers: true)
        let id = try await interrupted(stage, server)
        let changed = patternedBytes(3_000_001)
        _ = try stage.folder.write(changed, to: "source")
        server.proceed()
        #expect(try await stage.end(of: id).error?.code == .cannotReadSource)
        if isReopened { try await stage.reopen() }
        try await stage.queue.perform(.retry, on: [id])
        try await stage.wait(for: id) { $0.state == .completed }
        #expect(server.holds(changed))
        #expect(await eventually { server.removed == ["/u1"] }, "\(server.words)")
        await stage.queue.shutDown()
    }

    /// With the credentials that are for the old server, which the new one never gets.
    @Test(arguments: [false, true]) func relocationRemovesItFromTheOldServer(_ isReopened: Bool) async throws {
        let stage = try DurableStage()
        let server = try DraftServer(cuts: [1_000_000], stalls: true, numbers: true)
        let other = try DraftServer(numbers: true)
        let id = try await interrupted(stage, server)
        try await stage.queue.perform(.pause, on: [id])
        try await stage.wait(for: id) { $0.state == .paused }
        if isReopened { try await stage.reopen() }
        server.proceed()
        try await stage.queue.relocate(id, to: Relocation(url: try TransferURL(other.server.url("/other"))))
        try await stage.queue.perform(.resume, on: [id])
        #expect(try await stage.end(of: id).state == .completed)
        #expect(other.holds(bytes))
        #expect(await eventually { server.removed == ["/u1"] }, "\(server.words)")
        #expect(server.server.requests.last?.contains("X-Key: old-key") == true)
        #expect(other.removed.isEmpty && other.server.requests.allSatisfy { !$0.contains("old-key") })
        await stage.queue.shutDown()
    }

    /// A server that gives the new upload the address of the old one: nothing is removed.
    @Test func theSameAddressIsTheNewUpload() async throws {
        let (stage, server) = (try DurableStage(), try DraftServer(cuts: [1_000_000], stalls: true))
        let id = try await interrupted(stage, server)
        let changed = patternedBytes(3_000_001)
        _ = try stage.folder.write(changed, to: "source")
        server.proceed()
        #expect(try await stage.end(of: id).state == .failed)
        try await stage.queue.perform(.retry, on: [id])
        try await stage.wait(for: id) { $0.state == .completed }
        await stage.queue.shutDown()
        #expect(server.holds(changed) && server.removed.isEmpty, "\(server.words)")
    }

    @Test func putAgainRemovesThatOfTheOldVersion() async throws {
        let server = try DraftServer(cuts: [1_000_000], stalls: true, numbers: true)
        let folder = try TemporaryFolder()
        func queue() throws -> QueueStage {
            try QueueStage { _ in
                var configuration = LocalQueue.Configuration()
                configuration.jitter = { 0 }
                configuration.uploadRecords = folder.file("records")
                return configuration
            }
        }
        let path = try folder.write(bytes, to: "source")
        let first = try queue()
        _ = try await first.queue.add([spec(server, path)], paused: false)
        try #require(await eventually { server.words.contains("HEAD") })
        await first.queue.shutDown()
        server.proceed()
        let changed = patternedBytes(2_000_001)
        _ = try folder.write(changed, to: "source")
        let second = try queue()
        #expect(try await second.end(of: spec(server, path)).state == .completed)
        #expect(server.holds(changed))
        #expect(await eventually { server.removed == ["/u1"] }, "\(server.words)")
        await second.queue.shutDown()
    }
}
