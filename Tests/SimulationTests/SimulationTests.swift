// SPDX-License-Identifier: MIT

import Foundation
import Testing
import TransferTesting

/// The simulator as a process: docs/Simulation.md.
@Suite(.serialized, .timeLimit(.minutes(30))) struct SimulationTests {
    /// Planted bugs that few seeds find, and the others, which take minutes.
    private static let quickBugs = [
        "commandDropped", "earlyResponseTrusted", "rangeOffByOne", "retryAfterIgnored", "truncationUnnoticed",
        "uploadTrusted",
    ]
    private static let otherBugs = [
        "bootForgotten", "contentRangeUnchecked", "errorPageTrusted", "journalLosesWrite", "journalNotSynced",
        "keyPerAttempt", "limitOffByOne", "lostWakeUp", "nameNotSynced", "noIfRange", "offsetForgotten", "pauseIgnored",
        "queueReordered", "recordBeforeData", "renameBeforeSync", "validatorUnchecked",
    ]
    private static let triesAllBugs = ProcessInfo.processInfo.environment["FILEQ_SIMULATE_BUGS"] != nil

    private struct Run {
        var exit: Int32
        var output: String

        var firstLine: Substring? { output.split(separator: "\n").first }
    }

    private func simulate(_ seeds: ClosedRange<Int>, _ options: [String] = []) async throws -> Run {
        let words = ["--seeds", "\(seeds.lowerBound)-\(seeds.upperBound)"] + options
        return try await offPool {
            Result {
                let child = try ChildProcess(Binary.simulator, words, output: .pipe)
                var output: [UInt8] = []
                while case let piece = try child.read(), !piece.isEmpty { output += piece }
                return Run(exit: child.wait() ?? -1, output: String(decoding: output, as: UTF8.self))
            }
        }.get()
    }

    @Test func findsNoViolation() async throws {
        let run = try await simulate(1...8)
        #expect(run.exit == 0, "\(run.output)")
    }

    @Test(arguments: quickBugs) func findsAPlantedBug(_ bug: String) async throws {
        let run = try await simulate(1...20, ["--once", "--bug", bug])
        #expect(run.exit == 1, "\(run.output)")
        #expect(run.output.contains(" violates "))
    }

    @Test(.enabled(if: triesAllBugs), arguments: otherBugs) func findsARarePlantedBug(_ bug: String) async throws {
        let run = try await simulate(1...2000, ["--once", "--bug", bug])
        #expect(run.exit == 1, "\(run.output)")
        print("\(bug): \(run.firstLine ?? "")")
    }
}
