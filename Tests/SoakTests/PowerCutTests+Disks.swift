// SPDX-License-Identifier: MIT

import Foundation
import Glibc
import Testing
import TransferTesting

/// Power cuts as a disk sees them: what was not synced is not there, whatever became of it in memory.
extension Soak.PowerCutTests {
    /// Exit 0 means that the file is there, and whole.
    @Test(.disks, .timeLimit(.minutes(5))) func completedDownloadsAreOnDisk() async throws {
        try await SoakStage.with { stage in
            let disk = try await DiskImage(stage, named: "disk.img")
            try await disk.mount([stage.here])
            let sizes = [3 << 20, 4097, 0]
            for (index, size) in sizes.enumerated() {
                try await stage.done(["get", "-q", stage.lab.url("f", "size=\(size)"), "-o", "\(stage.here)/f\(index)"])
            }
            let list = sizes.indices.map { stage.lab.url("g\($0)", "size=65536&wait-head=0.\($0)") }.joined(
                separator: "\n")
            try Data(list.utf8).write(to: URL(fileURLWithPath: stage.folder.file("list")))
            try await stage.done(["get", "-q", "-j", "3", "-d", stage.here, "-i", stage.folder.file("list")])
            let atOnce = try await disk.copy(as: "at-once.img")
            // What another program syncs takes names along, of whatever file.
            try syncSomething(in: stage.here)
            let afterASync = try await disk.copy(as: "after.img")

            try disk.unmount([stage.here])
            for disk in [atOnce, afterASync] {
                try await disk.mount([stage.here])
                for (index, size) in sizes.enumerated() {
                    #expect(
                        try Files.same("\(stage.here)/f\(index)", stage.wanted(size: size, version: 1)), "f\(index)")
                    #expect(
                        try Files.same("\(stage.here)/g\(index)", stage.wanted(size: 65_536, version: 1)), "g\(index)")
                }
                #expect(stage.names(in: stage.here).allSatisfy { !$0.contains("fileq-part") })
                try disk.unmount([stage.here])
            }
        }
    }

    /// Whatever has its name on the disk is whole there, and the service knows it for its own.
    @Test(.disks, .timeLimit(.minutes(10)), arguments: 0..<3) func renamedFilesSurviveWithTheirBytes(
        _ round: Int
    ) async throws {
        try await SoakStage.with { stage in
            let folders = [stage.here, stage.state]
            let disk = try await DiskImage(stage, named: "disk.img")
            try await disk.mount(folders)
            try await stage.boot(0)
            var mixed = try await MixedQueue(stage, seed: Soak.seed &+ 7)
            var items: [SoakItem] = []
            for index in 0..<60 { items.append(try mixed.download(size: 65_536, "wait-head=0.0\(index % 10)")) }
            let list = stage.folder.file("list")
            try Data(items.map { $0.words[1] }.joined(separator: "\n").utf8).write(to: URL(fileURLWithPath: list))
            try await stage.done(["add", "get", "-q", "-d", stage.here, "-i", list])
            let names = items.map(\.name)
            #expect(
                await becomesTrue(within: 60) { names.count { Files.exists("\(stage.here)/\($0)") } >= 5 + 20 * round })

            let pid = try #require(stage.processes.first)
            kill(pid, SIGSTOP)
            try syncSomething(in: stage.here)
            let cut = try await disk.copy(as: "cut.img")
            try await stage.strikeService()
            try disk.unmount(folders)

            try await cut.mount(folders)
            for item in items where Files.exists("\(stage.here)/\(item.name)") {
                guard case .download(let size, let version) = item.kind else { continue }
                #expect(
                    try Files.same("\(stage.here)/\(item.name)", stage.wanted(size: size, version: version)),
                    "\(item.name) has its name, and not its bytes")
            }
            try await stage.boot(1)
            stage.expectStates(items, try await stage.listing(within: 120) { $0.allSatisfy(\.hasEnded) })
            unlink("\(stage.here)/something")
            try stage.expectFiles(items)
            try await stage.strikeService()
        }
    }

    /// As any other program does.
    private func syncSomething(in folder: String) throws {
        let descriptor = open("\(folder)/something", O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
        try #require(descriptor >= 0)
        defer { close(descriptor) }
        write(descriptor, "x", 1)
        #expect(fsync(descriptor) == 0)
    }
}
