// SPDX-License-Identifier: MIT

import Foundation
import Glibc
import Testing
import TransferModel
import TransferStore
import TransferTesting

/// Uploads of the queue and of `put` by one protocol through a relay, while what carries them is killed.
struct UploadCrashRun {
    enum Blow: CaseIterable {
        /// The background service.
        case service
        /// The client in the foreground, which gets the same command again.
        case put
        case server
        /// All of them; bytes that the server has not synced are lost, and the kernel is another one.
        case reboot
    }

    struct Item {
        let name: String
        let id: Int?
    }

    let stage: SoakStage
    let server: UploadServer
    let relay: HoldingRelay
    let carrier: UploadCrashCarrier
    /// The session of FileQ uploads.
    private let sid: String
    private var random: SeededRandom
    private(set) var items: [Item] = []
    /// The foreground.
    private(set) var put: Running
    private var boots = 0
    private var boot: OtherBoot?
    /// How many requests with content were cut off, over all blows.
    private(set) var interrupted = 0

    /// - Parameter size: bytes of each of three files.
    init(
        _ stage: SoakStage, _ server: UploadServer, _ relay: HoldingRelay, carrier: UploadCrashCarrier, size: Int,
        seed: UInt64
    ) async throws {
        (self.stage, self.server, self.relay, self.carrier) = (stage, server, relay, carrier)
        sid = try await carrier.isFileQ ? server.newSID() : ""
        random = SeededRandom(seed)
        try FileManager.default.createDirectory(atPath: "\(server.root)/in", withIntermediateDirectories: false)
        // A server that is killed while it is asked for its extensions gets one upload: all parts are created before.
        let count = carrier == .tusParts ? 3 * carrier.parts : 0
        relay.release(
            holdingAfter: Self.share(carrier, &random), parts: carrier == .s3 ? 1 : 0, creations: count)
        for number in 0..<3 { try Files.fill(stage.source("up-\(number)"), size, seed: seed &+ UInt64(number)) }
        put = try stage.startFileq(
            Self.putWords("up-0", stage, relay, carrier, sid), environment: carrier.environment)
        items = [Item(name: "up-0", id: nil)]
        for name in ["up-1", "up-2"] {
            let said = try await stage.done(
                ["add"] + Self.putWords(name, stage, relay, carrier, sid), environment: carrier.environment)
            let id = try #require(said.lines.first.flatMap { Int($0) }, "\(said)")
            items.append(Item(name: name, id: id))
        }
        let areCreated = await becomesTrue(within: 120) { relay.ledger.created >= count }
        try #require(areCreated, "no parts: \(relay.ledger)\n\(stage.logTail)")
    }

    private static func putWords(
        _ name: String, _ stage: SoakStage, _ relay: HoldingRelay, _ carrier: UploadCrashCarrier, _ sid: String
    ) -> [String] {
        let words = ["put", "--retry", "100"] + carrier.options + (carrier.isFileQ ? ["--sid", sid] : [])
        let origin = "http://127.0.0.1:\(relay.port)"
        guard carrier != .s3 else {
            return words + ["--s3-endpoint", origin, stage.source(name), "s3://bucket/\(name)"]
        }
        return words + [stage.source(name), origin + (carrier.isFileQ ? "/upload" : "/in/\(name)")]
    }

    /// The files that the server has, with their paths, by name.
    func stored() async throws -> [(name: String, path: String)] {
        guard carrier != .s3 else {
            return names(ofUploads: "complete").map {
                (name: $0.key.replacing("bucket/", with: ""), path: "\(server.root)/complete/\($0.id)/object")
            }.sorted { $0.name < $1.name }
        }
        guard carrier.isFileQ else {
            return stage.names(in: "\(server.root)/in").map { (name: $0, path: "\(server.root)/in/\($0)") }
        }
        return try await server.uploads().map { (name: $0.name, path: server.path(of: $0)) }
            .sorted { $0.name < $1.name }
    }

    /// Uploads to S3 that have parts and were not completed. One whose creation has lost its response has none.
    func unfinished() -> [String] {
        names(ofUploads: "open").filter { stage.names(in: "\(server.root)/open/\($0.id)") != ["key"] }.map(\.key)
    }

