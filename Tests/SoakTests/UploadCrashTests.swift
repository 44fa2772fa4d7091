// SPDX-License-Identifier: MIT

import Foundation
import Glibc
import Testing
import TransferTesting

extension Soak {
    /// Uploads of the queue and of `put` by each protocol, plain ones, those of FileQ and those in parts, while the
    /// service, `put`, the server or the machine die.
    @Suite struct UploadCrashTests {
        /// Each file arrives once, and no byte is sent again that the server had confirmed.
        @Test(.timeLimit(.minutes(60)), arguments: UploadCrashCarrier.allCases)
        func confirmedBytesAreSentOnce(_ carrier: UploadCrashCarrier) async throws {
            let seed = Soak.seed &* 3 &+ 11
            let blows = carrier.blows(Soak.crashes)
            Soak.say("\(blows) blows to uploads, \(carrier.rawValue), with FILEQ_SOAK_SEED=\(Soak.seed)")
            var kinds = UploadCrashRun.Blow.allCases
            if geteuid() != 0 {
                Soak.say("only root sees another boot id: no reboots")
                kinds.removeAll { $0 == .reboot }
            }
            var random = SeededRandom(seed)
            let plan = (0..<blows).map { kinds[$0 % kinds.count] }.shuffled(using: &random)
            try await SoakStage.with { stage in
                // What is confirmed survives a power cut.
                let program = carrier == .s3 ? UploadServer.Program.s3 : .fileQ(syncs: true)
                let server = try await UploadServer(folder: TemporaryFolder(), as: program)
                do {
                    let relay = try HoldingRelay(to: server.port, newest: carrier.newest)
                    defer { relay.stop() }
                    var run = try await UploadCrashRun(
                        stage, server, relay, carrier: carrier, size: carrier.size(blows), seed: seed)
                    for blow in plan { try await run.round(blow) }
                    let listed = try await run.end()
                    try await expectAllRight(stage, run, listed)
                } catch {
                    await server.stop()
                    throw error
                }
                await server.stop()
            }
        }

        private func expectAllRight(_ stage: SoakStage, _ run: UploadCrashRun, _ listed: [Listed]) async throws {
            let ids = run.items.compactMap(\.id)
            #expect(Set(listed.map(\.id)) == Set(ids) && listed.count == ids.count, "\(listed)")
            for one in listed {
                #expect(one.state == "completed", "\(one)")
                if let name = run.carrier.protocolName {
                    #expect(one.line.contains("\"uploadProtocol\":\"\(name)\""), "\(one)")
                } else {
                    #expect(!one.line.contains("\"uploadProtocol\":\""), "\(one)")
                }
            }
            let stored = try await run.stored()
            #expect(stored.map(\.name) == run.items.map(\.name).sorted(), "other files than were sent")
            for file in stored {
                #expect(Files.same(file.path, stage.source(file.name)), "\(file.name) arrived otherwise")
            }
            let ledger = run.relay.ledger
            #expect(ledger.violations == [])
            #expect(ledger.sentAgain == 0, "confirmed bytes were sent again")
            if run.carrier == .s3 {
                // The response to a completion may have been lost: what the store has counts, and that is above.
                #expect(ledger.completed.count <= run.items.count, "completed twice: \(ledger.completed)")
                #expect(run.unfinished() == [], "not completed")
                #expect(!ledger.listedParts.isEmpty, "no attempt began with a part")
            } else {
                #expect(ledger.completed.count == run.items.count, "stored twice: \(ledger.completed)")
            }
            if run.carrier.protocolName != nil {
                #expect(ledger.stated.values.contains { $0 > 0 } && ledger.appends > run.items.count)
            }
            if run.carrier.isInParts {
                // Before content is sent, the address is stored: none is sent to another upload.
                #expect(ledger.resources.count == run.items.count * run.carrier.parts, "\(ledger.resources)")
            }
            let whole = run.items.reduce(0) { $0 + Files.size(stage.source($1.name)) }
            Soak.say(
                "\(run.carrier.rawValue): \(run.interrupted) blows, \(ledger.sent) bytes sent for \(whole), "
                    + "\(ledger.appends) appends, \(ledger.sentAgain) confirmed bytes again")
        }
    }
}
