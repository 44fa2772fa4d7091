// SPDX-License-Identifier: MIT

import Glibc
import Testing
import TransferTesting

extension Soak {
    @Suite struct HungFolderTests {
        /// The service replies, completes other transfers and ends while a folder does not respond.
        @Test(
            .enabled(if: HungFileSystem.isPossible, "only root may mount a file system that hangs"),
            .timeLimit(.minutes(5))
        ) func containsOnlyItsTransfers() async throws {
            try await SoakStage.with { stage in
                let folder = "\(stage.here)/hung"
                try #require(mkdir(folder, 0o700) == 0)
                // The command checks the folder, so it is added before that hangs.
                try await stage.done(["add", "get", "--paused", "-d", folder, stage.lab.url("stuck", "size=4096")])
                let hung = try HungFileSystem(at: folder)
                let added = try #require(try await stage.list().first)
                try await stage.done(["resume", "\(added.id)"])
                var mixed = try await MixedQueue(stage, seed: Soak.seed &+ 9)
                let items = try (0..<8).map { _ in try mixed.download(size: 65_536, "wait-head=0") }
                for item in items { try await stage.done(["add"] + item.words) }
                let listed = try await stage.listing { listed in
                    listed.count == 9 && listed.allSatisfy { $0.hasEnded || $0.state == "retrying" }
                }
                let stuck = try #require(listed.first { !$0.hasEnded })
                // Not its `name`: Foundation asks the file system about a path that becomes a URL.
                #expect(stuck.file.hasSuffix("/hung/stuck") && stuck.reason.contains("does not respond"), "\(stuck)")
                try await stage.done(["pause", "\(stuck.id)"])
                #expect(try await stage.list().first { $0.id == stuck.id }?.state == "paused")
                try await stage.done(["service", "stop"])
                withExtendedLifetime(hung) {}
                for item in items {
                    guard case .download(let size, let version) = item.kind else { continue }
                    #expect(
                        try Files.same("\(stage.here)/\(item.name)", stage.wanted(size: size, version: version)),
                        "\(item.name)")
                }
            }
        }
    }
}
