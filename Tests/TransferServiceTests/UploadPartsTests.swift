// SPDX-License-Identifier: MIT

#if canImport(FileServer)
    import FileServer
#endif
import Foundation
import SessionCore
import Testing
import TransferControl
import TransferModel
import TransferTesting

@testable import TransferService

/// Uploads by tus in parts that the server joins, over the real transport.
@Suite(.timeLimit(.minutes(10))) struct UploadPartsTests {
    private let bytes = patternedBytes(36_000_000)
    private let creations = ["OPTIONS"] + [String](repeating: "POST partial", count: 4)

    private func spec(_ stage: DurableStage, _ url: String) throws -> Spec {
        try stage.folder.write(bytes, to: "source")
        var spec = Spec(
            url: try TransferURL(url),
            operation: .upload(Upload(source: .file(path: stage.folder.file("source")), resumption: .tus)))
        spec.options.connections = 4
        return spec
    }

    /// An upload whose second part gets no further than its first MiB, while the server has all of the others.
    private func held(_ server: TusPartsServer) async throws -> (stage: DurableStage, id: TransferID) {
        let stage = try DurableStage()
        let id = try await stage.queue.add([spec(stage, server.url)], paused: false)[0]
        #expect(await eventually { server.complete == [1, 3, 4] && server.offset(of: 2) == 1 << 20 })
        return (stage, id)
    }

    @Test func partsAreSentAtTheSameTime() async throws {
        let server = try TusPartsServer(holds: 2)
        let (stage, id) = try await held(server)
        #expect(server.words.prefix(5) == creations[...])
        #expect(Set(server.words.dropFirst(5)) == ["PATCH 1 0", "PATCH 2 0", "PATCH 3 0", "PATCH 4 0"])
        server.proceed()
        let result = try await stage.end(of: id)
        #expect(result.state == .completed && result.uploadProtocol == "tus-1.0.0")
        #expect(result.confirmed == 36_000_000 && server.holds(bytes))
        #expect(server.words.count { $0.hasPrefix("PATCH") } == 5 && server.words.contains("PATCH 2 1048576"))
        #expect(server.words.last == "POST final")
    }

    @Test func anotherProcessContinuesEachPart() async throws {
        let server = try TusPartsServer(holds: 2)
        let (stage, id) = try await held(server)
        let before = server.words.count
        try await stage.crash { server.proceed() }
        let result = try await stage.end(of: id)
        #expect(result.state == .completed && result.confirmed == 36_000_000)
        #expect(server.holds(bytes))
        let later = server.words.dropFirst(before)
        #expect(later.last == "POST final")
        #expect(Set(later.dropLast()) == ["HEAD 1", "HEAD 2", "HEAD 3", "HEAD 4", "PATCH 2 1048576"])
        #expect(later.count == 6)
    }

    @Test func aLostPartStartsAgainAndTheOthersDoNot() async throws {
        let server = try TusPartsServer(holds: 2)
        let (stage, id) = try await held(server)
        let before = server.words.count
        try await stage.crash {
            server.forget(3)
            server.proceed()
        }
        let result = try await stage.end(of: id)
        #expect(result.state == .completed && result.confirmed == 36_000_000)
        #expect(server.holds(bytes))
        let later = server.words.dropFirst(before)
        #expect(later.count { $0 == "POST partial" } == 1 && later.contains("PATCH 5 0"))
        #expect(Set(later.filter { $0.hasPrefix("PATCH") }) == ["PATCH 2 1048576", "PATCH 5 0"])
    }

    @Test(arguments: [false, true]) func cancellingWithDeletionRemovesTheParts(_ isDeleting: Bool) async throws {
        let server = try TusPartsServer(holds: 2)
        let (stage, id) = try await held(server)
        try await stage.queue.perform(.cancel(deletingPartial: isDeleting), on: [id])
        try await stage.wait(for: id) { $0.state == .cancelled }
        server.proceed()
        guard !isDeleting else {
            #expect(await eventually { Set((1...4).map { "DELETE \($0)" }).isSubset(of: server.words) })
            return
        }
        try await stage.queue.perform(.retry, on: [id])
        #expect(try await stage.end(of: id).state == .completed)
        #expect(server.words.count { $0 == "POST partial" } == 4)
        #expect(server.holds(bytes))
    }

    @Test func aPausedUploadResumes() async throws {
        let server = try TusPartsServer(holds: 2)
        let (stage, id) = try await held(server)
        try await stage.queue.perform(.pause, on: [id])
        try await stage.wait(for: id) { $0.state == .paused }
        server.proceed()
        try await stage.queue.perform(.resume, on: [id])
        #expect(try await stage.end(of: id).state == .completed)
        #expect(server.words.count { $0 == "POST partial" } == 4)
        #expect(server.holds(bytes))
    }

    @Test func theLimitOfAHostIsOneOfConnections() async throws {
        let (stage, server) = (try DurableStage(), try TusPartsServer())
        try await stage.queue.setLimits(QueueLimits(concurrent: 4, perHost: 1))
        let id = try await stage.queue.add([spec(stage, server.url)], paused: false)[0]
        #expect(try await stage.end(of: id).state == .completed)
        #expect(server.words == creations + (1...4).map { "PATCH \($0) 0" } + ["POST final"])
        #expect(server.holds(bytes))
    }

    @Test func aServerThatJoinsNothingGetsOneUpload() async throws {
        let (stage, server) = (try DurableStage(), try TusPartsServer(extensions: "creation"))
        let id = try await stage.queue.add([spec(stage, server.url)], paused: false)[0]
        #expect(try await stage.end(of: id).state == .completed)
        #expect(server.words == ["OPTIONS", "POST", "PATCH 1 0"])
    }

    /// The parts are still there: only the user can know whether the file is.
    @Test func aLostFinalResponseIsNoSecondFile() async throws {
        let (stage, server) = (try DurableStage(), try TusPartsServer(losesFinalResponses: 1))
        let id = try await stage.queue.add([spec(stage, server.url)], paused: false)[0]
        let result = try await stage.end(of: id)
        #expect(result.state == .failed && result.error?.fields.variant == .outcomeUnknown)
        #expect(server.words.count { $0 == "POST final" } == 1)
        try await stage.queue.perform(.retry, on: [id])
        try await stage.wait(for: id) { $0.state == .completed }
        #expect(server.words.count { $0 == "POST final" } == 2)
        #expect(server.words.count { $0.hasPrefix("PATCH") } == 4)
    }

    /// One that states that it stores the same parts once: a kill while it joins them costs another request alone.
    @Test func aServerThatRepeatsItsResponseIsAskedAgain() async throws {
        let (stage, server) = (try DurableStage(), try TusPartsServer(losesFinalResponses: 2, repeatsJoins: true))
        let id = try await stage.queue.add([spec(stage, server.url)], paused: false)[0]
        #expect(try await stage.end(of: id).state == .completed)
        #expect(server.words.count { $0 == "POST final" } == 3)
        #expect(server.words.count { $0.hasPrefix("PATCH") } == 4)
        #expect(server.holds(bytes))
    }

    /// A server that has removed the parts repeats its response.
    @Test func aServerWithoutThePartsIsAskedAgain() async throws {
        let (stage, server) = (try DurableStage(), try TusPartsServer(losesFinalResponses: 1, removesParts: true))
        let id = try await stage.queue.add([spec(stage, server.url)], paused: false)[0]
        #expect(try await stage.end(of: id).state == .completed)
        #expect(server.words.count { $0 == "POST final" } == 2)
        #expect(server.holds(bytes))
    }
}

