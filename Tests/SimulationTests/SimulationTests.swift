// SPDX-License-Identifier: MIT

import Testing
import TransferTesting

/// The simulator as a process: docs/Simulation.md.
@Suite(.serialized, .timeLimit(.minutes(10))) struct SimulationTests {
    /// Runs seeds; each twice, unless `options` say otherwise.
    private func simulate(
        _ seeds: ClosedRange<Int>, _ options: String...
    ) async throws -> (exit: Int32, output: String) {
        let words = ["--seeds", "\(seeds.lowerBound)-\(seeds.upperBound)"] + options
        return try await offPool {
            Result {
                let child = try ChildProcess(Binary.simulator, words, output: .pipe)
                var output: [UInt8] = []
                while case let piece = try child.read(), !piece.isEmpty { output += piece }
                return (child.wait() ?? -1, String(decoding: output, as: UTF8.self))
            }
        }.get()
    }

    @Test func findsNoViolation() async throws {
        let run = try await simulate(1...20)
        #expect(run.exit == 0, "\(run.output)")
    }

    /// Two processes play a seed alike.
    @Test func playsASeedAgain() async throws {
        let first = try await simulate(58...58)
        let second = try await simulate(58...58)
        #expect(first.exit == 0)
        #expect(first.output.split(separator: "\n").first == second.output.split(separator: "\n").first)
    }
}
