// SPDX-License-Identifier: MIT

import Foundation
import Glibc
import GRDB
import Testing
import TransferTesting

extension Soak {
    /// Places that cannot be used, and what is found in them: clear words, a code, and nothing lost.
    @Suite struct BadPlaceTests {
        @Test(.timeLimit(.minutes(2))) func aSocketPathThatIsTooLong() async throws {
            try await SoakStage.with { stage in
                let home = stage.folder.file(String(repeating: "long-", count: 30))
                let said = try await stage.fileq("list", environment: ["FILEQ_HOME": home])
                #expect(said.exit > 0 && said.exit < 128 && said.complaints.contains("107"), "\(said)")
                #expect(said.complaints.split(separator: "\n").count == 1, "\(said)")
            }
        }

        /// The queue of a newer program stays as it is, and an older one says so.
        @Test(.timeLimit(.minutes(2))) func aQueueOfANewerVersion() async throws {
            try await SoakStage.with { stage in
                let item = try await add(to: stage)
                try await stage.done(["service", "stop"])
                let database = try DatabaseQueue(path: "\(stage.queue)/queue.sqlite")
                try await database.write { try $0.execute(sql: "INSERT INTO grdb_migrations VALUES ('later')") }
                let refused = try await stage.fileq("list")
                #expect(refused.exit == 1 && refused.complaints.contains("newer version"), "\(refused)")
                #expect(await becomesTrue(within: 20) { stage.processes.isEmpty })
                try await database.write {
                    try $0.execute(sql: "DELETE FROM grdb_migrations WHERE identifier = 'later'")
                }
                try database.close()
                #expect(try await stage.list().map(\.name) == [item.name])
            }
        }

        /// What cannot be read is set aside under another name, and said; it is never simply replaced.
        @Test(.timeLimit(.minutes(2))) func aDamagedQueue() async throws {
            try await SoakStage.with { stage in
                _ = try await add(to: stage)
                try await stage.done(["service", "stop"])
                let path = "\(stage.queue)/queue.sqlite"
                try Data(patternedBytes(Files.size(path), seed: 9)).write(to: URL(fileURLWithPath: path))
                let damaged = FileManager.default.contents(atPath: path)
                let said = try await stage.fileq("list", "--json")
                #expect(said.exit == 0 && said.lines.isEmpty, "\(said)")
                let aside = stage.names(in: stage.queue).filter { $0.hasPrefix("queue.sqlite.damaged-") }
                let name = try #require(aside.first, "nothing was set aside: \(stage.names(in: stage.queue))")
                #expect(FileManager.default.contents(atPath: "\(stage.queue)/\(name)") == damaged)
                #expect(stage.logTail.contains(name), "not reported: \(stage.logTail)")
                let item = try await add(to: stage)
                #expect(try await stage.list().map(\.name) == [item.name])
            }
        }

        /// A hook that never ends is killed; nothing waits for it.
        @Test(.timeLimit(.minutes(2))) func aHookThatHangs() async throws {
            try await SoakStage.with { stage in
                let words =
                    "[hooks]\non-complete = [\"/bin/sh\", \"-c\", \"echo $FILEQ_ID >> "
                    + "\(stage.folder.file("reported")); exec sleep 1000\"]\ntimeout = 1\n"
                try Data(words.utf8).write(to: URL(fileURLWithPath: "\(stage.state)/config.toml"))
                var mixed = try await MixedQueue(stage, seed: 1)
                let items = try (0..<3).map { _ in try mixed.download(size: 64, "wait-head=0") }
                for item in items { try await stage.done(["add"] + item.words) }
                let listed = try await stage.listing { $0.count == 3 && $0.allSatisfy(\.hasEnded) }
                stage.expectStates(items, listed)
                let isReported = await becomesTrue {
                    String(
                        decoding: FileManager.default.contents(atPath: stage.folder.file("reported")) ?? Data(),
                        as: UTF8.self
                    )
                    .split(separator: "\n").count == 3
                }
                #expect(isReported, "the program was not run for each")
                #expect(await becomesTrue { stage.sleepers.isEmpty }, "\(stage.sleepers) still run")
                #expect(stage.logTail.contains("on-complete"), "\(stage.logTail)")
            }
        }

        private func add(to stage: SoakStage) async throws -> SoakItem {
            var mixed = try await MixedQueue(stage, seed: UInt64.random(in: 1...1000))
            let item = try mixed.download(size: 64, "wait-head=0", ["--paused"])
            try await stage.done(["add"] + item.words)
            return item
        }
    }
}
