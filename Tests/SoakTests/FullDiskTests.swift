// SPDX-License-Identifier: MIT

import Foundation
import Glibc
import Testing
import TransferTesting

extension Soak {
    @Suite struct FullDiskTests {
        /// Downloads wait for space, with that reason, and resume once there is some.
        @Test(.mounting, .timeLimit(.minutes(5))) func downloadsWaitForSpace() async throws {
            try await SoakStage.with { stage in
                try stage.mountMemory(at: stage.here, bytes: 10 << 20)
                var mixed = try await MixedQueue(stage, seed: Soak.seed &+ 3)
                var items: [SoakItem] = []
                for _ in 0..<4 { items.append(try mixed.download(size: 4 << 20, "rate=4M")) }
                for _ in 0..<6 { items.append(try mixed.download(size: 65_536, "wait-head=0")) }
                for item in items { try await stage.done(["add"] + item.words) }

                let full = try await stage.listing { listed in
                    listed.count == items.count && listed.allSatisfy { $0.state == "completed" || $0.state == "paused" }
                }
                let waiting = full.filter { $0.state == "paused" }
                #expect(
                    !waiting.isEmpty && waiting.count + full.filter { $0.state == "completed" }.count == items.count,
                    "\(full)")
                for one in waiting { #expect(one.reason.contains("disk") || one.reason.contains("space"), "\(one)") }
                try expectNothingHalfNamed(stage, items)

                // A crash changes nothing: they wait for the user, not for the next process.
                try await stage.strikeService()
                #expect(try await Set(stage.list().filter { $0.state == "paused" }.map(\.id)) == Set(waiting.map(\.id)))
                try await stage.remount(stage.here, "size=64m")
                try await stage.done(["resume", "--all"])
                stage.expectStates(items, try await stage.listing { $0.allSatisfy(\.hasEnded) })
                try stage.expectFiles(items)
            }
        }

        /// What cannot be stored is refused with an error; the service still replies, and continues once there is
        /// space.
        @Test(.mounting, .timeLimit(.minutes(5))) func refusesWhatCannotBeStored() async throws {
            try await SoakStage.with { stage in
                try stage.mountMemory(at: stage.state, bytes: 8 << 20)
                var mixed = try await MixedQueue(stage, seed: Soak.seed &+ 4)
                let slow = try mixed.download(size: 4 << 20, "rate=1M")
                try await stage.done(["add"] + slow.words)
                let pid = try await stage.servicePid()
                let filler = "\(stage.state)/filler"
                let list = stage.folder.file("list")
                let urls = (0..<40_000).map { stage.lab.url("many-\($0)", "size=64") }
                try Data((urls.joined(separator: "\n") + "\n").utf8).write(to: URL(fileURLWithPath: list))

                fillUp(filler)
                let refused = try await stage.fileq("add", "get", "--paused", "-d", stage.here, "-i", list)
                #expect(refused.exit == 23, "\(refused)")
                #expect(refused.complaints.contains("disk") || refused.complaints.contains("space"), "\(refused)")
                #expect(refused.text.isEmpty, "ids of what was not taken in: \(refused)")
                #expect(try await stage.list().map(\.name) == [slow.name])
                #expect(try await stage.servicePid() == pid, "the service has ended\n\(stage.logTail)")
                // The running one receives all its bytes, and is not renamed while that cannot be recorded.
                let size = 4 << 20
                let whole = try await stage.listing { $0.first?.bytes == size }
                #expect(whole.first?.bytes == size && whole.first?.hasEnded == false, "\(whole)")
                #expect(!Files.exists("\(stage.here)/\(slow.name)"))

                unlink(filler)
                let small = try mixed.download(size: 4097, "wait-head=0")
                try await stage.done(["add"] + small.words)
                stage.expectStates([slow, small], try await stage.listing { $0.allSatisfy(\.hasEnded) })
                try await stage.strikeService()
                stage.expectStates([slow, small], try await stage.listing { $0.allSatisfy(\.hasEnded) })
                try stage.expectFiles([slow, small])
            }
        }

        /// On a full disk, and on a read-only one, it does not start, and reports why.
        @Test(.mounting, .timeLimit(.minutes(5))) func noServiceWithoutAWritableFolder() async throws {
            try await SoakStage.with { stage in
                try stage.mountMemory(at: stage.state, bytes: 1 << 20)
                let filler = "\(stage.state)/filler"
                fillUp(filler)
                let full = try await stage.fileq("list")
                #expect(full.exit > 0 && full.exit < 128 && full.complaints.contains(stage.state), "\(full)")
                try await stage.remount(stage.state, "size=1m", flags: Int(MS_RDONLY))
                let barred = try await stage.fileq("list")
                #expect(barred.exit > 0 && barred.exit < 128 && barred.complaints.contains(stage.state), "\(barred)")
                #expect(await becomesTrue(within: 20) { stage.processes.isEmpty })
                try await stage.remount(stage.state, "size=8m")
                unlink(filler)
                #expect(try await stage.list().isEmpty)
            }
        }

        /// Whatever has its name is whole.
        private func expectNothingHalfNamed(_ stage: SoakStage, _ items: [SoakItem]) throws {
            for item in items {
                guard case .download(let size, let version) = item.kind, Files.exists("\(stage.here)/\(item.name)")
                else { continue }
                #expect(
                    try Files.same("\(stage.here)/\(item.name)", stage.wanted(size: size, version: version)),
                    "\(item.name)")
            }
        }

        /// Writes until nothing goes in any more.
        private func fillUp(_ path: String) {
            let descriptor = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
            defer { close(descriptor) }
            var count = 65_536
            let bytes = [UInt8](repeating: 0x66, count: count)
            while count > 0 { if write(descriptor, bytes, count) <= 0 { count /= 2 } }
        }
    }
}
