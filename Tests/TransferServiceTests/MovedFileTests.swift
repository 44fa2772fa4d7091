// SPDX-License-Identifier: MIT

import FoundationEssentials
import Glibc
import SessionCore
import Synchronization
import Testing
import TransferControl
import TransferModel
import TransferStore
import TransferTesting

@testable import TransferService

/// Downloads whose bytes so far are copied to another file system. The queue is made to take every folder for one.
@Suite(.timeLimit(.minutes(5))) struct MovedFileTests {
    let stage: DurableStage
    private let bytes = patternedBytes(400_000)
    private let old = "out.bin.fileq-part"
    private let new = "films/out.bin.fileq-part"
    /// Copies that are about to end, and whether they may.
    private let copies: Counter
    private let gate: Counter

    init() throws {
        let (copies, gate) = (Counter(), Counter())
        (self.copies, self.gate) = (copies, gate)
        var disk = PlacementDisk()
        disk.isSameFileSystem = { _, _ in false }
        disk.syncFileSystem = { _ in
            copies.add()
            _ = eventually { gate.count > 0 }
            return 0
        }
        stage = try DurableStage(disk: disk)
        try FileManager.default.createDirectory(
            atPath: stage.folder.file("films"), withIntermediateDirectories: false)
    }

    private var films: Relocation { Relocation(folder: stage.folder.file("films")) }

    private func exists(_ name: String) -> Bool { stage.folder.exists(name) }

    /// The first response stops after 150,000 bytes.
    private func server() throws -> ScriptedServer {
        try ScriptedServer { [bytes] connection, number in
            guard let head = connection.readHead() else { return }
            guard number == 1 else { return connection.answer(bytes, to: head, tag: "\"v1\"") }
            connection.send(
                "HTTP/1.1 200 OK\r\nETag: \"v1\"\r\nAccept-Ranges: bytes\r\nContent-Length: \(bytes.count)\r\n\r\n")
            connection.send(Array(bytes[..<150_000]))
            connection.waitForClose()
        }
    }

    private func begun(_ server: ScriptedServer) async throws -> TransferID {
        let id = try await stage.queue.add([stage.download(server.url())], paused: false)[0]
        try await stage.wait(for: id) { $0.bytes == 150_000 }
        return id
    }

    private func paused(_ server: ScriptedServer) async throws -> TransferID {
        let id = try await begun(server)
        try await stage.queue.perform(.pause, on: [id])
        try await stage.wait(for: id) { $0.state == .paused }
        return id
    }

    private func completes(_ id: TransferID, at name: String, _ server: ScriptedServer) async throws {
        #expect(try await stage.end(of: id).state == .completed)
        #expect(try stage.folder.read(name) == bytes)
        #expect(server.requests.last?.contains("bytes=150000-") == true)
        #expect(!exists(old) && !exists(old + ".json") && !exists(new) && !exists(new + ".json"))
    }

    @Test func aRunningDownloadContinuesThere() async throws {
        gate.add()
        let server = try server()
        let id = try await begun(server)
        try await stage.queue.relocate(id, to: films)
        try await completes(id, at: "films/out.bin", server)
    }

    @Test(arguments: [QueueCommand.pause, .cancel(deletingPartial: false)])
    func othersStandAsTheyStood(_ command: QueueCommand) async throws {
        gate.add()
        let server = try server()
        let id = try await begun(server)
        try await stage.queue.perform(command, on: [id])
        let before = try await stage.wait(for: id) { $0.state == .paused || $0.state == .cancelled }
        try await stage.queue.relocate(id, to: films)
        #expect(exists(new) && exists(new + ".json") && !exists(old) && !exists(old + ".json"))
        let after = try #require(try await stage.queue.snapshot().transfers.first)
        #expect(after.state == before.state && after.pausedBy == before.pausedBy && after.bytes == 150_000)
        #expect(after.file == stage.folder.file("films/out.bin"))
        try await stage.reopen()
        #expect(try await stage.states() == [before.state])
        try await stage.queue.perform(before.state == .paused ? .resume : .retry, on: [id])
        try await stage.wait(for: id) { $0.state == .completed }
        try await completes(id, at: "films/out.bin", server)
    }

    /// The reason for the pause is gone. With or without bytes that have to be copied.
    @Test(arguments: [true, false]) func whatHadNoRoomContinuesThere(_ hasBytes: Bool) async throws {
        gate.add()
        let server = try server()
        let id: TransferID
        if hasBytes {
            id = try await paused(server)
        } else {
            let spec = try stage.download(server.url())
            id = try await stage.queue.add([spec], paused: true)[0]
        }
        await stage.queue.core.run { coordinator in
            _ = coordinator.update(id, .paused) { $0.status = .paused(.noSpace(TransferError(.diskFull, "full"))) }
        }
        try await stage.queue.relocate(id, to: films)
        guard hasBytes else {
            try await stage.wait(for: id) { $0.bytes == 150_000 }
            return #expect(exists(new) && copies.count == 0)
        }
        try await completes(id, at: "films/out.bin", server)
    }

    @Test(arguments: [
        QueueCommand.pause, .cancel(deletingPartial: false), .cancel(deletingPartial: true),
    ])
    func aCommandStopsTheCopy(_ command: QueueCommand) async throws {
        let server = try server()
        let id = try await begun(server)
        let (queue, films) = (stage.queue, films)
        let move = Task { try await queue.relocate(id, to: films) }
        let folder = stage.folder.file("films")
        try await stage.wait(for: id) { $0.status == .queued(.moving(to: folder)) }
        #expect(await eventually { copies.count == 1 })
        #expect(server.requests.count == 1)
        // A second move is refused meanwhile.
        await #expect(throws: TransferError.self) { try await queue.relocate(id, to: Relocation(file: folder + "/b")) }
        let stop = Task { try await queue.perform(command, on: [id]) }
        try await stage.wait(for: id) { $0.state == (command == .pause ? .paused : .cancelled) }
        gate.add()
        try await stop.value
        let result = await move.result
        #expect(throws: TransferError.self) { try result.get() }
        #expect(!exists(new) && !exists(new + ".json"))
        if command == .cancel(deletingPartial: true) {
            #expect(await eventually { !exists(old) && !exists(old + ".json") })
            return
        }
        #expect(exists(old) && exists(old + ".json"))
        try await queue.perform(command == .pause ? .resume : .retry, on: [id])
        try await stage.wait(for: id) { $0.state == .completed }
        try await completes(id, at: "out.bin", server)
    }

    /// The command is confirmed: a process that is killed meanwhile must not leave it paused.
    @Test func whatIsResumedMeanwhileIsStored() async throws {
        let server = try server()
        let id = try await paused(server)
        let (queue, films) = (stage.queue, films)
        let move = Task { try await queue.relocate(id, to: films) }
        #expect(await eventually { copies.count == 1 })
        #expect(try queue.core.store.transfer(id)?.state == .paused)
        try await queue.perform(.resume, on: [id])
        #expect(try queue.core.store.transfer(id)?.state == .queued)
        gate.add()
        _ = try await move.value
        try await completes(id, at: "films/out.bin", server)
    }

    /// One that was paused itself stands still anyway, and is not released.
    @Test func aHoldDoesNotConcernWhatWasPaused() async throws {
        let id = try await paused(server())
        let (queue, films) = (stage.queue, films)
        let move = Task { try await queue.relocate(id, to: films) }
        #expect(await eventually { copies.count == 1 })
        try await queue.setHeld(true)
        try await queue.setHeld(false)
        gate.add()
        _ = try await move.value
        let after = try #require(try await queue.snapshot().transfers.first)
        #expect(after.state == .paused && after.pausedBy == .transfer)
        #expect(exists(new) && !exists(old))
    }

    /// Also if the process is killed before the move has ended.
    @Test func aReleaseConcernsWhatWasHeld() async throws {
        let server = try server()
        let id = try await begun(server)
        try await stage.queue.setHeld(true)
        try await stage.wait(for: id) { $0.state == .paused }
        let (queue, films) = (stage.queue, films)
        let move = Task { try await queue.relocate(id, to: films) }
        #expect(await eventually { copies.count == 1 })
        try await queue.setHeld(false)
        #expect(try queue.core.store.transfer(id)?.state == .queued)
        gate.add()
        _ = try await move.value
        try await completes(id, at: "films/out.bin", server)
    }

    /// Whether or not the copy ends before the queue does.
    @Test func theEndLeavesOnePlace() async throws {
        let server = try server()
        let id = try await paused(server)
        let (queue, films) = (stage.queue, films)
        let move = Task { try await queue.relocate(id, to: films) }
        #expect(await eventually { copies.count == 1 })
        gate.add()
        try await stage.reopen()
        _ = await move.result
        #expect(exists(old) != exists(new))
        #expect(try await stage.states() == [.paused])
        let name = exists(old) ? "out.bin" : "films/out.bin"
        try await stage.queue.perform(.resume, on: [id])
        try await completes(id, at: name, server)
    }

    @Test func undoCopiesTheBytesBack() async throws {
        gate.add()
        let id = try await paused(server())
        try await stage.queue.relocate(id, to: films)
        #expect(exists(new) && !exists(old))
        #expect(try await stage.queue.undo().ids == [id])
        #expect(!exists(new) && exists(old) && exists(old + ".json"))
        #expect(try await stage.states() == [.paused])
    }

    /// What it has left is removed in the place that the store does not have.
    @Test(arguments: [false, true]) func aProcessThatWasKilledLeavesOnePlace(_ isMoved: Bool) async throws {
        gate.add()
        let server = try server()
        let id = try await paused(server)
        if isMoved { try await stage.queue.relocate(id, to: films) }
        let folder = stage.folder
        try await stage.crash {
            let store = try stage.store()
            var settings = try store.settings() ?? StoreSettings(concurrent: 4)
            settings.copies = [id.rawValue: StoreCopy(from: folder.file(old), to: folder.file(new))]
            try store.keep(settings)
            store.close()
            if isMoved {
                try folder.write(try folder.read(new), to: old)
                #expect(PartialRecord.copy(from: folder.file(new), to: folder.file(old)))
            } else {
                try folder.write(Array(bytes[..<1000]), to: new)
            }
        }
        #expect(exists(isMoved ? new : old) && !exists(isMoved ? old : new))
        try await stage.queue.perform(.resume, on: [id])
        try await completes(id, at: isMoved ? "films/out.bin" : "out.bin", server)
    }

    /// Neither a command nor the end of the queue waits for a folder that does not respond.
    @Test(arguments: [false, true]) func nothingWaitsForACopyThatHangs(_ isCancelled: Bool) async throws {
        let server = try server()
        let id = try await paused(server)
        let (queue, films) = (stage.queue, films)
        let move = Task { try await queue.relocate(id, to: films) }
        #expect(await eventually { copies.count == 1 })
        if isCancelled { try await queue.perform(.cancel(deletingPartial: false), on: [id]) }
        try await stage.reopen()
        #expect(await queue.core.run { $0.moves[id]?.isStuck == true })
        #expect(exists(old) && exists(new))
        gate.add()
        _ = await move.result
        #expect(exists(old) && !exists(new) && !exists(new + ".json"))
        #expect(try await stage.states() == [isCancelled ? .cancelled : .paused])
    }

    // MARK: Before the copy begins

    /// Begins a move, whose task then ends by `end` at once.
    /// - Returns: why the move does not begin; `nil`: that is not known yet.
    private func refusal(
        of id: TransferID, _ end: @EngineActor (Coordinator, Run, TransferTask) -> Void
    ) throws -> TransferError? {
        let coordinator = stage.queue.core.coordinator
        let copy = PartialCopy(PartialMove(from: stage.folder.file(old), to: stage.folder.file(new)))
        let refusal = Mutex<TransferError?>(nil)
        let hasEnded = EngineActor.sync {
            coordinator.beginMove(id, copy) { error in refusal.withLock { $0 = error } }
            guard let run = coordinator.runs[id], let task = run.task else { return false }
            end(coordinator, run, task)
            return coordinator.moves[id] == nil
        }
        #expect(hasEnded)
        return refusal.withLock { $0 }
    }

    /// Its task succeeded when it was to be ended: a paused download stays as it is until it is resumed.
    @Test func aWholeDownloadIsNotMoved() async throws {
        let id = try await paused(server())
        let refusal = try refusal(of: id) { coordinator, run, task in coordinator.completed(run, task, nil) }
        #expect(refusal == .isBeingMoved(id))
    }

    /// The command comes when the task has ended and its files are being checked.
    @Test func aCancelledDownloadIsNotMovedAndLeavesNothing() async throws {
        let id = try await paused(server())
        let refusal = try refusal(of: id) { coordinator, run, task in
            coordinator.release(task, of: run)
            (run.stop, run.stopping) = (nil, .move)
            coordinator.apply(.cancel(deletingPartial: true), to: id)
        }
        #expect(refusal == .isBeingMoved(id))
        #expect(await eventually { !exists(old) && !exists(old + ".json") })
        #expect(try await stage.states() == [.cancelled])
    }

    // MARK: The files alone

    private func record(_ path: String, tag: String = "\"v1\"") {
        PartialRecord.save(
            ResumeData(
                url: "http://a.test/x", validator: Validator(entityTag: tag), ranges: ByteRangeSet(0..<3), total: 9,
                partialPath: path, bootID: nil))
    }

    /// Each moment at which it can end: the files that exist, and those that are left.
    @Test(arguments: [
        (["a"], "a", ["a"]), (["a", "b"], "a", ["a"]), (["a", "a.json", "b"], "a", ["a", "a.json"]),
        (["a", "a.json", "b", "b.json"], "a", ["a", "a.json"]),
        (["a", "a.json", "b", "b.json"], "b", ["b", "b.json"]), (["a.json", "b", "b.json"], "b", ["b", "b.json"]),
        (["b", "b.json"], "b", ["b", "b.json"]), (["a", "b"], "b", ["b"]),
        // The place cannot be found now.
        (["a", "a.json"], "b", ["a", "a.json"]),
        // Of another download since.
        (["a", "a.json", "b", "b.other"], "a", ["a", "a.json", "b", "b.json"]),
        (["a", "a.other", "b", "b.json"], "b", ["a", "a.json", "b", "b.json"]),
    ] as [([String], String, [String])])
    func everyMomentLeavesOnePlace(_ files: [String], _ kept: String, _ left: [String]) throws {
        let folder = try TemporaryFolder()
        for name in files {
            let path = folder.file(String(name.prefix(1)))
            switch name.count {
            case 1: try folder.write([1, 2, 3], to: name)
            case 6: record(path)
            default: record(path, tag: "\"v2\"")
            }
        }
        let copy = StoreCopy(from: folder.file("a"), to: folder.file("b"))
        #expect(copy.removeLeft(keeping: folder.file(kept)) == files.contains(kept))
        #expect(folder.names == left)
    }

    @Test func whatAProcessStillCopiesStays() throws {
        let folder = try TemporaryFolder()
        for name in ["a", "b"] { try folder.write([1, 2, 3], to: name) }
        let copy = StoreCopy(from: folder.file("a"), to: folder.file("b"))
        let file = try PartialFile(path: folder.file("b"))
        #expect(!copy.removeLeft(keeping: folder.file("a")))
        file.unlock()
        #expect(copy.removeLeft(keeping: folder.file("a")) && folder.names == ["a"])
    }

    @Test func aCopyHasTheGapsAndTheRecord() throws {
        let folder = try TemporaryFolder()
        let (old, new) = (folder.file("a"), folder.file("b"))
        let descriptor = open(old, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        defer { close(descriptor) }
        let part = patternedBytes(3_000_000)
        #expect(pwrite(descriptor, part, part.count, 8 << 20) == part.count)
        #expect(ftruncate(descriptor, 64 << 20) == 0)
        record(old)
        let copy = PartialCopy(PartialMove(from: old, to: new))
        try copy.carryOut()
        #expect(Files.same(old, new) && Files.size(new) == 64 << 20)
        let copied = open(new, O_RDONLY | O_CLOEXEC)
        defer { close(copied) }
        #expect(Files.data(copied)?.lowerBound == Files.data(descriptor)?.lowerBound)
        var status = stat()
        #expect(fstat(copied, &status) == 0 && status.st_mode & 0o777 == 0o600)
        #expect(PartialRecord.load(new + ".json")?.partialPath == new)
        // Neither may be opened before it is decided.
        #expect(PartialFiles.isBusy(old) && PartialFiles.isBusy(new))
        copy.end(keepingNew: true)
        #expect(folder.names == ["b", "b.json"] && !PartialFiles.isBusy(new))
    }

    /// Where there is a second file system.
    @Test(.enabled(if: access("/dev/shm", W_OK) == 0)) func copiesToMemory() throws {
        let folder = try TemporaryFolder()
        let new = "/dev/shm/fileq-test-\(UInt64.random(in: .min ... .max))"
        defer { unlink(new) }
        try folder.write(patternedBytes(5_000_000), to: "a")
        let copy = PartialCopy(PartialMove(from: folder.file("a"), to: new))
        try copy.carryOut()
        #expect(Files.same(folder.file("a"), new))
        copy.end(keepingNew: true)
        #expect(!folder.exists("a"))
    }

    @Test func aCopyThatCannotBeMadeLeavesNothing() throws {
        let folder = try TemporaryFolder()
        try folder.write(patternedBytes(100), to: "a")
        let copy = PartialCopy(PartialMove(from: folder.file("a"), to: folder.file("b")))
        copy.stop()
        #expect(throws: TransferError.cancelled) { try copy.carryOut() }
        #expect(folder.names == ["a"] && !PartialFiles.isBusy(folder.file("a")))
        try folder.write([1], to: "c")
        #expect(throws: TransferError.self) {
            try PartialCopy(PartialMove(from: folder.file("a"), to: folder.file("c"))).carryOut()
        }
        #expect(folder.names == ["a", "c"])
        var disk = PlacementDisk()
        disk.syncFileSystem = { _ in ENOSPC }
        let full = PartialCopy(PartialMove(from: folder.file("a"), to: folder.file("b")), .alone, disk)
        let error = #expect(throws: TransferError.self) { try full.carryOut() }
        #expect(error?.systemErrno == ENOSPC && folder.names == ["a", "c"])
    }
}
