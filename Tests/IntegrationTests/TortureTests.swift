// SPDX-License-Identifier: MIT

import Foundation
import Testing
import TransferTesting

extension Integration {
    /// Calls of the program that fail, as docs/Torture.md describes. All of them take `make torture`.
    @Suite(.serialized) struct TortureTests {
        private func torture(_ words: String, _ stage: Stage) async throws -> Outcome {
            let path = ServerProgram.package.appending(path: "Tests/torture/torture.py").path
            let folder = try stage.makeFolder(stage.path("torture"))
            return try await stage.shell(
                "python3 -B '\(path)' \"$FILEQ\" --folder '\(folder)' \(words) 2>&1", within: 300)
        }

        @Test func survivesFailingCalls() async throws {
            // The same in each run; a failure prints the command that repeats it.
            let seed = ProcessInfo.processInfo.environment["FILEQ_TORTURE_SEED"] ?? "1"
            try await Stage.with { stage in
                let scenarios = ["get", "get-nosync", "put", "queue", "serve", "serve-restart"]
                    .map { "--scenario \($0)" }.joined(separator: " ")
                let outcome = try await torture("--shallow 24 --seed \(seed) \(scenarios)", stage)
                #expect(outcome.exit == 0, "seed \(seed): \(outcome)")
            }
        }

        /// Without memory for one of libcurl's options, the request would be another one; without a free descriptor,
        /// nothing would wake libcurl's thread, and SQLite would open the queue for reading alone, or call it damaged.
        @Test(arguments: [("get-nosync", "curl"), ("get", "process,lock"), ("restart", "open,read")])
        func survivesEachFailure(_ scenario: String, _ kinds: String) async throws {
            try await Stage.with { stage in
                let outcome = try await torture(
                    "--places --modes once --kinds \(kinds) --scenario \(scenario)", stage)
                #expect(outcome.exit == 0, "\(outcome)")
            }
        }

        /// What no program survives.
        @Test(
            arguments: [
                ("get", "--call 1 --error abort", "ended by signal 6"),
                ("get", "--call 5 --error hang --limit 3", "did not end within 3 s"),
                ("get-nosync", "--call 1 --error lie --kinds write", "has wrong bytes"),
            ]) func findsPlantedBugs(_ scenario: String, _ words: String, _ finding: String) async throws
        {
            try await Stage.with { stage in
                let outcome = try await torture("--scenario \(scenario) \(words)", stage)
                #expect(outcome.exit == 1 && outcome.text.contains(finding), "\(outcome)")
                #expect(outcome.text.contains("again: "), "\(outcome)")
            }
        }
    }
}
