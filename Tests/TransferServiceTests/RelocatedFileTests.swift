// SPDX-License-Identifier: MIT

import FoundationEssentials
import Glibc
import SessionCore
import Synchronization
import Testing
import TransferControl
import TransferModel
import TransferTesting

@testable import TransferService

/// Downloads that get another file, and transfers that get another start.
@Suite(.timeLimit(.minutes(5))) struct RelocatedFileTests {
    let stage: DurableStage
    private let bytes = patternedBytes(400_000)

    init() throws { stage = try DurableStage() }

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

    private func exists(_ name: String) -> Bool { stage.folder.exists(name) }

    @Test func aRunningDownloadContinuesInAnotherFile() async throws {
        let server = try server()
        let id = try await begun(server)
        let file = stage.folder.file("other.bin")
        try await stage.queue.relocate(id, to: Relocation(file: file))
        let end = try await stage.end(of: id)
        #expect(end.state == .completed && end.file == file)
        #expect(try stage.folder.read("other.bin") == bytes)
        #expect(server.requests.last?.contains("bytes=150000-") == true)
        #expect(!exists("out.bin") && !exists("out.bin.fileq-part") && !exists("other.bin.fileq-part"))
    }

    @Test(arguments: [false, true]) func aPausedDownloadMovesAtOnce(_ isReopened: Bool) async throws {
        let server = try server()
        let id = try await begun(server)
        try await stage.queue.perform(.pause, on: [id])
        try await stage.wait(for: id) { $0.state == .paused }
        let folder = stage.folder.file("films")
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
        try await stage.queue.relocate(id, to: Relocation(folder: folder))
        #expect(await eventually { exists("films/out.bin.fileq-part") && !exists("out.bin.fileq-part") })
        #expect(try await stage.queue.snapshot().transfers.first?.file == folder + "/out.bin")
        if isReopened { try await stage.reopen() }
        try await stage.queue.perform(.resume, on: [id])
        #expect(try await stage.end(of: id).state == .completed)
        #expect(try stage.folder.read("films/out.bin") == bytes)
        #expect(server.requests.last?.contains("bytes=150000-") == true)
    }

    /// That of the same name fails, and gets another one: the bytes are those of the first.
    @Test(arguments: [false, true]) func theFileOfAnotherTransferStays(_ isReopened: Bool) async throws {
        let server = try server()
        let id = try await begun(server)
        let second = try await stage.queue.add([stage.download(server.url())], paused: false)[0]
        #expect(try await stage.end(of: second).state == .failed)
        if isReopened {
            // No transfer has the file open then.
            try await stage.queue.perform(.pause, on: [id])
            try await stage.wait(for: id) { $0.state == .paused }
            try await stage.reopen()
        }
        try await stage.queue.relocate(second, to: Relocation(file: stage.folder.file("b")))
        try await stage.queue.perform(.cancel(deletingPartial: false), on: [id])
        try await stage.wait(for: id) { $0.state == .cancelled }
        #expect(exists("out.bin.fileq-part") && !exists("b.fileq-part"))
        try await stage.queue.perform(.retry, on: [id])
        // One that was paused is paused again.
        if isReopened { try await stage.queue.perform(.resume, on: [id]) }
        try await stage.wait(for: id) { $0.state == .completed }
        #expect(try stage.folder.read("out.bin") == bytes)
        #expect(server.requests.last?.contains("bytes=150000-") == true)
    }

    /// A duplicate that never ran has nothing to delete, although no transfer has the file open.
    @Test func deletingTheFileOfADuplicateLeavesThatOfTheFirst() async throws {
        let server = try server()
        let id = try await begun(server)
        try await stage.queue.perform(.pause, on: [id])
        try await stage.wait(for: id) { $0.state == .paused }
        try await stage.reopen()
        let second = try await stage.queue.add([stage.download(server.url())], paused: true)[0]
        try await stage.queue.perform(.cancel(deletingPartial: true), on: [second])
        try await stage.wait(for: second) { $0.state == .cancelled }
        #expect(exists("out.bin.fileq-part"))
        try await stage.queue.perform(.resume, on: [id])
        try await stage.wait(for: id) { $0.state == .completed }
        #expect(try stage.folder.read("out.bin") == bytes)
        #expect(server.requests.last?.contains("bytes=150000-") == true)
        // Of its own it is deleted.
        let third = try await stage.queue.add([stage.download(server.url(), name: "c")], paused: true)[0]
        try stage.folder.write([1], to: "c.fileq-part")
        try await stage.queue.perform(.cancel(deletingPartial: true), on: [third])
        #expect(await eventually { !exists("c.fileq-part") })
    }

    /// Another program may write a file of that name.
    @Test func aFileInUseDoesNotMove() throws {
        try stage.folder.write([1], to: "out.bin.fileq-part")
        let move = PartialMove(from: stage.folder.file("out.bin.fileq-part"), to: stage.folder.file("b.fileq-part"))
        let writer = try PartialFile(path: move.old)
        move.carryOut()
        #expect(exists("out.bin.fileq-part") && !exists("b.fileq-part"))
        writer.unlock()
        move.carryOut()
        #expect(!exists("out.bin.fileq-part") && exists("b.fileq-part"))
    }

    /// As one on another file system, which an attempt has made after the decision to rename.
    @Test(arguments: [0, 1]) func anEmptyFileThatCannotBeRenamedIsRemoved(_ length: Int) throws {
        try stage.folder.write([UInt8](repeating: 1, count: length), to: "out.bin.fileq-part")
        let move = PartialMove(
            from: stage.folder.file("out.bin.fileq-part"), to: stage.folder.file("none/out.bin.fileq-part"))
        move.carryOut()
        #expect(exists("out.bin.fileq-part") == (length > 0))
    }

    @Test func undoMovesTheBytesBack() async throws {
        let server = try server()
        let id = try await begun(server)
        try await stage.queue.perform(.cancel(deletingPartial: false), on: [id])
        try await stage.end(of: id)
        try await stage.queue.relocate(id, to: Relocation(file: stage.folder.file("b"), existing: .overwrites))
        #expect(exists("b.fileq-part") && exists("b.fileq-part.json") && !exists("out.bin.fileq-part"))
        let undone = try await stage.queue.undo()
        #expect(undone.command == "relocate" && undone.ids == [id] && undone.skipped == 0)
        #expect(exists("out.bin.fileq-part") && !exists("b.fileq-part") && !exists("b.fileq-part.json"))
        try await stage.queue.perform(.retry, on: [id])
        try await stage.wait(for: id) { $0.state == .completed }
        #expect(server.requests.last?.contains("bytes=150000-") == true)
    }

    @Test func whatCannotMoveStays() async throws {
        let server = try server()
        let id = try await begun(server)
        try await stage.queue.perform(.pause, on: [id])
        try stage.folder.write([1], to: "taken.fileq-part")
        for place in [
            Relocation(folder: stage.folder.file("nowhere")), Relocation(file: stage.folder.file("taken")),
        ] {
            let error = await #expect(throws: TransferError.self) { try await stage.queue.relocate(id, to: place) }
            #expect(error?.code == .cannotWrite)
        }
        #expect(exists("out.bin.fileq-part"))
        #expect(try await stage.queue.snapshot().transfers.first?.file == stage.folder.file("out.bin"))
        let move = PartialMove(from: stage.folder.file("out.bin.fileq-part"), to: stage.folder.file("b.fileq-part"))
        let folder = try move.destination()
        #expect(try !move.isCopy(to: folder, PlacementDisk()))
        #expect(try move.isCopy(to: (.max, folder.room), PlacementDisk()))
        #expect(try move.isCopy(to: folder, PlacementDisk(), isOneMount: false))
        let error = #expect(throws: TransferError.self) { try move.isCopy(to: (.max, 4000), PlacementDisk()) }
        #expect(error?.systemErrno == ENOSPC)
    }

    @Test func replacesAnExistingFile() async throws {
        let server = try ScriptedServer { [bytes] connection, _ in
            while connection.readHead() != nil { connection.answer("200 OK", body: bytes) }
        }
        try stage.folder.write([1], to: "out.bin")
        let id = try await stage.queue.add([stage.download(server.url())], paused: false)[0]
        #expect(try await stage.end(of: id).state == .failed)
        try await stage.queue.relocate(id, to: Relocation(existing: .overwrites))
        try await stage.queue.perform(.retry, on: [id])
        try await stage.wait(for: id) { $0.state == .completed }
        #expect(try stage.folder.read("out.bin") == bytes)
    }

    @Test func uploadsHaveNoOtherFile() async throws {
        try stage.folder.write([1], to: "x")
        let id = try await stage.queue.add([stage.upload("http://127.0.0.1:9/", name: "x")], paused: true)[0]
        await #expect(throws: TransferError.self) {
            try await stage.queue.relocate(id, to: Relocation(file: stage.folder.file("y")))
        }
    }

    @Test func aScheduledTransferWaitsForItsTime() async throws {
        let server = try server()
        let id = try await stage.queue.add([stage.download(server.url())], paused: true)[0]
        let later = Date().timeIntervalSince1970 + 3600
        try await stage.queue.perform(.schedule(later), on: [id])
        try await stage.queue.perform(.resume, on: [id])
        #expect(try await stage.queue.snapshot().transfers.first?.state == .queued)
        try await stage.reopen()
        #expect(try await stage.queue.snapshot().transfers.first?.earliestBegin == later)
        try await stage.queue.perform(.schedule(nil), on: [id])
        try await stage.wait(for: id) { $0.bytes == 150_000 }
        // It has begun.
        try await stage.queue.perform(.schedule(later), on: [id])
        #expect(try await stage.queue.snapshot().transfers.first?.earliestBegin == nil)
        let undone = try await stage.queue.undo()
        #expect(undone.command == "schedule")
    }

    /// What the old address has of folders, and how often it refused the file, says nothing of the new one.
    @Test func anUploadBeginsAtItsNewAddressAsAtTheFirst() async throws {
        let folders = Mutex<Set<String>>([])
        let server = try ScriptedServer { connection, _ in
            while let head = connection.readHead() {
                connection.takeBody(of: head)
                let (isFolder, folder) = (head.hasPrefix("MKCOL"), head.contains(" /a/") ? "a" : "b")
                let isThere = folders.withLock { folders in
                    if isFolder { folders.insert(folder) }
                    return folders.contains(folder)
                }
                if !isThere {
                    connection.answer("409 Conflict")
                } else if !isFolder, folder == "a" {
                    connection.answer("503 Service Unavailable", ["Retry-After: 3600"])
                } else {
                    connection.answer("201 Created")
                }
            }
        }
        let path = try stage.folder.write([1, 2, 3], to: "source")
        let upload = Upload(source: .file(path: path), form: .put, createsFolders: true)
        let spec = Spec(url: try TransferURL(server.url("/a/file")), operation: .upload(upload))
        let id = try await stage.queue.add([spec], paused: false)[0]
        try await stage.wait(for: id) { $0.state == .retrying }
        let coordinator = stage.queue.core.coordinator
        #expect(EngineActor.sync { coordinator.runs[id]?.refusals } == 1)
        try await stage.queue.relocate(id, to: Relocation(url: try TransferURL(server.url("/b/file"))))
        #expect(EngineActor.sync { coordinator.runs[id]?.refusals } == 0)
        try await stage.queue.perform(.retry, on: [id])
        #expect(try await stage.end(of: id).state == .completed)
        #expect(
            server.requests.map { $0.split(separator: " ").prefix(2).joined(separator: " ") } == [
                "PUT /a/file", "MKCOL /a/", "PUT /a/file", "PUT /b/file", "MKCOL /b/", "PUT /b/file",
            ])
    }
}
