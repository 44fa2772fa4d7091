// SPDX-License-Identifier: MIT

import Foundation
import Testing
import TransferTesting

extension Soak {
    @Suite struct SmallFilesCrashTests {
        /// Thousands of small files, which get their names and records many at a time; the service is killed while it
        /// does that.
        @Test(.timeLimit(.minutes(30))) func losesNoneOfManySmallFiles() async throws {
            var random = SeededRandom(Soak.seed &* 13 &+ 5)
            let (crashes, count) = (max(4, Soak.crashes / 4), 4000)
            Soak.say("\(crashes) crashes during \(count) small files with FILEQ_SOAK_SEED=\(Soak.seed)")
            try await SoakStage.with { stage in
                let sizes = [0, 1, 63, 4096, 4097, 65_536]
                var (list, items): (String, [SoakItem]) = ("", [])
                for number in 0..<count {
                    let (size, version) = (sizes[number % sizes.count], 1 + number % 3)
                    let name = "small-\(number)"
                    list += "\(stage.lab.url(name, "size=\(size)&version=\(version)"))\n  out=\(name)\n"
                    items.append(
                        SoakItem(name: name, kind: .download(size: size, version: version), words: []))
                }
                let path = stage.folder.file("sources/list")
                try Data(list.utf8).write(to: URL(fileURLWithPath: path))
                try await stage.done(["set", "--concurrent", "8"])
                try await stage.done(["add", "get", "-q", "-d", stage.here, "-i", path])
                var interrupted = 0
                for _ in 0..<crashes {
                    try await Task.sleep(for: .milliseconds(Int.random(in: 20...700, using: &random)))
                    let had = whole(stage)
                    try await stage.strikeService()
                    let has = whole(stage)
                    if (1..<count).contains(has.count) { interrupted += 1 }
                    #expect(had.subtracting(has).isEmpty)
                    try await stage.revive()
                }
                let listed = try await stage.listing(within: 300) { $0.allSatisfy(\.hasEnded) }
                // Of very many completed transfers the queue lists the last alone.
                let history = try await stage.done(["history", "--json", "-n", "\(2 * count)"]).lines
                    .map { try Listed(line: $0) }
                #expect(history.count == count)
                #expect(Set(history.map(\.name)).count == count)
                #expect((history + listed).allSatisfy { $0.state == "completed" })
                try stage.expectFiles(items)
                #expect(interrupted > 0, "hardly anything ran when the service was killed: nothing was tried")
                Soak.say("\(interrupted) of \(crashes) crashes came between the first and the last file")
            }
        }

        /// Names that files keep. Partial files are renamed while the folder is read: some are read twice.
        private func whole(_ stage: SoakStage) -> Set<String> {
            Set(stage.names(in: stage.here).filter { !$0.contains(".fileq-part") })
        }
    }
}
