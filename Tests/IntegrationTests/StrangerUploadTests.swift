// SPDX-License-Identifier: MIT

import Foundation
import Testing
import TransferTesting

extension Integration {
    /// Clients that share no code with the server, interrupted at random points. The server is killed and restarted.
    @Suite(.serialized) struct StrangerUploadTests {
        /// Ends a script with the servers and clients of its process group, which a killed shell would leave.
        private static let bounded = "timeout -s KILL 590"

        private func run(_ script: String, with python: String, _ stage: Stage) async throws {
            let folder = try stage.makeFolder(stage.path("served"))
            let path = ServerProgram.package.appending(path: "Tests/uploads/\(script)").path
            // Another one each day; a failure prints it.
            let seed = Int(Date().timeIntervalSince1970) / 86_400
            let outcome = try await stage.shell(
                "\(Self.bounded) '\(python)' '\(path)' '\(folder)' \(seed) -- \"$FILEQ\" serve '\(folder)' --port PORT",
                within: 600)
            #expect(outcome.exit == 0 && outcome.text.contains("\nok"), "seed \(seed): \(outcome)")
        }

        @Test func theDraftInEveryVersion() async throws {
            try await Stage.with { stage in try await run("ietf.py", with: "python3", stage) }
        }

        /// `put` and the queue against servers, with a relay in between that breaks connections.
        @Test func uploadsOfPutContinue() async throws {
            async let older: Void = upload(
                to: ["fileq serve, as of 5", "draftserver.py 6", "draftserver.py 3"], by: ["reset", "kill of put"])
            async let parts: Void = upload(
                to: ["fileq serve, tus in parts"], by: ["reset", "kill of server"], size: 24)
            try await upload(
                to: [
                    "fileq serve", "fileq serve, as of 6", "fileq serve, as of 3", "fileq serve, tus",
                    "draftserver.py 5",
                ])
            _ = try await (older, parts)
        }

        // Stores of plain `PUT`, and proxies: the file arrives whole, whatever breaks.

        @Test(.needs(.nginx)) func uploadsOfPutToAndThroughNginx() async throws {
            try await upload(
                to: ["nginx dav", "fileq serve behind nginx", "fileq serve behind nginx, tus"],
                by: ["reset", "kill of server"])
        }

        @Test(.needs(.apache2)) func uploadsOfPutToApache() async throws {
            try await upload(to: ["apache2"], by: ["reset", "kill of server", "conditions"])
        }

        @Test(.needs(.haproxy)) func uploadsOfPutThroughHaproxy() async throws {
            try await upload(
                to: ["fileq serve behind haproxy", "fileq serve behind haproxy, tus"], by: ["reset", "kill of server"])
        }

        @Test(.needs(.caddy)) func uploadsOfPutThroughCaddy() async throws {
            try await upload(
                to: ["fileq serve behind caddy", "fileq serve behind caddy, tus", "fileq serve behind caddy, plain"],
                by: ["reset", "kill of server"])
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

        /// All at once: they mostly wait.
        /// - Parameters:
        ///   - kinds: of interruptions, two of each; all, if none is named.
        ///   - size: MiB.
        private func upload(to servers: [String], by kinds: [String] = [], size: Int = 8) async throws {
            let named = kinds.map { "--kind '\($0)' " }.joined() + "--points 2 --size \(size)"
            let words = kinds.isEmpty ? "" : named
            try await withThrowingTaskGroup { group in
                for server in servers {
                    group.addTask { try await Stage.with { stage in try await upload(to: server, stage, words) } }
                }
                try await group.waitForAll()
            }
        }

        private func upload(to server: String, _ stage: Stage, _ words: String = "") async throws {
            let path = ServerProgram.package.appending(path: "Tests/uploads/client.py").path
            let seed = Int(Date().timeIntervalSince1970) / 86_400
            let folder = try stage.makeFolder(stage.path("trials"))
            let outcome = try await stage.shell(
                "\(Self.bounded) python3 '\(path)' \"$FILEQ\" '\(folder)' --seed \(seed) --points 3 --size 8 "
                    + "--peer '\(server)' \(words)", within: 600)
            #expect(outcome.exit == 0 && outcome.text.contains("\nok"), "seed \(seed): \(outcome)")
        }

        @Test(.needs(.tuspy)) func tus() async throws {
            try await Stage.with { stage in
                try await run("tus.py", with: try ServerProgram.tuspy.required(), stage)
            }
        }
    }
}