    /// Those that the store of S3 has in a folder.
    private func names(ofUploads folder: String) -> [(id: String, key: String)] {
        stage.names(in: "\(server.root)/\(folder)").map { id in
            let key = FileManager.default.contents(atPath: "\(server.root)/\(folder)/\(id)/key") ?? Data()
            return (id: id, key: String(decoding: key, as: UTF8.self))
        }
    }

    /// Bytes of content until the next blow.
    private static func share(_ carrier: UploadCrashCarrier, _ random: inout SeededRandom) -> Int64 {
        .random(in: carrier.share / 16...carrier.share, using: &random)
    }

    /// Waits until so much is under way, and kills.
    mutating func round(_ blow: Blow) async throws {
        let relay = relay
        let isUnderWay = await becomesTrue(within: 120) { relay.isHeld }
        try #require(isUnderWay, "nothing is sent: \(relay.ledger)\n\(stage.logTail)")
        switch blow {
        case .service:
            try await killService()
            try await revive()
        case .put where put.child.isRunning:
            try await killPut()
            try startPut()
        case .put, .server:
            await server.strike()
            try await server.start(boot)
        case .reboot:
            await server.strike()
            try await killService()
            let wasRunning = put.child.isRunning
            if wasRunning { try await killPut() }
            try spoilUnsynced()
            boots += 1
            boot = try OtherBoot(boots, in: stage.folder)
            try await server.start(boot)
            try await revive()
            if wasRunning { try startPut() }
        }
        interrupted += 1
        relay.release(holdingAfter: Self.share(carrier, &random), parts: carrier == .s3 ? 1 : 0)
    }

    /// Lets everything end.
    /// - Returns: the queue.
    mutating func end() async throws -> [Listed] {
        relay.release(holdingAfter: .max)
        let said = await put.end(within: 240)
        #expect(said.exit == 0, "\(said)")
        return try await stage.listing(within: 240) { $0.allSatisfy(\.hasEnded) }
    }

    // MARK: Blows

    private func revive() async throws {
        if let boot { try await stage.boot(boot) } else { try await stage.revive() }
    }

    private mutating func startPut() throws {
        let words = Self.putWords("up-0", stage, relay, carrier, sid)
        let (program, arguments) = boot?.words([Binary.path] + words) ?? (Binary.path, words)
        put = try stage.start(program, arguments, environment: carrier.environment)
    }

    private func killPut() async throws {
        put.child.send(SIGKILL)
        _ = await put.end(within: 60)
        for name in stage.names(in: "\(stage.state)/uploads") where name.hasSuffix(".json") {
            let bytes = FileManager.default.contents(atPath: "\(stage.state)/uploads/\(name)") ?? Data()
            guard let checkpoint = try? JSONDecoder().decode(UploadCheckpoint.self, from: bytes) else { continue }
            note(checkpoint)
        }
    }

    private func killService() async throws {
        try await stage.strikeService()
        let store = try TransferStore(folder: stage.queue, time: Date().timeIntervalSince1970)
        for transfer in try store.unfinished() { transfer.checkpoint?.upload.map { note($0) } }
        store.close()
    }

    private func note(_ checkpoint: UploadCheckpoint) {
        guard let point = checkpoint.point else { return }
        guard let parts = point.parts else { return relay.finds(recorded: point.offset, of: point.url) }
        for part in parts {
            if let url = part.url { relay.finds(recorded: part.offset, of: url) }
        }
    }

    /// Overwrites what the server has written beyond the offset that its record calls synced. The store of S3 drops
    /// what it has not synced when it starts.
    private func spoilUnsynced() throws {
        let folder = "\(server.root)/.fileq-server/uploads"
        for name in stage.names(in: folder) where !name.hasSuffix(".json") {
            let record = FileManager.default.contents(atPath: "\(folder)/\(name).json") ?? Data()
            // Killed before it had a record: no client knows it.
            if record.isEmpty { continue }
            let digits = String(decoding: record.prefix(20), as: UTF8.self)
            let synced = try #require(Int(digits), "\(name): \(digits)")
            let size = Files.size("\(folder)/\(name)")
            guard size > synced else { continue }
            let file = try FileHandle(forUpdating: URL(fileURLWithPath: "\(folder)/\(name)"))
            try file.seek(toOffset: UInt64(synced))
            try file.write(contentsOf: Data(repeating: 0, count: size - synced))
            try file.close()
        }
    }
}
