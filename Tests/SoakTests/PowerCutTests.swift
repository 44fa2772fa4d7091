// SPDX-License-Identifier: MIT

import Foundation
import Glibc
import Testing
import TransferModel
import TransferStore
import TransferTesting

extension Soak {
    /// A power cut as a program meets it afterwards: the process is gone, the kernel is another, and of what was
    /// written without being synced anything may have become of it.
    @Suite struct PowerCutTests {
        @Test(.mounting, .timeLimit(.minutes(10))) func usesNoUnsyncedBytes() async throws {
            let cuts = max(3, Soak.crashes / 8)
            Soak.say("\(cuts) power cuts with FILEQ_SOAK_SEED=\(Soak.seed)")
            try await SoakStage.with { stage in
                var random = SeededRandom(Soak.seed &+ 5)
                var mixed = try await MixedQueue(stage, seed: Soak.seed &+ 6)
                var items: [SoakItem] = []
                items.append(try mixed.upload(.fileQ, size: 2 << 20, ["--limit", "1M", "--meta", "kind=cut"]))
                var garbled = 0
                for cut in 0..<cuts {
                    try await stage.boot(cut)
                    for _ in 0..<5 { items.append(try mixed.download(size: 65_536, "wait-head=0.1")) }
                    // Slow enough for the cut to find it on its way.
                    items.append(try mixed.download(size: 6 << 20, "rate=300k"))
                    for item in items.suffix(cut == 0 ? 7 : 6) { try await stage.done(["add"] + item.words) }
                    // As soon as something is being written, or a little later.
                    let before = partialBytes(stage)
                    _ = await becomesTrue(within: 60) { partialBytes(stage) != before }
                    try await Task.sleep(for: .milliseconds(Int.random(in: 0...1000, using: &random)))
                    try await stage.strikeService()
                    garbled += try garble(stage, &random)
                }
                #expect(garbled > 0, "no cut came while anything was being written: nothing was tried")
                Soak.say("\(garbled) files spoiled")
                try await stage.boot(cuts)
                stage.expectStates(items, try await stage.listing(within: 120) { $0.allSatisfy(\.hasEnded) })
                try stage.expectFiles(items)
                try await stage.expectUploads(items)
            }
        }

        /// The sizes of all partial files.
        private func partialBytes(_ stage: SoakStage) -> Int {
            stage.names(in: stage.here).filter { $0.hasSuffix(".fileq-part") }.reduce(0) {
                $0 + Files.size("\(stage.here)/\($1)")
            }
        }

        /// Spoils what no sync has made safe: whatever is not recorded as completed or about to be named, up to what
        /// its record calls synced.
        /// - Returns: how many files that were.
        private func garble(_ stage: SoakStage, _ random: inout SeededRandom) throws -> Int {
            let store = try TransferStore(folder: stage.queue, time: Date().timeIntervalSince1970)
            var paths = try store.history().filter { $0.state == .completed }.map(\.file)
            // Synced before that was recorded, under whichever of its two names.
            for transfer in try store.unfinished() where transfer.state == .verifying {
                guard let data = transfer.checkpoint?.download?.data, data.ranges.prefixLength >= data.total ?? .max
                else { continue }
                paths += [transfer.file, data.partialPath]
            }
            let safe = Set(paths.map { URL(fileURLWithPath: $0).lastPathComponent })
            store.close()
            var count = 0
            for name in stage.names(in: stage.here)
            where !name.hasSuffix(".json") && !name.hasSuffix(".new") && !safe.contains(name) {
                let path = "\(stage.here)/\(name)"
                let record = FileManager.default.contents(atPath: path + ".json").flatMap {
                    try? ResumeData(decoding: $0)
                }
                let synced = Int(record?.ranges.ranges.last?.upperBound ?? 0)
                // Of several connections.
                for gap in record?.ranges.gaps(in: Int64(synced)) ?? [] { try overwrite(path, gap, &random) }
                let length = Files.size(path)
                guard length > synced else { continue }
                try spoil(path, from: synced, to: length, &random)
                count += 1
            }
            return count
        }

        private func overwrite(_ path: String, _ range: Range<Int64>, _ random: inout SeededRandom) throws {
            let file = try FileHandle(forUpdating: URL(fileURLWithPath: path))
            try file.seek(toOffset: UInt64(range.lowerBound))
            try file.write(contentsOf: Data(patternedBytes(range.count, seed: random.next())))
            try file.close()
        }

        /// Cut off, gone to zeros, or other bytes than were written: what file systems leave behind.
        private func spoil(_ path: String, from start: Int, to end: Int, _ random: inout SeededRandom) throws {
            let file = try FileHandle(forUpdating: URL(fileURLWithPath: path))
            let kept = start + Int.random(in: 0...(end - start), using: &random)
            switch Int.random(in: 0..<3, using: &random) {
            case 0: try file.truncate(atOffset: UInt64(kept))
            case 1:
                try file.truncate(atOffset: UInt64(start))
                try file.truncate(atOffset: UInt64(end))
            default:
                try file.seek(toOffset: UInt64(start))
                try file.write(contentsOf: Data(patternedBytes(end - start, seed: random.next())))
            }
            try file.close()
        }
    }
}
