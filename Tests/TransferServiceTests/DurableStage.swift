// SPDX-License-Identifier: MIT

import CurlTransport
import Foundation
import SessionCore
import TransferControl
import TransferModel
import TransferStore
import TransferTesting

@testable import TransferService

/// A queue in a store, which can be left and opened again, and a folder for its files.
final class DurableStage {
    let folder: TemporaryFolder
    private(set) var queue: DurableQueue
    private let asksUser: Bool
    private let disk: PlacementDisk
    private var life = 0

    init(asksUser: Bool = false, disk: PlacementDisk = PlacementDisk()) throws {
        (self.asksUser, self.disk) = (asksUser, disk)
        folder = try TemporaryFolder()
        queue = try Self.open(folder, life: 0, asksUser, disk)
    }

    private static func state(_ folder: TemporaryFolder, _ life: Int) -> String { folder.file("state-\(life)") }

    private static func open(
        _ folder: TemporaryFolder, life: Int, _ asksUser: Bool, _ disk: PlacementDisk,
        bootID: String? = BootID.current
    ) throws -> DurableQueue {
        let store = try TransferStore(folder: state(folder, life), time: 1_800_000_000)
        var session = TransferConfiguration()
        session.waitsForConnectivity = false
        var configuration = LocalQueue.Configuration()
        configuration.asksUser = asksUser
        configuration.disk = disk
        return try DurableQueue(
            store: store, transport: try CurlTransport(), configuration: configuration, session: session,
            bootID: bootID)
    }

    /// Ends the queue cleanly and opens it again.
    func reopen(bootID: String? = BootID.current) async throws {
        await queue.shutDown()
        queue = try Self.open(folder, life: life, asksUser, disk, bootID: bootID)
    }

    /// Opens what a killed process leaves: its files as they are, and nothing of its memory.
    /// - Parameter meanwhile: runs before the queue is opened again.
    func crash(
        bootID: String? = BootID.current, _ meanwhile: () async throws -> Void = {}
    ) async throws {
        try FileManager.default.copyItem(atPath: Self.state(folder, life), toPath: Self.state(folder, life + 1))
        life += 1
        await queue.shutDown()
        try await meanwhile()
        queue = try Self.open(folder, life: life, asksUser, disk, bootID: bootID)
    }

    func store() throws -> TransferStore { try TransferStore(folder: Self.state(folder, life), time: 1_800_000_000) }

    func download(
        _ url: String, name: String = "out.bin", _ change: (inout TransferOptions) -> Void = { _ in }
    ) throws -> Spec {
        var description = Spec(
            url: try TransferURL(url), operation: .download(.init(destination: .file(path: folder.file(name)))))
        change(&description.options)
        return description
    }

    func upload(_ url: String, name: String, form: Upload.Form = .put) throws -> Spec {
        Spec(url: try TransferURL(url), operation: .upload(.init(source: .file(path: folder.file(name)), form: form)))
    }

    /// Waits until what is known of one transfer satisfies `condition`.
    @discardableResult
    func wait(for id: TransferID, _ condition: @escaping (Transfer) -> Bool) async throws -> Transfer {
        for await update in queue.updates() {
            let known: [Transfer] =
                switch update {
                case .snapshot(let snapshot): snapshot.transfers
                case .events(let events): events.map(\.transfer)
                default: []
                }
            if let found = known.first(where: { $0.id == id && condition($0) }) { return found }
        }
        throw CancellationError()
    }

    @discardableResult
    func end(of id: TransferID) async throws -> Transfer { try await wait(for: id, \.state.isEnded) }

    func states() async throws -> [TransferState] { try await queue.snapshot().transfers.map(\.state) }
}

extension ScriptedConnection {
    /// Answers a whole request or a range of it, as the tag allows.
    func answer(_ body: [UInt8], to head: String, tag: String) {
        let asked = head.split(separator: "bytes=").dropFirst().first?.prefix { $0.isNumber }
        guard let asked, let first = Int(asked), head.contains("If-Range: \(tag)") || head.contains("if-range: \(tag)")
        else {
            return answer("200 OK", ["ETag: \(tag)", "Accept-Ranges: bytes"], body: body)
        }
        answer(
            "206 Partial Content", ["ETag: \(tag)", "Content-Range: bytes \(first)-\(body.count - 1)/\(body.count)"],
            body: Array(body[first...]))
    }
}

extension ScriptedServer {
    /// Transfers run as long as they may, but for `/missing` and `/busy-once`.
    static func thatHangs() throws -> ScriptedServer {
        try ScriptedServer { connection, _ in
            guard let head = connection.readHead() else { return }
            if head.contains("/missing") { return connection.answer("404 Not Found") }
            if head.contains("/busy-once") {
                return connection.answer("503 Service Unavailable", ["Retry-After: 3600"])
            }
            connection.waitForClose()
        }
    }
}
