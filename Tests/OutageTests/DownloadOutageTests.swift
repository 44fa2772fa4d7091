// SPDX-License-Identifier: MIT

import Foundation
import Glibc
import Testing
import TransferTesting

extension Outages {
    /// Downloads that lose their network: they report why they wait, and resume automatically.
    @Suite struct DownloadOutageTests {
        @Test(arguments: ServerKind.allCases) func unpluggedBeforeTheStart(_ kind: ServerKind) async throws {
            let stage = try await Stage(kind, size: 300_000)
            try stage.network.plug(false)
            let get = try await stage.get(waits: false)
            try await stage.waits(get, "lan0 is not connected")
            try stage.network.plug(true)
            try await stage.arrives(get, outages: 1)
        }

        @Test(arguments: ServerKind.allCases) func unpluggedInTheMiddle(_ kind: ServerKind) async throws {
            let stage = try await Stage(kind)
            let get = try await stage.get()
            try stage.network.plug(false)
            try await stage.waits(get, "lan0 is not connected")
            // Waiting costs nothing: the kernel counts hundredths of a second.
            let before = get.processorTime
            #expect(await !eventually(within: 3) { !get.isRunning })
            let spent = get.processorTime - before
            #expect(spent < 0.03, "\(spent) s of processor time in 3 s")
            try stage.network.plug(true)
            try await stage.arrives(get, outages: 1)
            #expect(get.events.contains { $0.name == "resumed" }, "\(get.summary)")
        }

        @Test func disabledInterface() async throws {
            let stage = try await Stage()
            let get = try await stage.get()
            try stage.network.client.set("link set lan0 down")
            try await stage.waits(get, "no network interface is up")
            try stage.network.client.set(["link set lan0 up", "route add default via \(Network.server)"])
            try await stage.arrives(get, outages: 1)
        }

        @Test func removedRoute() async throws {
            let stage = try await Stage()
            let beyond = "198.51.100.9"
            try stage.network.server.set("address add \(beyond)/32 dev lo")
            let get = try await stage.get(host: beyond)
            try stage.network.client.set("route delete default")
            try await stage.waits(get, "no route to \(beyond)")
            try stage.network.client.set("route add default via \(Network.server)")
            try await stage.arrives(get, outages: 1)
        }

        @Test func changedAddress() async throws {
            let stage = try await Stage()
            let get = try await stage.get()
            try stage.network.client.set("address delete \(Network.client)/24 dev lan0")
            try await stage.waits(get, "lan0 has no address")
            try stage.network.client.set("address add 10.77.0.9/24 dev lan0")
            try await stage.arrives(get, outages: 1)
        }

        /// The path is never seen broken, and the connection is dead all the same.
        @Test func replacedAddress() async throws {
            let stage = try await Stage()
            let get = try await stage.get()
            // The network is watched from the second second on.
            try await stage.moves(get, beyond: 1_600_000)
            try stage.network.client.set([
                "address delete \(Network.client)/24 dev lan0", "address add 10.77.0.9/24 dev lan0",
            ])
            let start = ContinuousClock.now
            try await stage.arrives(get, outages: 1)
            #expect(ContinuousClock.now - start < .seconds(30))
        }

        @Test func unpluggedTwentyTimes() async throws {
            let stage = try await Stage(size: 20 << 20)
            let get = try await stage.get()
            for number in 1...20 {
                try stage.network.plug(false)
                try await stage.waits(get, count: number, "lan0 is not connected")
                let before = get.events.last?.bytes ?? 0
                try stage.network.plug(true)
                try await stage.moves(get, beyond: before)
            }
            try await stage.arrives(get, outages: 20)
            #expect(get.events.filter { $0.name == "retrying" }.isEmpty, "\(get.summary)")
        }

        @Test func flappingPathsGetFewPackets() async throws {
            let stage = try await Stage(size: 1 << 20)
            try stage.network.plug(false)
            let get = try await stage.get(waits: false)
            try await stage.waits(get, "lan0 is not connected")
            let start = ContinuousClock.now
            var flaps = 0
            while ContinuousClock.now - start < .seconds(4) {
                try stage.network.middle.set((0..<20).flatMap { _ in ["link set near0 up", "link set near0 down"] })
                flaps += 20
            }
            let taken = try await stage.network.connectionsTaken()
            #expect(taken <= 4 + 4, "\(taken) connections in \(flaps) flaps")
            try stage.network.plug(true)
            try await stage.arrives(get, outages: flaps)
        }
    }
}