#if canImport(FileServer)
    // The build for the sanitizers has no server.
    extension UploadPartsTests {
        @Test(arguments: [false, true]) func theServerStoresTheFile(_ isInterrupted: Bool) async throws {
            let stage = try DurableStage()
            let root = stage.folder.file("root")
            try FileManager.default.createDirectory(atPath: root, withIntermediateDirectories: true)
            let server = try await RunningFileServer.start(FileServerConfiguration(root: root))
            var described = try spec(stage, server.url + "/")
            if isInterrupted { described.options.rateLimit = 12_000_000 }
            let id = try await stage.queue.add([described], paused: false)[0]
            var stored: Int64 = 0
            if isInterrupted {
                try await stage.wait(for: id) { $0.bytes > 8_000_000 && $0.connections ?? 1 > 1 }
                try await stage.crash { stored = Self.unfinishedBytes(in: root) }
            }
            let result = try await stage.end(of: id)
            #expect(result.state == .completed && result.confirmed == 36_000_000, "\(String(describing: result.error))")
            #expect(try stage.folder.read("root/source") == bytes)
            // What the server had is not sent again.
            #expect(stored > 0 || !isInterrupted)
            let metrics = try #require(result.metrics)
            #expect(metrics.bodySent <= 36_000_000 - stored)
            await server.stop()
        }

        /// Bytes that the server has of uploads.
        private static func unfinishedBytes(in root: String) -> Int64 {
            let folder = root + "/.fileq-server/uploads"
            let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
            return names.filter { !$0.contains(".") }.reduce(0) { sum, name in
                let content = try? Data(contentsOf: URL(fileURLWithPath: folder + "/" + name))
                return sum + Int64(content?.count ?? 0)
            }
        }
    }
#endif
