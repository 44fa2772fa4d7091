// SPDX-License-Identifier: MIT

import Dispatch
import Foundation
import Glibc
import Synchronization
import Testing
import TransferControl
import TransferModel
@testable import TransferService
import TransferTesting

/// Calls on file systems that may hang: their order, and what follows when one does not return.
@Suite(.timeLimit(.minutes(10))) struct FileLanesTests {
    private let scheduler = ManualScheduler()
    private let lanes: FileLanes
    private let log = Log()
    private let share = MountTable.Mount(path: "/share", type: "nfs4")

    init() { lanes = FileLanes(scheduler: scheduler) }

    private final class Log: Sendable {
        private let kept = Mutex<[String]>([])
        var lines: [String] { kept.withLock { $0 } }
        func note(_ line: String) { kept.withLock { $0.append(line) } }
    }

    private func request(
        _ path: String, _ patience: FileLanes.Patience = .limited, waitingFor gate: DispatchSemaphore? = nil
    ) {
        let log = log
        lanes.perform(path, on: share, patience) {
            log.note("begun \(path)")
            gate?.wait()
        } reply: { result in
            if case .failure(let error) = result {
                log.note("failed \(path) \(error.code.cause)")
            } else {
                log.note("done \(path)")
            }
        }
    }

    @Test func executesRequestsOfAMountInOrder() {
        let gate = DispatchSemaphore(value: 0)
        request("/share/a/1", waitingFor: gate)
        request("/share/b/2")
        request("/share/a/3")
        #expect(eventually { log.lines == ["begun /share/a/1"] })
        gate.signal()
        #expect(
            eventually {
                log.lines == [
                    "begun /share/a/1", "done /share/a/1", "begun /share/b/2", "done /share/b/2", "begun /share/a/3",
                    "done /share/a/3",
                ]
            })
    }

    @Test func quarantinesAHangingFolder() {
        let gate = DispatchSemaphore(value: 0)
        request("/share/a/1", waitingFor: gate)
        #expect(eventually { log.lines == ["begun /share/a/1"] && scheduler.nextDelay != nil })
        request("/share/a/2")
        request("/share/a/kept", .unlimited(stalled: { [log] in log.note("stalled") }))
        request("/share/b/3")
        scheduler.advance(by: FileLanes.patience)
        #expect(eventually { log.lines.contains("done /share/b/3") && log.lines.contains("stalled") })
        #expect(log.lines.contains("failed /share/a/1 folderNotResponding"))
        #expect(log.lines.contains("failed /share/a/2 folderNotResponding"))
        request("/share/a/4")
        #expect(eventually { log.lines.contains("failed /share/a/4 folderNotResponding") })
        #expect(!log.lines.contains("begun /share/a/2") && !log.lines.contains("begun /share/a/kept"))
        gate.signal()
        #expect(eventually { log.lines.contains("done /share/a/kept") })
        request("/share/a/5")
        #expect(eventually { log.lines.contains("done /share/a/5") })
        #expect(!log.lines.contains("done /share/a/1"), "its reply has been given")
    }

    @Test func failsTheMountWithTooManyStuckThreads() {
        let gate = DispatchSemaphore(value: 0)
        for number in 0..<FileLanes.maximumStuck {
            request("/share/\(number)/f", waitingFor: gate)
            #expect(eventually { log.lines.contains("begun /share/\(number)/f") && scheduler.nextDelay != nil })
            scheduler.advance(by: FileLanes.patience)
        }
        request("/share/other/f")
        #expect(eventually { log.lines.contains("failed /share/other/f folderNotResponding") })
        for _ in 0..<FileLanes.maximumStuck { gate.signal() }
        #expect(
            eventually {
                request("/share/other/g")
                return log.lines.contains("done /share/other/g")
            })
    }

    // MARK: Which mount

    private let table = MountTable(
        parsing: """
            27 1 254:0 / / rw,relatime - ext4 /dev/vda rw
            28 27 0:40 / /mnt/share rw - nfs4 server:/ rw
            29 28 0:41 / /mnt/share/local rw - ext4 /dev/vdb rw
            30 27 0:42 / /mnt/with\\040space rw shared:1 - fuse.sshfs host: rw
            """)

    @Test(arguments: [
        ("/home/f", "ext4"), ("/mnt/share", "nfs4"), ("/mnt/share/a/f", "nfs4"), ("/mnt/shared/f", "ext4"),
        ("/mnt/with space/f", "fuse.sshfs"), ("/mnt/./share/../other/f", "nfs4"), ("/", "ext4"),
    ]) func usesTheLongestPrefix(_ path: String, _ type: String) {
        #expect(table.mount(of: path, followsLast: false).type == type)
    }

    @Test func followsLinksOfLocalFolders() throws {
        let folder = try TemporaryFolder()
        #expect(symlink("/mnt/share/x", folder.file("link")) == 0)
        #expect(table.mount(of: folder.file("link/f"), followsLast: false).type == "nfs4")
        #expect(table.mount(of: folder.file("link"), followsLast: false).type == "ext4")
        #expect(table.mount(of: folder.file("link"), followsLast: true).type == "nfs4")
    }

    @Test func theRootIsLocalOrUnknown() {
        #expect(Mounts().mount(of: "/proc/self/status").type == "proc")
    }

    @Test func resolvesRelativeNames() throws {
        let here = FileManager.default.currentDirectoryPath
        try #require(here != "/")
        let folder = try TemporaryFolder()
        let table = folder.file("mountinfo")
        let lines = ["21 1 8:1 / / rw - ext4 /dev/sda1 rw", "22 21 0:40 / \(here) rw - fuse.sshfs host: rw"]
        try lines.joined(separator: "\n").write(toFile: table, atomically: true, encoding: .utf8)
        let mounts = Mounts(path: table)
        #expect(mounts.mount(of: "/file").type == "ext4")
        #expect(mounts.mount(of: "file").type == "fuse.sshfs")
    }

    // MARK: A queue whose file systems all may hang

    @Test func transfersOverLanesEndAsOnLocalFileSystems() async throws {
        let bytes = patternedBytes(3_000_000)
        let server = try ScriptedServer { connection, number in
            guard let head = connection.readHead() else { return }
            if head.hasPrefix("PUT") {
                connection.takeBody(of: head)
                return connection.answer("201 Created")
            }
            if number == 1 {
                connection.send("HTTP/1.1 200 OK\r\nETag: \"1\"\r\nContent-Length: 3000000\r\n\r\n")
                return connection.send(Array(bytes[..<1_500_000]))
            }
            connection.answer(bytes, to: head, tag: "\"1\"")
        }
        var configuration = LocalQueue.Configuration()
        configuration.mountTable = "/dev/null"
        let stage = try QueueStage { [configuration] _ in configuration }
        let result = try await stage.end(of: stage.download(server.url()))
        #expect(result.state == .completed)
        #expect(result.attempt == 2 && result.metrics?.resumedFrom == 1_500_000)
        #expect(try stage.folder.read("out.bin") == bytes)
        let again = try await stage.end(of: stage.download(server.url()) { $1.existing = .skips })
        #expect(again.state == .completed && again.note == .skipped)
        let source = Upload(source: .file(path: stage.folder.file("out.bin")), form: .put)
        let sent = try await stage.end(
            of: Spec(url: try TransferURL(server.url("/put")), operation: .upload(source)))
        #expect(sent.state == .completed)
        #expect(stage.folder.names == ["out.bin"])
        await stage.queue.shutDown()
    }

    @Test func aNewerVersionByLanesGoesBesideTheOldOne() async throws {
        let (old, new) = (patternedBytes(2_000_000, seed: 1), patternedBytes(2_500_000, seed: 2))
        let server = try ScriptedServer { connection, number in
            guard let head = connection.readHead() else { return }
            switch number {
            case 1:
                connection.send("HTTP/1.1 200 OK\r\nETag: \"1\"\r\nContent-Length: 2000000\r\n\r\n")
                connection.send(Array(old[..<1_200_000]))
            case 2:
                connection.send("HTTP/1.1 200 OK\r\nETag: \"2\"\r\nContent-Length: 2500000\r\n\r\n")
                connection.send(Array(new[..<1_300_000]))
            default: connection.answer(new, to: head, tag: "\"2\"")
            }
        }
        var configuration = LocalQueue.Configuration()
        configuration.mountTable = "/dev/null"
        let stage = try QueueStage { [configuration] _ in configuration }
        let result = try await stage.end(of: stage.download(server.url()))
        #expect(result.state == .completed && result.attempt == 3)
        #expect(result.metrics?.resumedFrom == 1_300_000)
        #expect(try stage.folder.read("out.bin") == new)
        // The lane removes the old one after the end.
        #expect(await eventually { stage.folder.names == ["out.bin"] })
        await stage.queue.shutDown()
    }
}
