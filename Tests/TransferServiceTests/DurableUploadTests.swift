// SPDX-License-Identifier: MIT

import CurlTransport
import Dispatch
import Foundation
import SessionCore
import Synchronization
import Testing
import TransferControl
import TransferModel
import TransferStore
import TransferTesting

@testable import TransferService

/// Many small uploads of a queue with a store: one commit records the completions of many. Whenever the process ends,
/// none is lost.
@Suite(.timeLimit(.minutes(10))) final class DurableUploadTests {
    private let folder: TemporaryFolder
    private var queues: [DurableQueue] = []
    private static let count = 120

    init() throws { folder = try TemporaryFolder() }

    private func open(_ state: String = "state") throws -> DurableQueue {
        let store = try TransferStore(folder: folder.file(state), time: 1_800_000_000)
        var (session, configuration) = (TransferConfiguration(), LocalQueue.Configuration())
        session.waitsForConnectivity = false
        configuration.limits = QueueLimits(concurrent: 4)
        let queue = try DurableQueue(
            store: store, transport: try CurlTransport(), configuration: configuration, session: session)
        queues.append(queue)
        return queue
    }

    private func specs(_ server: ScriptedServer) throws -> [Spec] {
        try (0..<Self.count).map { number in
            let path = try folder.write(UploadedFiles.source(number), to: "source-\(number)")
            return Spec(
                url: try TransferURL(server.url("/up/\(number)")),
                operation: .upload(.init(source: .file(path: path), resumption: .auto)))
        }
    }

    @Test func manyCompleteWithTheirRecords() async throws {
        let store = UploadedFiles()
        let server = try store.server()
        let queue = try open()
        let ids = try await queue.add(specs(server), paused: false)
        let ends = try await queue.ends(count: Self.count)
        #expect(ends.map(\.id) == ids)
        for (number, transfer) in ends.enumerated() {
            #expect(transfer.state == .completed && transfer.httpStatus == 201, "\(transfer)")
            #expect(transfer.bytes == Int64(UploadedFiles.source(number).count) && transfer.confirmed == transfer.bytes)
            #expect(store.bytes[number] == UploadedFiles.source(number))
        }
        let attempts = try #require(try await queue.info(ids[50]).attempts)
        #expect(attempts.count == 1)
        #expect(attempts.first?.status == 201 && attempts.first?.lastByte == ends[50].bytes)
        #expect(attempts.first?.metrics?.transactions.first?.method == "PUT")
        await queue.shutDown()
        let again = try open()
        #expect(try await again.history(HistoryQuery(limit: 1000)).count == Self.count)
        #expect(try await again.snapshot().transfers.allSatisfy { $0.state == .completed })
        await again.shutDown()
        #expect(server.requests.count == Self.count)
    }

    /// What was not recorded as completed is sent again, nothing else.
    @Test func aProcessThatEndsMeanwhileLosesNone() async throws {
        let (store, gate) = (UploadedFiles(), DispatchSemaphore(value: 0))
        let server = try ScriptedServer { connection, _ in
            while let head = connection.readHead() {
                let (number, bytes) = (UploadedFiles.number(head), connection.receiveBody(of: head))
                if number >= 60 {
                    gate.wait()
                    gate.signal()
                }
                store.put(bytes, number)
                connection.answer("201 Created")
            }
        }
        let queue = try open()
        let ids = try await queue.add(specs(server), paused: false)
        var completed: Set<TransferID> = []
        for await update in queue.updates() {
            switch update {
            case .snapshot(let snapshot):
                completed.formUnion(snapshot.transfers.filter { $0.state == .completed }.map(\.id))
            case .events(let events):
                completed.formUnion(events.filter { $0.name == .completed }.map(\.transfer.id))
            default: break
            }
            if completed.count == 60 { break }
        }
        try FileManager.default.copyItem(atPath: folder.file("state"), toPath: folder.file("left"))
        gate.signal()
        #expect(try await queue.ends(count: Self.count).allSatisfy { $0.state == .completed })
        await queue.shutDown()
        let before = server.requests.count
        let next = try open("left")
        let ends = try await next.ends(count: Self.count)
        #expect(ends.map(\.id) == ids)
        #expect(ends.allSatisfy { $0.state == .completed })
        for number in 0..<Self.count { #expect(store.bytes[number] == UploadedFiles.source(number)) }
        await next.shutDown()
        #expect(server.requests.count - before == Self.count - 60)
        let last = try open("left")
        #expect(try await last.snapshot().transfers.allSatisfy { $0.state == .completed })
        await last.shutDown()
        #expect(server.requests.count - before == Self.count - 60)
    }

    @Test func aQueueThatEndsInOrderLosesNone() async throws {
        let store = UploadedFiles()
        let server = try store.server()
        let queue = try open()
        _ = try await queue.add(specs(server), paused: false)
        await queue.shutDown()
        let again = try open()
        #expect(try await again.ends(count: Self.count).allSatisfy { $0.state == .completed })
        for number in 0..<Self.count { #expect(store.bytes[number] == UploadedFiles.source(number)) }
        await again.shutDown()
    }
}
