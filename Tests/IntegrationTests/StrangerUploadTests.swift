// SPDX-License-Identifier: MIT

import Foundation
import Testing
import TransferTesting

extension Integration {
    /// Clients that share no code with the server, interrupted at random points. The server is killed and restarted.
    @Suite(.serialized) struct StrangerUploadTests {
        private func run(_ script: String, with python: String, _ stage: Stage) async throws {
            let folder = try stage.makeFolder(stage.path("served"))
            let path = ServerProgram.package.appending(path: "Tests/uploads/\(script)").path
            // Another one each day; a failure prints it.
            let seed = Int(Date().timeIntervalSince1970) / 86_400
            let outcome = try await stage.shell(
                "'\(python)' '\(path)' '\(folder)' \(seed) -- \"$FILEQ\" serve '\(folder)' --port PORT",
                within: 600)
            #expect(outcome.exit == 0 && outcome.text.contains("\nok"), "seed \(seed): \(outcome)")
        }

        @Test func theDraftInEveryVersion() async throws {
            try await Stage.with { stage in try await run("ietf.py", with: "python3", stage) }
        }

        /// `put` and the queue against servers, with a relay in between that breaks connections. All at once: they
        /// mostly wait.
        @Test func uploadsOfPutContinue() async throws {
            try await withThrowingTaskGroup { group in
                let servers = [
                    "fileq serve", "fileq serve, as of 6", "fileq serve, as of 3", "fileq serve, tus",
                    "draftserver.py 5",
                ]
                for server in servers {
                    group.addTask { try await Stage.with { stage in try await upload(to: server, stage) } }
                }
                try await group.waitForAll()
            }
        }

        @Test(.needs(.tuspyserver)) func uploadsOfPutContinueAtAStranger() async throws {
            let python = try ServerProgram.tuspyserver.required()
            try await Stage.with { stage in
                try await upload(to: "tuspyserver", stage, "--tus-python '\(python)'")
            }
        }

        /// Every signature is compared with that of botocore.
        @Test(.needs(.moto)) func uploadsOfPutContinueAtAStore() async throws {
            let python = try ServerProgram.moto.required()
            try await Stage.with { stage in try await upload(to: "moto", stage, "--s3-python '\(python)'") }
        }

        private func upload(to server: String, _ stage: Stage, _ words: String = "") async throws {
            let path = ServerProgram.package.appending(path: "Tests/uploads/client.py").path
            let seed = Int(Date().timeIntervalSince1970) / 86_400
            let folder = try stage.makeFolder(stage.path("trials"))
            let outcome = try await stage.shell(
                "python3 '\(path)' \"$FILEQ\" '\(folder)' --seed \(seed) --points 3 --size 8 --peer '\(server)' "
                    + words, within: 600)
            #expect(outcome.exit == 0 && outcome.text.contains("\nok"), "seed \(seed): \(outcome)")
        }

        @Test(.needs(.tuspy)) func tus() async throws {
            try await Stage.with { stage in
                try await run("tus.py", with: try ServerProgram.tuspy.required(), stage)
            }
        }
    }
}
