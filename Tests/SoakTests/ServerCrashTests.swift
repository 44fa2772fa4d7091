// SPDX-License-Identifier: MIT

import Testing
import TransferTesting

extension Soak {
    @Suite struct ServerCrashTests {
        /// The same with the servers killed instead: the service waits for them, and nothing is there twice.
        @Test(.timeLimit(.minutes(30))) func survivesKilledServers() async throws {
            let blows = max(4, Soak.crashes / 5)
            Soak.say("\(blows) crashes of the servers with FILEQ_SOAK_SEED=\(Soak.seed)")
            try await SoakStage.with { stage in
                var random = SeededRandom(Soak.seed &+ 1)
                var run = try await CrashRun(stage, seed: Soak.seed &+ 2)
                try await run.open(large: 2, small: 10)
                let pid = try await stage.servicePid()
                for _ in 0..<blows {
                    try await Task.sleep(for: .milliseconds(Int.random(in: 200...1200, using: &random)))
                    let away = Duration.milliseconds(Int.random(in: 0...600, using: &random))
                    if random.once(in: 2) {
                        await stage.server.strike()
                        try await Task.sleep(for: away)
                        try await stage.server.start()
                    } else {
                        await stage.lab.stop()
                        try await Task.sleep(for: away)
                        try await stage.lab.start()
                    }
                }
                try await run.resumeAll()
                let listed = try await stage.listing(within: 180) { $0.allSatisfy(\.hasEnded) }
                stage.expectStates(run.items, listed)
                try stage.expectFiles(run.items)
                try await stage.expectUploads(run.items)
                try await stage.expectHistory(listed)
                #expect(try await stage.servicePid() == pid, "the service has ended meanwhile\n\(stage.logTail)")
            }
        }
    }
}
