// SPDX-License-Identifier: MIT

import CurlTransport
import Foundation
import SessionCore
import Synchronization
import Testing
import TransferControl
import TransferModel
import TransferTesting

@testable import TransferService

/// Uploads to a store on loopback, over the real transport.
@Suite(.timeLimit(.minutes(10))) struct S3UploadTests {
    private let bytes = patternedBytes(12_000_000)
    private let form = S3Upload(
        region: "r", credential: S3Credential(accessKey: "planted-id", secretKey: "planted-key"), partSize: 5 << 20)

    @Test func anotherProcessContinuesWithTheStoredKeys() async throws {
        let (stage, store) = (try DurableStage(), try SmallStore(stallsAt: 2))
        try stage.folder.write(bytes, to: "source")
        let id = try await stage.queue.add(
            [stage.upload(store.url, name: "source", form: .s3(form))], paused: false)[0]
        #expect(await eventually { store.words.contains("PUT 2") && store.parts == [1, 3] })
        try await stage.crash { store.proceed() }
        let result = try await stage.end(of: id)
        #expect(result.state == .completed && result.uploadProtocol == "s3")
        #expect(result.confirmed == 12_000_000 && store.holds(bytes))
        // No part that the store has is sent again.
        #expect(Set(store.words.prefix(4)) == ["POST uploads", "PUT 1", "PUT 2", "PUT 3"])
        #expect(store.words.dropFirst(4) == ["GET", "PUT 2", "POST"])
        // Only the file of secrets has the keys.
        let paths = FileManager.default.enumerator(atPath: stage.folder.path)?.compactMap { $0 as? String } ?? []
        #expect(!paths.isEmpty)
        for path in paths where !path.hasSuffix("credentials.json") {
            let data = FileManager.default.contents(atPath: stage.folder.file(path)) ?? Data()
            #expect(data.firstRange(of: Data("planted".utf8)) == nil, "\(path)")
        }
    }

    @Test(arguments: [false, true]) func cancellingWithDeletionRemovesTheParts(_ isDeleting: Bool) async throws {
        let (stage, store) = (try DurableStage(), try SmallStore(stallsAt: 2))
        try stage.folder.write(bytes, to: "source")
        let id = try await stage.queue.add(
            [stage.upload(store.url, name: "source", form: .s3(form))], paused: false)[0]
        #expect(await eventually { store.words.contains("PUT 2") && store.parts == [1, 3] })
        try await stage.queue.perform(.cancel(deletingPartial: isDeleting), on: [id])
        try await stage.wait(for: id) { $0.state == .cancelled }
        store.proceed()
        guard !isDeleting else {
            #expect(await eventually { store.words.contains("DELETE") })
            return
        }
        try await stage.queue.perform(.retry, on: [id])
        #expect(try await stage.end(of: id).state == .completed)
        #expect(Set(store.words.prefix(4)) == ["POST uploads", "PUT 1", "PUT 2", "PUT 3"])
        #expect(store.words.dropFirst(4) == ["GET", "PUT 2", "POST"])
    }

    /// All parts but the first at the same time, up to four: while one of them is held back, the others arrive.
    @Test func partsAreSentAtTheSameTime() async throws {
        let (stage, store) = (try DurableStage(), try SmallStore(stallsAt: 2))
        let bytes = patternedBytes(42_000_000)
        try stage.folder.write(bytes, to: "source")
        let id = try await stage.queue.add(
            [stage.upload(store.url, name: "source", form: .s3(form))], paused: false)[0]
        #expect(await eventually { store.words.contains("PUT 2") && store.parts == [1, 3, 4, 5, 6, 7, 8, 9] })
        #expect(store.words.count == 10)
        store.proceed()
        let result = try await stage.end(of: id)
        #expect(result.state == .completed)
        #expect(result.confirmed == 42_000_000 && store.holds(bytes))
    }

    @Test func theLimitOfAHostIsOneOfConnections() async throws {
        let (stage, store) = (try DurableStage(), try SmallStore())
        try await stage.queue.setLimits(QueueLimits(concurrent: 4, perHost: 1))
        try stage.folder.write(bytes, to: "source")
        let id = try await stage.queue.add(
            [stage.upload(store.url, name: "source", form: .s3(form))], paused: false)[0]
        #expect(try await stage.end(of: id).state == .completed)
        #expect(store.words == ["POST uploads", "PUT 1", "PUT 2", "PUT 3", "POST"])
        #expect(store.holds(bytes))
    }

    /// A store that takes one part at a time is not asked for more.
    @Test func aStoreMayRefuseFurtherParts() async throws {
        let (stage, store) = (try DurableStage(), try SmallStore(takes: 1))
        let bytes = patternedBytes(32_000_000)
        try stage.folder.write(bytes, to: "source")
        let id = try await stage.queue.add(
            [stage.upload(store.url, name: "source", form: .s3(form))], paused: false)[0]
        let result = try await stage.end(of: id)
        #expect(result.state == .completed && store.holds(bytes))
        #expect(result.confirmed == 32_000_000)
    }

    /// A part that was confirmed before is no progress: the number of retries ends such an upload.
    @Test func aStoreThatLosesAPartEachTimeIsNotAskedForEver() async throws {
        let (stage, store) = (try DurableStage(), try SmallStore(loses: 2))
        try stage.folder.write(bytes, to: "source")
        var spec = try stage.upload(store.url, name: "source", form: .s3(form))
        spec.options.retries = 1
        let id = try await stage.queue.add([spec], paused: false)[0]
        #expect(try await stage.end(of: id).state == .failed)
        #expect(store.words.filter { $0 == "PUT 2" }.count == 2)
    }

    /// A paused upload has one connection; the others are cut, and what they sent of their parts is sent again.
    @Test func aPausedUploadResumes() async throws {
        let (stage, store) = (try DurableStage(), try SmallStore(stallsAt: 3))
        try stage.folder.write(bytes, to: "source")
        let id = try await stage.queue.add(
            [stage.upload(store.url, name: "source", form: .s3(form))], paused: false)[0]
        #expect(await eventually { store.words.contains("PUT 3") })
        try await stage.queue.perform(.pause, on: [id])
        try await stage.wait(for: id) { $0.state == .paused }
        store.proceed()
        try await stage.queue.perform(.resume, on: [id])
        let result = try await stage.end(of: id)
        #expect(result.state == .completed && store.holds(bytes))
    }

    /// The connection breaks before the response: curl itself sends the request again.
    @Test func aPartIsSentAgainFromItsFirstByte() async throws {
        let (stage, store) = (try DurableStage(), try SmallStore(stallsAt: 2))
        try stage.folder.write(bytes, to: "source")
        let id = try await stage.queue.add(
            [stage.upload(store.url, name: "source", form: .s3(form))], paused: false)[0]
        #expect(await eventually { store.words.contains("PUT 2") })
        store.proceed()
        #expect(try await stage.end(of: id).state == .completed)
        #expect(store.holds(bytes))
    }

    @Test func aChangedFileIsNotJoined() async throws {
        let (stage, store) = (try DurableStage(), try SmallStore(stallsAt: 2))
        try stage.folder.write(bytes, to: "source")
        let id = try await stage.queue.add(
            [stage.upload(store.url, name: "source", form: .s3(form))], paused: false)[0]
        #expect(await eventually { store.words.contains("PUT 2") })
        try await stage.queue.perform(.pause, on: [id])
        try stage.folder.write(patternedBytes(12_000_000, seed: 9), to: "source")
        store.proceed()
        try await stage.queue.perform(.resume, on: [id])
        let result = try await stage.end(of: id)
        #expect(result.state == .failed)
        #expect(result.error?.code == .cannotReadSource, "\(String(describing: result.error))")
        #expect(!store.words.contains("POST"))
    }

    @Test func keysOfAMissingProfileAreAFailure() async throws {
        let (stage, store) = (try DurableStage(), try SmallStore())
        try stage.folder.write(bytes, to: "source")
        let missing = S3Upload(region: "r", profile: "none", credentialFile: stage.folder.file("no-file"))
        let id = try await stage.queue.add(
            [stage.upload(store.url, name: "source", form: .s3(missing))], paused: false)[0]
        let result = try await stage.end(of: id)
        #expect(result.error?.code == .secretMissing && result.error?.fields.variant == .s3KeysMissing)
        #expect(store.words.isEmpty)
    }

    /// A second may end while a request is signed.
    @Test func aSignatureIsOfTheTimeThatItsRequestStates() async throws {
        let folder = try TemporaryFolder()
        let server = try ScriptedServer { connection, _ in
            while connection.readHead() != nil { connection.answer("403 Forbidden") }
        }
        let path = try folder.write([1, 2, 3], to: "source")
        let clock = RestlessClock()
        let queue = LocalQueue(transport: try CurlTransport(), scheduler: clock)
        let updates = queue.updates()
        let spec = Spec(
            url: try TransferURL(server.url("/bucket/key")),
            operation: .upload(Upload(source: .file(path: path), form: .s3(form))))
        _ = try await queue.add([spec], paused: false)
        for await update in updates {
            if case .events(let events) = update, events.contains(where: { $0.transfer.state.isEnded }) { break }
        }
        await queue.shutDown()
        let lines = try #require(server.requests.first).split(separator: "\r\n").map(String.init)
        let words = lines[0].split(separator: " ").map(String.init)
        let fields = lines.dropFirst().map { line in
            let parts = line.split(separator: ":", maxSplits: 1)
            return (name: parts[0].lowercased(), value: parts[1].trimmingCharacters(in: .whitespaces))
        }
        func field(_ name: String) -> String? { fields.first { $0.name == name }?.value }
        let signature = try #require(field("authorization"))
        let names = try #require(signature.split(separator: "SignedHeaders=").last?.split(separator: ",").first)
        let signed = names.split(separator: ";").compactMap { name in fields.first { $0.name == name } }
        let time = try #require(clock.times.first { SigV4.date($0) == field("x-amz-date") })
        let signer = SigV4(accessKey: "planted-id", secretKey: "planted-key", region: "r")
        let request = SigV4.Request(
            method: words[0], target: words[1], fields: signed, payload: try #require(field("x-amz-content-sha256")))
        #expect(signer.authorization(request, at: time) == signature)
    }

    /// Each reading of it is of another second.
    private final class RestlessClock: Scheduler {
        private let system = SystemScheduler()
        private let read = Mutex<[Int64]>([])

        var times: [Int64] { read.withLock { $0 } }
        var now: Double { system.now }
        var wallNow: Double {
            read.withLock { times in
                times.append((times.last ?? Int64(system.wallNow)) + 1)
                return Double(times[times.count - 1])
            }
        }

        func schedule(at time: Double, _ work: @escaping @Sendable () -> Void) { system.schedule(at: time, work) }
    }

    @Test func anUploadDoesNotMoveToAnotherServer() throws {
        let spec = Spec(
            url: try TransferURL("https://a.test/b/k"),
            operation: .upload(Upload(source: .file(path: "/f"), form: .s3(form))))
        var place = Relocation()
        place.url = try TransferURL("https://other.test/b/k")
        #expect(throws: TransferError.self) { try spec.relocated(to: place) }
        place.url = try TransferURL("https://a.test/b/other")
        #expect(try spec.relocated(to: place).description.url.path == "/b/other")
    }
}
