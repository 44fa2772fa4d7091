// SPDX-License-Identifier: MIT

import CurlTransport
import Foundation
import SessionCore
import Synchronization
import Testing
import TransferControl
import TransferModel
import TransferStore
import TransferTesting

@testable import TransferService

/// Many small downloads of a queue with a store: they get their names together, after a record of all of them, and are
/// reported once they are committed. Whenever the process ends, none is lost and none is wrong.
@Suite(.timeLimit(.minutes(10))) final class DurableFetchTests {
    private let folder: TemporaryFolder
    private var queues: [DurableQueue] = []

    init() throws {
        folder = try TemporaryFolder()
        try FileManager.default.createDirectory(atPath: folder.file("got"), withIntermediateDirectories: false)
    }

    private static func body(_ path: String) -> [UInt8] { patternedBytes(path.count * 37, seed: UInt64(path.count)) }
    private static func path(_ head: String) -> String { String(head.split(separator: " ")[1]) }
    private static let count = 120

    private func serve() throws -> ScriptedServer {
        try ScriptedServer { connection, _ in
            while let head = connection.readHead() { connection.answer("200 OK", body: Self.body(Self.path(head))) }
        }
    }

    private func open(
        _ state: String = "state", bootID: String? = BootID.current, _ disk: PlacementDisk = PlacementDisk()
    ) throws -> DurableQueue {
        let store = try TransferStore(folder: folder.file(state), time: 1_800_000_000)
        var (session, configuration) = (TransferConfiguration(), LocalQueue.Configuration())
        session.waitsForConnectivity = false
        (configuration.limits, configuration.disk) = (QueueLimits(concurrent: 4), disk)
        let queue = try DurableQueue(
            store: store, transport: try CurlTransport(), configuration: configuration, session: session,
            bootID: bootID)
        queues.append(queue)
        return queue
    }

    private func specs(_ server: ScriptedServer, _ count: Int = DurableFetchTests.count) throws -> [Spec] {
        try (0..<count).map { number in
            Spec(
                url: try TransferURL(server.url("/small/\(number)")),
                operation: .download(.init(destination: .file(path: folder.file("got/\(number)")))))
        }
    }

    private func expectFiles(_ count: Int = DurableFetchTests.count) throws {
        for number in 0..<count { #expect(try folder.read("got/\(number)") == Self.body("/small/\(number)")) }
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.file("got"))
        #expect(names.count == count, "\(names.filter { Int($0) == nil })")
    }

    /// What a process leaves that ends now.
    private static func copyState(_ folder: TemporaryFolder, to name: String) throws {
        try FileManager.default.copyItem(atPath: folder.file("state"), toPath: folder.file(name))
    }

    /// In memory the bytes need no sync.
    @Test(arguments: [false, true]) func manyCompleteWithTheirRecords(_ isInMemory: Bool) async throws {
        let server = try serve()
        var disk = PlacementDisk()
        disk.isInMemory = { _ in isInMemory }
        let syncs = Mutex((bytes: 0, names: 0))
        disk.syncBytes = { files in
            syncs.withLock { $0.bytes += 1 }
            return FileSync.syncBytes(files)
        }
        disk.syncNames = { paths in
            syncs.withLock { $0.names += 1 }
            return FileSync.syncNames(paths)
        }
        let queue = try open("state", disk)
        // As any others.
        let batch = isInMemory ? nil : TransferBatch(id: "1", name: "list")
        let ids = try await queue.add(specs(server), on: TransferTerms(batch: batch))
        let ends = try await queue.ends(count: Self.count)
        #expect(ends.map(\.id) == ids && ends.allSatisfy { $0.batch == batch })
        for transfer in ends {
            #expect(transfer.state == .completed, "\(transfer)")
            #expect(transfer.bytes > 0 && transfer.total == transfer.bytes && transfer.confirmed == transfer.bytes)
        }
        try expectFiles()
        #expect(server.requests.count == Self.count)
        let attempts = try #require(try await queue.info(ids[50]).attempts)
        #expect(attempts.count == 1)
        #expect(attempts.first?.status == 200 && attempts.first?.lastByte == ends[50].bytes)
        #expect(attempts.first?.metrics?.transactions.first?.status == 200)
        if isInMemory {
            #expect(syncs.withLock { $0.bytes + $0.names } == 0)
        } else {
            // One for each of them would be 120 and more.
            #expect(syncs.withLock { (1...20).contains($0.bytes) && (1...20).contains($0.names) })
        }
        await queue.shutDown()
        let again = try open()
        #expect(try await again.history(HistoryQuery(limit: 1000)).count == Self.count)
        #expect(try await again.snapshot().transfers.allSatisfy { $0.state == .completed })
        await again.shutDown()
        #expect(server.requests.count == Self.count)
    }

    private enum Moment: String, CaseIterable, Sendable { case beforeNames, afterNames }

    /// The process ends between the record and the names, or between the names and the completions.
    @Test(arguments: ["beforeNames", "afterNames"], [true, false])
    func aProcessThatEndsMeanwhileLosesNoneAndFetchesNoneTwice(_ word: String, _ isSameBoot: Bool) async throws {
        let moment = try #require(Moment(rawValue: word))
        let server = try serve()
        let hasEnded = Atomic(false)
        let end: @Sendable () -> Void = { [folder] in
            guard !hasEnded.exchange(true, ordering: .relaxed) else { return }
            do { try Self.copyState(folder, to: "left") } catch { Issue.record(error) }
        }
        let named = Mutex<Set<String>>([])
        var disk = PlacementDisk()
        disk.isInMemory = { _ in false }
        disk.syncBytes = { files in
            if moment == .beforeNames { end() }
            return FileSync.syncBytes(files)
        }
        disk.syncNames = { paths in
            if !hasEnded.load(ordering: .relaxed), moment == .afterNames { named.withLock { $0 = Set(paths) } }
            if moment == .afterNames { end() }
            return FileSync.syncNames(paths)
        }
        let queue = try open("state", disk)
        let ids = try await queue.add(specs(server), paused: false)
        _ = try await queue.ends(count: Self.count)
        await queue.shutDown()
        // Only what had its name then is there.
        let kept = named.withLock { $0 }
        for number in 0..<Self.count where !kept.contains(folder.file("got/\(number)")) {
            try FileManager.default.removeItem(atPath: folder.file("got/\(number)"))
        }
        #expect(kept.isEmpty == (moment == .beforeNames))
        let before = server.requests.count

        let next = try open("left", bootID: isSameBoot ? BootID.current : "another")
        let ends = try await next.ends(count: Self.count)
        #expect(ends.map(\.id) == ids)
        for transfer in ends { #expect(transfer.state == .completed, "\(transfer.file): \(transfer)") }
        try expectFiles()
        #expect(server.requests.count - before == Self.count - kept.count)
        await next.shutDown()
        let last = try open("left")
        #expect(try await last.snapshot().transfers.allSatisfy { $0.state == .completed })
        await last.shutDown()
        #expect(server.requests.count - before == Self.count - kept.count)
    }

    /// One sync makes bytes and their intention durable. If it fails, the files are synced one by one, the intention
    /// is not.
    @Test func anIntentionThatASyncMayHaveLostIsRecordedAgain() async throws {
        let server = try serve()
        var disk = PlacementDisk()
        disk.isInMemory = { _ in false }
        let rounds = Mutex(0)
        disk.syncBytes = { [folder] files in
            guard files.count > FileSync.maximumSingly else { return FileSync.syncBytes(files) }
            let isFirst = rounds.withLock { count in
                count += 1
                return count == 1
            }
            if isFirst { do { try Self.copyState(folder, to: "before") } catch { Issue.record(error) } }
            return .init(isWhole: !isFirst)
        }
        disk.syncNames = { [folder] paths in
            let isFirst = rounds.withLock { $0 == 1 } && !FileManager.default.fileExists(atPath: folder.file("after"))
            if isFirst { do { try Self.copyState(folder, to: "after") } catch { Issue.record(error) } }
            return FileSync.syncNames(paths)
        }
        let queue = try open("state", disk)
        _ = try await queue.add(specs(server), paused: false)
        let ends = try await queue.ends(count: Self.count)
        #expect(ends.allSatisfy { $0.state == .completed })
        await queue.shutDown()
        func intentions(_ state: String) throws -> [Int64] {
            try TransferStore(folder: folder.file(state), time: 1_800_000_000).placements()
        }
        let (before, after) = (try intentions("before"), try intentions("after"))
        #expect(before.count == after.count)
        #expect(try #require(after.last) > #require(before.last))
    }

    /// One is paused, another cancelled while they wait for their names; then the process ends.
    @Test func whatWasConfirmedMeanwhileStays() async throws {
        let server = try serve()
        let isHeld = Atomic(true)
        let isSyncing = Atomic(false)
        var disk = PlacementDisk()
        disk.isInMemory = { _ in false }
        disk.syncBytes = { files in
            isSyncing.store(true, ordering: .relaxed)
            _ = eventually { !isHeld.load(ordering: .relaxed) }
            return FileSync.syncBytes(files)
        }
        let queue = try open("state", disk)
        let ids = try await queue.add(specs(server, 12), paused: false)
        #expect(await eventually { isSyncing.load(ordering: .relaxed) })
        let verifying = try await queue.snapshot().transfers.filter { $0.state == .verifying }.map(\.id)
        try #require(verifying.count > 1)
        try await queue.perform(.pause, on: [verifying[0]])
        try await queue.perform(.cancel(deletingPartial: false), on: [verifying[1]])
        try Self.copyState(folder, to: "left")
        isHeld.store(false, ordering: .relaxed)
        _ = try await queue.ends(count: 12)
        await queue.shutDown()
        for number in 0..<12 where folder.exists("got/\(number)") {
            try FileManager.default.removeItem(atPath: folder.file("got/\(number)"))
        }
        let next = try open("left")
        let found = try await next.snapshot().transfers
        #expect(found.map(\.id) == ids)
        #expect(found.first { $0.id == verifying[0] }?.state == .paused)
        #expect(found.first { $0.id == verifying[1] }?.state == .cancelled)
        try await next.perform(.resume, on: [verifying[0]])
        try await next.perform(.retry, on: [verifying[1]])
        _ = try await next.ends(count: 12)
        await next.shutDown()
        try expectFiles(12)
    }

    /// Others wait for their names, behind a disk that takes long.
    @Test(arguments: [false, true]) func oneThatIsCancelledMeanwhileGetsNoName(_ deletingPartial: Bool) async throws {
        let server = try serve()
        let isHeld = Atomic(true)
        let isSyncing = Atomic(false)
        var disk = PlacementDisk()
        disk.isInMemory = { _ in false }
        disk.syncBytes = { files in
            isSyncing.store(true, ordering: .relaxed)
            _ = eventually { !isHeld.load(ordering: .relaxed) }
            return FileSync.syncBytes(files)
        }
        let queue = try open("state", disk)
        let specs = try specs(server, 4)
        _ = try await queue.add([specs[0]], paused: false)
        #expect(await eventually { isSyncing.load(ordering: .relaxed) })
        let ids = try await queue.add(Array(specs.dropFirst()), paused: false)
        var states: [TransferState] = []
        let end = ContinuousClock.now + .seconds(60)
        while states != [.verifying, .verifying, .verifying], ContinuousClock.now < end {
            states = try await queue.snapshot().transfers.filter { ids.contains($0.id) }.map(\.state)
            await Task.yield()
        }
        #expect(states == [.verifying, .verifying, .verifying])
        try await queue.perform(.cancel(deletingPartial: deletingPartial), on: [ids[1]])
        isHeld.store(false, ordering: .relaxed)
        let ends = try await queue.ends(count: 4)
        #expect(ends.map(\.state) == [.completed, .completed, .cancelled, .completed])
        #expect(!folder.exists("got/2") && folder.exists("got/3"))
        try await queue.perform(.retry, on: [ids[1]])
        _ = try await queue.ends(count: 4)
        await queue.shutDown()
        try expectFiles(4)
    }

    /// The intentions of an earlier process are dropped once their ends are committed.
    @Test func intentionsDoNotStay() async throws {
        let server = try serve()
        let queue = try open()
        _ = try await queue.add(specs(server), paused: false)
        _ = try await queue.ends(count: Self.count)
        await queue.shutDown()
        let store = try TransferStore(folder: folder.file("state"), time: 1_800_000_000)
        #expect(!(try store.placements().isEmpty), "they took another way")
        store.close()
        await (try open()).shutDown()
        let again = try TransferStore(folder: folder.file("state"), time: 1_800_000_000)
        #expect(try again.placements().isEmpty)
    }

    @Test func aNameThatIsTakenMeanwhileIsNotReplaced() async throws {
        let path = folder.file("got/7")
        let server = try ScriptedServer { connection, _ in
            while let head = connection.readHead() {
                if Self.path(head) == "/small/7" { try? Data([9]).write(to: URL(fileURLWithPath: path)) }
                connection.answer("200 OK", body: Self.body(Self.path(head)))
            }
        }
        let queue = try open()
        let ids = try await queue.add(specs(server), paused: false)
        let ends = try await queue.ends(count: Self.count)
        #expect(ends[7].error?.code == .destinationExists)
        #expect(ends.filter { $0.state == .completed }.count == Self.count - 1)
        #expect(try folder.read("got/7") == [9])
        // It is retried like any other.
        try FileManager.default.removeItem(atPath: path)
        try await queue.perform(.retry, on: [ids[7]])
        _ = try await queue.ends(count: Self.count)
        await queue.shutDown()
    }

    @Test func bytesThatCannotBeSyncedGetNoName() async throws {
        let server = try serve()
        var disk = PlacementDisk()
        disk.isInMemory = { _ in false }
        let failed = Atomic(0)
        disk.syncBytes = { files in
            failed.add(files.count, ordering: .relaxed)
            return .init(failures: Dictionary(files.map { ($0.descriptor, 5) }) { first, _ in first })
        }
        let queue = try open("state", disk)
        _ = try await queue.add(specs(server, 12), paused: false)
        let ends = try await queue.ends(count: 12)
        #expect(ends.allSatisfy { $0.state == .failed && $0.error?.code == .cannotWrite })
        #expect(failed.load(ordering: .relaxed) == 12)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.file("got")).isEmpty)
        await queue.shutDown()
    }

    @Test func pausingCancellingAndMovingMeanwhileLosesNone() async throws {
        let server = try serve()
        let queue = try open()
        let ids = try await queue.add(specs(server), paused: false)
        for number in stride(from: 3, to: Self.count, by: 11) {
            try await queue.perform(.pause, on: [ids[number], ids[Self.count - 1 - number]])
            try await queue.perform(.move(.top), on: [ids[number]])
            try await queue.setLimits(QueueLimits(concurrent: 2 + number % 5))
            try await queue.perform(.resume, on: [ids[number], ids[Self.count - 1 - number]])
        }
        let ends = try await queue.ends(count: Self.count)
        #expect(ends.allSatisfy { $0.state == .completed })
        try expectFiles()
        await queue.shutDown()
    }

    @Test func filesThatWereDeletedMayBeDownloadedAgain() async throws {
        let server = try serve()
        let queue = try open()
        let specs = try (0..<Self.count).map { number in
            Spec(
                url: try TransferURL(server.url("/small/\(number)")),
                operation: .download(.init(destination: .folder(path: folder.file("got"), name: "\(number)"))))
        }
        _ = try await queue.add(specs, paused: false)
        #expect(try await queue.ends(count: Self.count).allSatisfy { $0.state == .completed })
        for number in 0..<Self.count { try FileManager.default.removeItem(atPath: folder.file("got/\(number)")) }
        _ = try await queue.add(specs, paused: false)
        let ends = try await queue.ends(count: 2 * Self.count)
        #expect(ends.allSatisfy { $0.state == .completed }, "\(ends.compactMap(\.error).first?.message ?? "")")
        try expectFiles()
        await queue.shutDown()
    }

    /// What was received by then is completed, the rest by the next process.
    @Test func aQueueThatEndsInOrderLosesNone() async throws {
        let server = try serve()
        let queue = try open()
        _ = try await queue.add(specs(server), paused: false)
        await queue.shutDown()
        let again = try open()
        #expect(try await again.ends(count: Self.count).allSatisfy { $0.state == .completed })
        try expectFiles()
        await again.shutDown()
    }
}
