// SPDX-License-Identifier: MIT

import Foundation
import Glibc
import Platform
import SessionCore
import Synchronization
import Testing
import TransferControl
import TransferModel
import TransferTesting

@testable import TransferService

/// Uploads of streams of which a broken connection loses nothing, over the real transport.
@Suite(.timeLimit(.minutes(10))) struct ResumedStreamTests {
    let bytes = patternedBytes(20_000_000)

    /// A pipe that a thread writes `bytes` into.
    private final class Source: Sendable {
        let reading: Descriptor
        /// Bytes that the pipe or its reader has taken.
        private let taken = Mutex(0)
        private let allowed: Mutex<Int>

        var count: Int { taken.withLock { $0 } }
        func allow(_ count: Int) { allowed.withLock { $0 = count } }

        init(_ bytes: [UInt8], upTo limit: Int? = nil) throws {
            let (reading, writing) = try Descriptor.pipe()
            self.reading = reading
            allowed = Mutex(limit ?? bytes.count)
            Thread.detachNewThread { [weak self] in
                var position = 0
                while position < bytes.count {
                    guard let end = self?.allowed.withLock({ $0 }) else { return }
                    guard position < end else {
                        usleep(5000)
                        continue
                    }
                    let count = bytes[position..<min(end, position + 100_000)].withUnsafeBytes {
                        write(writing.number, $0.baseAddress, $0.count)
                    }
                    guard count > 0 else { return }
                    position += count
                    self?.taken.withLock { $0 = position }
                }
                withExtendedLifetime(writing) {}
            }
        }
    }

    private func stage() throws -> QueueStage {
        signal(SIGPIPE, SIG_IGN)
        return try QueueStage { _ in
            var configuration = LocalQueue.Configuration()
            configuration.jitter = { 0 }
            return configuration
        }
    }

    /// The end of an upload of `source`, which stays open until then.
    private func end(
        of source: Source, at server: DraftServer, _ stage: QueueStage, _ resumption: UploadResumption = .auto
    ) async throws -> Transfer {
        let result = try await stage.end(of: spec(server, source, resumption))
        withExtendedLifetime(source) {}
        return result
    }

    private func spec(_ server: DraftServer, _ source: Source, _ resumption: UploadResumption = .auto) throws -> Spec {
        let stream = Upload.Source.stream(descriptor: source.reading.number, name: "stdin")
        return Spec(
            url: try TransferURL(server.server.url()),
            operation: .upload(Upload(source: stream, resumption: resumption)))
    }

    @Test func brokenConnectionsLoseNothing() async throws {
        let (stage, server) = (try stage(), try DraftServer(cuts: [300_000, 1, 700_000, 0]))
        let result = try await end(of: Source(bytes), at: server, stage)
        #expect(result.state == .completed, "\(result.error as Any)")
        #expect(result.bytes == 20_000_000 && result.total == 20_000_000 && result.confirmed == 20_000_000)
        #expect(result.uploadProtocol == "ietf-8")
        #expect(server.holds(bytes))
        #expect(server.words.prefix(2) == ["OPTIONS", "PUT"])
        #expect(server.words.filter { $0 == "HEAD" }.count == 4)
    }

    @Test func aStreamWithoutAServerForItIsSentPlainly() async throws {
        for resumption in [UploadResumption.auto, .never] {
            let (stage, server) = (try stage(), try DraftServer(isPlain: true))
            let result = try await end(
                of: Source(Array(bytes[..<3_000_000])), at: server, stage, resumption)
            #expect(result.state == .completed && result.uploadProtocol == nil)
            #expect(server.words == (resumption == .auto ? ["OPTIONS", "PUT", "HEAD"] : ["PUT", "HEAD"]))
            #expect(server.holds(Array(bytes[..<3_000_000])))
        }
    }

    /// Without a confirmation, no more is read than the spool holds.
    @Test func aFullSpoolStopsTheWriter() async throws {
        let bytes = patternedBytes(40_000_000)
        let (stage, server) = (try stage(), try DraftServer(cuts: [0], stalls: true))
        let source = try Source(bytes)
        let id = try await stage.queue.add([spec(server, source)], paused: false)[0]
        #expect(await eventually { server.words.contains("HEAD") })
        let most = Int(StreamSpool.capacity)
        #expect(await eventually { source.count >= most })
        #expect(source.count <= most + 1_200_000)
        server.proceed()
        try await stage.wait { $0[id]?.state == .completed }
        withExtendedLifetime(source) {}
        #expect(server.holds(bytes))
    }

    /// A program that writes now and then is uploaded as it writes.
    @Test func slowWritersAreNotHeldBack() async throws {
        let (stage, server) = (try stage(), try DraftServer())
        let source = try Source(Array(bytes[..<3000]), upTo: 1000)
        let id = try await stage.queue.add([spec(server, source)], paused: false)[0]
        #expect(await eventually { server.stored.count == 1000 })
        try await stage.queue.perform(.pause, on: [id])
        source.allow(2000)
        try await stage.queue.perform(.resume, on: [id])
        #expect(await eventually { server.stored.count == 2000 })
        // What a request had is not the size of the stream.
        let found = try await stage.queue.snapshot().transfers.first { $0.id == id }
        #expect(found?.confirmed ?? 0 >= 1000 && found?.total == nil, "\(String(describing: found))")
        source.allow(3000)
        try await stage.wait { $0[id]?.state == .completed }
        withExtendedLifetime(source) {}
        #expect(server.holds(Array(bytes[..<3000])))
    }

    /// All of it is still held.
    @Test func aStreamOfWhichNothingWasConfirmedStartsAgain() async throws {
        let (stage, server) = (try stage(), try DraftServer(cuts: [6_000_000], forgets: 1))
        let result = try await end(of: Source(bytes), at: server, stage)
        #expect(result.state == .completed && server.holds(bytes))
        #expect(server.words.filter { $0 == "PUT" }.count == 2)
    }

    @Test func aStreamThatTheServerHasLostFails() async throws {
        let (stage, server) = (try stage(), try DraftServer(cuts: [9_000_000, 1000], forgets: 1, afterQueries: 1))
        let result = try await end(of: Source(bytes), at: server, stage)
        #expect(result.state == .failed && result.error?.code == .rangeRefused, "\(result.error as Any)")
        #expect(server.words.filter { $0 == "PUT" }.count == 1)
    }

    @Test func heldBytesAreThoseThatWereRead() {
        var held = StreamSpool.Held()
        for start in [0, 1000, 1500] { held.append(Array(bytes[start..<(start == 0 ? 1000 : start + 500)])) }
        #expect(held.start == 0 && held.end == 2000)
        for range in [0..<2000, 10..<20, 990..<1010, 1000..<1500, 1499..<2000, 5..<5] as [Range<Int64>] {
            #expect(held.bytes(range) == Array(bytes[Int(range.lowerBound)..<Int(range.upperBound)]), "\(range)")
        }
        held.discard(below: 1499)
        #expect(held.start == 1000 && held.bytes(1499..<1600) == Array(bytes[1499..<1600]))
        held.discard(below: 2000)
        #expect(held.start == 2000 && held.end == 2000 && held.room == StreamSpool.capacity)
    }
}
