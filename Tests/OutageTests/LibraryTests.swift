// SPDX-License-Identifier: MIT

import Foundation
import Testing
import TransferTesting

extension Outages {
    /// A program that has a ready-made session of the library, and nothing else of ours.
    @Suite struct LibraryTests {
        private static let beyond = "198.51.100.9"

        private func probe(_ stage: Stage, _ options: [String], host: String = Network.server) throws -> Program {
            let words = ["get", "http://\(host)/file", stage.folder.file("got")] + options
            return try Program(stage.network.client.words(for: Program.built("SessionProbe"), words), in: stage.folder)
        }

        private func arrived(_ probe: Program, _ stage: Stage) async {
            #expect(await probe.end(within: 60) == 0, "\(probe.text)\(probe.complaints)")
            #expect(
                FileManager.default.contentsEqual(
                    atPath: stage.folder.file("got"), andPath: stage.folder.file("root/file")))
        }

        @Test func waitsForANetworkAndResumes() async throws {
            let stage = try await Stage(size: 300_000)
            try stage.network.client.set("link set lan0 down")
            let probe = try probe(stage, ["--wait"])
            #expect(await eventually(within: 30) { probe.lines.contains { $0.hasPrefix("waiting ") } }, "\(probe.text)")
            #expect(probe.isRunning && probe.lines.filter { $0 == "waits" }.count == 1, "\(probe.text)")
            try stage.network.client.set(["link set lan0 up", "route replace default via \(Network.server)"])
            await arrived(probe, stage)
            #expect(probe.lines.last == "done" && probe.lines.contains("continues"), "\(probe.text)")
        }

        @Test func failsWithTheReasonWithoutWaitingForANetwork() async throws {
            let stage = try await Stage(size: 1000)
            try stage.network.client.set("link set lan0 down")
            let probe = try probe(stage, [])
            #expect(await probe.end(within: 60) == 1)
            #expect(probe.text.contains("(no network interface is up)"), "\(probe.text)")
        }

        @Test(arguments: ["cellular", "expensive", "constrained"]) func doesNotUseARestrictedNetwork(
            _ trait: String
        ) async throws {
            let stage = try await Stage(size: 300_000)
            try stage.network.server.set("address add \(Self.beyond)/32 dev lo")
            let before = try await stage.network.connectionsTaken()
            let probe = try probe(stage, ["--wait", "--no", trait, "--mark", "lan0", trait], host: Self.beyond)
            let article = trait == "expensive" ? "an" : "a"
            #expect(
                await eventually(within: 30) {
                    probe.lines.contains("waiting only \(article) \(trait) network (lan0) is up")
                }, "\(probe.text)")
            #expect(try await stage.network.connectionsTaken() == before)
            try stage.network.plugInSecond()
            await arrived(probe, stage)
        }

        @Test(arguments: ["cellular", "expensive", "constrained"]) func usesAnAllowedNetwork(
            _ trait: String
        ) async throws {
            let stage = try await Stage(size: 1000)
            let probe = try probe(stage, ["--mark", "lan0", trait])
            await arrived(probe, stage)
        }
    }
}
