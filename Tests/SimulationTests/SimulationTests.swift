// SPDX-License-Identifier: MIT

import Foundation
import Testing
import TransferTesting

/// The simulator as a process: docs/Simulation.md.
@Suite(.serialized, .timeLimit(.minutes(30))) struct SimulationTests {
    /// Planted bugs that few seeds find, and the others, which take minutes.
    private static let quickBugs = [
        "addedTwice", "clearTakesAll", "commandDropped", "earlyResponseTrusted", "keyTrustedUnasked",
        "loginForgotten", "rangeOffByOne", "ratesForgotten", "refusalIgnored", "retryAfterIgnored",
        "truncationUnnoticed",
        "uploadTrusted",
    ]
    private static let otherBugs = [
        "answerToAnyQuestion", "bodyOfAnother", "bootForgotten", "checksumUnchecked", "clearDropped",
        "contentRangeUnchecked", "declineDropped", "errorPageTrusted",
        "fenceForgotten", "fetchCutShort", "fetchRepeated", "fetchTrusted",
        "fetchesForgotten", "fieldsOfAnother", "hourForgotten",
        "holdLeftUnfinished", "journalLosesWrite", "journalNotSynced", "keyPerAttempt", "limitOffByOne",
        "loginToMirror", "lostWakeUp", "nameNotSynced",
        "offsetForgotten", "pauseIgnored", "rateForgotten", "recordBeforeData", "renameBeforeSync", "requestCutShort",
        "secretInError", "secretToMirror",
        "shortAppendTrusted", "silenceUnnoticed", "slotsIgnored", "undoDropped", "undoneTwice", "updateLost",
        "validatorUnchecked", "withdrawalIgnored",
    ]
    private static let triesAllBugs = ProcessInfo.processInfo.environment["FILEQ_SIMULATE_BUGS"] != nil

    private let script = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "simulate").path

    private struct Run {
        var exit: Int32
        var output: String

        var firstLine: Substring? { output.split(separator: "\n").first }
    }

    private func simulate(_ seeds: ClosedRange<Int>, _ options: [String] = []) async throws -> Run {
        try await run(Binary.simulator, ["--seeds", "\(seeds.lowerBound)-\(seeds.upperBound)"] + options)
    }

    private func run(_ program: String, _ words: [String]) async throws -> Run {
        try await offPool {
            Result {
                let child = try ChildProcess(program, words, output: .pipe)
                var output: [UInt8] = []
                while case let piece = try child.read(), !piece.isEmpty { output += piece }
                return Run(exit: child.wait() ?? -1, output: String(decoding: output, as: UTF8.self))
            }
        }.get()
    }

    @Test func findsNoViolation() async throws {
        let run = try await simulate(1...12)
        #expect(run.exit == 0, "\(run.output)")
    }

    /// Seeds of violations that have been mended; their plain tests do not depend on them.
    @Test(arguments: [
        31_000_482, 31_011_437, 31_011_848, 2_000_291, 2_011_033, 2_021_157, 2_019_023, 2_023_512, 7_000_004,
        9_004_729, 9_006_986, 9_018_462, 9_027_136, 9_031_427, 9_300_005,
        50_005_020, 214_312_208_815, 400_044_908, 400_017_492, 400_038_338,
        500_006_604, 600_004_098, 600_004_755, 700_010_660,
    ]) func staysMended(_ seed: Int) async throws {
        let run = try await simulate(seed...seed)
        #expect(run.exit == 0, "\(run.output)")
    }

    /// In another process, too, a seed takes the same course.
    @Test func playsASeedAgain() async throws {
        let first = try await simulate(58...58)
        let second = try await simulate(58...58)
        #expect(first.exit == 0)
        #expect(first.firstLine?.hasPrefix("seed 58: ") == true)
        #expect(first.firstLine == second.firstLine)
    }

    /// What a violation needs of its course is enough to see it again.
    @Test func shortensTheCourseOfAViolation() async throws {
        let found = try await simulate(1...60, ["--once", "--shorten", "--bug", "uploadTrusted"])
        let line = try #require(found.output.split(separator: "\n").first { $0.contains("enough of it: ") })
        func value(_ name: String) throws -> String {
            let word = try #require(line.split(separator: " ").first { $0.hasPrefix(name + "=") }, "\(line)")
            return String(word.dropFirst(name.count + 1))
        }
        let (seed, faults, transfers) = (try value("SEED"), try value("ONLY"), try value("TRANSFERS"))
        let number = try #require(Int(seed))
        // Of some 19 that a course has.
        #expect(faults.split(separator: ",").count < 12, "\(line)")
        let again = try await simulate(
            number...number, ["--once", "--bug", "uploadTrusted", "--only", faults, "--transfers", transfers])
        #expect(again.exit == 1, "\(again.output)")
        let correct = try await simulate(number...number, ["--only", faults, "--transfers", transfers])
        #expect(correct.exit == 0, "\(correct.output)")
    }

    @Test func addsUpWhatItsProcessesReport() async throws {
        let run = try await self.run(script, [Binary.simulator, "1-12", "--once"])
        #expect(run.exit == 0, "\(run.output)")
        #expect(run.output.contains("total: 12 seeds, "), "\(run.output)")
        let broken = try await self.run(script, [Binary.simulator, "1-60", "--once", "--bug", "uploadTrusted"])
        #expect(broken.exit == 1)
        #expect(broken.output.contains(" violates "))
        #expect(broken.output.contains("total: "))
    }

    /// Transfers come and go for a day.
    @Test func aDayLeavesTheMemoryFlat() async throws {
        let run = try await self.run(Binary.simulator, ["--soak", "150"])
        #expect(run.exit == 0, "\(run.output)")
        #expect(run.output.contains("150 transfers, "), "\(run.output)")
    }

    // MARK: Lives: docs/dev/Life.md

    /// All that a transfer, and two with one file, can do with a command, a fault and an end of the process.
    @Test func exploresLives() async throws {
        let run = try await self.run(Binary.simulator, ["explore", "quick"])
        #expect(run.exit == 0, "\(run.output)")
        #expect(run.output.split(separator: "\n").count { $0.hasSuffix("closed") } == 2, "\(run.output)")
    }

    @Test(arguments: ["commitRepliesEarly", "releaseForgotten", "suspendIgnored", "lockIgnored"])
    func explorerFindsAMistakeOfAnExecutor(_ bug: String) async throws {
        let run = try await self.run(Binary.simulator, ["explore", "bug", bug])
        #expect(run.exit == 1)
        #expect(run.output.contains("violates "), "\(run.output)")
    }

    @Test func theTableOfLivesIsThatOfTheMachine() async throws {
        let run = try await self.run(Binary.simulator, ["explore", "table"])
        let page = URL(filePath: script).deletingLastPathComponent().deletingLastPathComponent()
            .appending(path: "docs/dev/Life.md")
        let lines = try String(contentsOf: page, encoding: .utf8).split(separator: "\n")
        let start = try #require(lines.firstIndex(of: "| event | from → to |"))
        #expect(lines[(start + 2)...].map { $0 } == run.output.split(separator: "\n"))
    }

    @Test(arguments: quickBugs) func findsAPlantedBug(_ bug: String) async throws {
        let run = try await simulate(1...50, ["--once", "--bug", bug])
        #expect(run.exit == 1, "\(run.output)")
        #expect(run.output.contains(" violates "))
    }

    @Test(.enabled(if: triesAllBugs), arguments: otherBugs) func findsARarePlantedBug(_ bug: String) async throws {
        let run = try await self.run(script, [Binary.simulator, "1-10000", "--once", "--bug", bug])
        #expect(run.exit == 1, "\(run.output)")
        let found = run.output.split(separator: "\n").first { $0.contains(" violates ") }
        print("\(bug): \(found ?? "")")
    }
}
