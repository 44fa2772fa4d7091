// SPDX-License-Identifier: MIT

import Testing
import TransferTesting

extension Soak {
    @Suite struct CrashTests {
        /// The whole of it: everything there is in one queue, and the service killed at any moment.
        @Test(.timeLimit(.minutes(60))) func survivesAKilledService() async throws {
            let began = ContinuousClock.now
            Soak.say("\(Soak.crashes) crashes with FILEQ_SOAK_SEED=\(Soak.seed)")
            try await SoakStage.with { stage in
                var run = try await CrashRun(stage, seed: Soak.seed)
                try await run.open(large: 2 + Soak.crashes / 10, small: 10 + Soak.crashes / 4)
                while run.crashes < Soak.crashes { try await run.round() }
                try await run.waitUntilIdle()
                let crashing = ContinuousClock.now - began

                try await expectAllRight(stage, run)
                try await expectNothingHeld(stage)
                try await run.resumeAll()
                try await expectAllRight(stage, run)
                try await expectCodes(stage, run)
                try await expectQuietEnd(stage, run)
                #expect(
                    run.interrupted > Soak.crashes / 4,
                    "hardly anything ran when the service was killed: nothing was tried")
                Soak.say(
                    "\(run.crashes) crashes in \(crashing) interrupted \(run.interrupted) running transfers; "
                        + "\(run.items.count) transfers, "
                        + "all in \(ContinuousClock.now - began)")
            }
        }

        /// Waits until nothing moves any more, and compares.
        private func expectAllRight(_ stage: SoakStage, _ run: CrashRun) async throws {
            let paused = Set(run.items.filter { $0.end == .paused }.map(\.name))
            let listed = try await stage.listing(within: 180) {
                $0.allSatisfy { $0.hasEnded || paused.contains($0.name) }
            }
            stage.expectStates(run.items, listed)
            let ids = Dictionary(
                uniqueKeysWithValues: Set(listed.map(\.name)).map { name in (name, listed.first { $0.name == name }?.id)
                })
            for (name, id) in run.ids { #expect(ids[name] == id, "\(name) was acknowledged as \(id)") }
            try stage.expectFiles(run.items)
            try await stage.expectUploads(run.items)
            try await stage.expectHistory(listed)
        }

        /// A service with nothing to do holds no file of a transfer, and no more than one that has just begun.
        private func expectNothingHeld(_ stage: SoakStage) async throws {
            let pid = try #require(try await stage.servicePid())
            let folders = [stage.here, stage.folder.file("sources"), stage.folder.file("tmp")]
            let isLetGo = await becomesTrue {
                !stage.descriptors(of: pid).contains { path in folders.contains { path.hasPrefix($0) } }
            }
            #expect(isLetGo, "\(stage.descriptors(of: pid))")
            let used = stage.descriptors(of: pid).filter { !$0.hasPrefix("socket:") }
            try await stage.strikeService()
            try await stage.revive()
            let fresh = try #require(try await stage.servicePid())
            let began = stage.descriptors(of: fresh).filter { !$0.hasPrefix("socket:") }
            #expect(used.count <= began.count + 4, "\(used) after work, \(began) at the beginning")
        }

        /// `wait` says how each of them ended.
        private func expectCodes(_ stage: SoakStage, _ run: CrashRun) async throws {
            var tried: Set<SoakItem.End> = []
            for item in run.items where tried.insert(item.end).inserted {
                let said = try await stage.fileq("wait", "\(try run.id(item))")
                switch item.end {
                case .completed: #expect(said.exit == 0, "\(said)")
                case .failed(let code): #expect(said.exit == code, "\(said)")
                case .paused, .cancelled: #expect(said.exit != 0, "\(said)")
                }
            }
        }

        /// Stopped in order, it leaves no process, and comes back with the same queue.
        private func expectQuietEnd(_ stage: SoakStage, _ run: CrashRun) async throws {
            try await stage.done(["service", "stop"])
            #expect(await becomesTrue(within: 20) { stage.processes.isEmpty }, "\(stage.processes)")
            stage.expectStates(run.items, try await stage.list())
        }
    }
}
