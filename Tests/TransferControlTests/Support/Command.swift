// SPDX-License-Identifier: MIT

import Dispatch
import Foundation

/// A program run to its end.
enum Command {
    static func output(_ words: [String]) async throws -> String {
        try await withCheckedThrowingContinuation { done in
            DispatchQueue.global().async {
                let process = Process()
                let pipe = Pipe()
                process.executableURL = URL(fileURLWithPath: words[0])
                process.arguments = Array(words.dropFirst())
                process.standardOutput = pipe
                do {
                    try process.run()
                } catch {
                    return done.resume(throwing: error)
                }
                let output = pipe.fileHandleForReading.readDataToEndOfFile()
                process.waitUntilExit()
                done.resume(returning: String(decoding: output, as: UTF8.self))
            }
        }
    }
}

/// Random numbers that are the same in each run.
struct SeededRandom: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    /// splitmix64
    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var value = state
        value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
        value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
        return value ^ (value >> 31)
    }
}
