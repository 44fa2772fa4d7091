// SPDX-License-Identifier: MIT

import Foundation
import Testing
import TransferTesting

/// Every reader of outside input, with its corpus and the same random changes of it in each run. `make fuzz` looks for
/// more.
@Suite struct FuzzTests {
    private static let targets = FuzzTarget.all
    /// Changed inputs of each target, about as many of each file of its corpus.
    private static let changes = 1000

    private static func corpus(_ name: String) throws -> [[UInt8]] {
        let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appending(path: "Corpus/\(name)")
        return try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
            .map { [UInt8](try Data(contentsOf: folder.appending(path: $0))) }
    }

    @Test(arguments: targets.map(\.name)) func keepsItsPromises(_ name: String) throws {
        let target = try #require(Self.targets.first { $0.name == name })
        let corpus = try Self.corpus(name)
        try #require(!corpus.isEmpty)
        var random = SeededRandom(1)
        for seed in corpus {
            try Self.run(target, seed)
            for _ in 0..<max(20, Self.changes / corpus.count) {
                var input = seed
                for _ in 0..<Int.random(in: 1...4, using: &random) { Self.change(&input, corpus, &random) }
                try Self.run(target, input)
            }
        }
    }

    /// The beginning of the names of files for the inputs under way: what they are where the process ends.
    private static let lastInput = ProcessInfo.processInfo.environment["FILEQ_FUZZ_LAST"]

    private static func run(_ target: FuzzTarget, _ input: [UInt8]) throws {
        if let lastInput { try Data(input).write(to: URL(fileURLWithPath: "\(lastInput)-\(target.name)")) }
        do {
            try input.withUnsafeBytes(target.run)
        } catch {
            Issue.record("\(error); input in base64: \(Data(input).base64EncodedString())")
        }
    }

    private static func change(
        _ input: inout [UInt8], _ corpus: [[UInt8]], _ random: inout SeededRandom
    ) {
        let place = Int.random(in: 0...input.count, using: &random)
        let end = min(input.count, place + Int.random(in: 0...8, using: &random))
        switch Int.random(in: 0..<6, using: &random) {
        case 0 where place < input.count: input[place] = .random(in: 0...255, using: &random)
        case 1 where place < input.count: input[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
        case 2: input.removeSubrange(place..<end)
        case 3: input.insert(contentsOf: input[place..<end], at: place)
        case 4:
            guard let other = corpus.randomElement(using: &random), !other.isEmpty else { return }
            let start = Int.random(in: 0..<other.count, using: &random)
            input.insert(contentsOf: other[start...].prefix(16), at: place)
        default:
            let special: [[UInt8]] = [
                [0], [0xff], Array("9223372036854775807".utf8), Array("-1".utf8), Array("\r\n".utf8), Array("\"".utf8),
                Array("%00".utf8), Array("../".utf8), Array("\u{301}".utf8), Array("日本語".utf8), [0x1b, 0x5b],
            ]
            input.insert(contentsOf: special.randomElement(using: &random) ?? [], at: place)
        }
    }
}
