// SPDX-License-Identifier: MIT

import Foundation
import Testing
import TransferTesting

extension Outages {
    /// Uploads whose network goes: the connection outlives it, or the upload begins again.
    @Suite struct UploadOutageTests {
        @Test(arguments: ServerKind.allCases) func unpluggedCable(_ kind: ServerKind) async throws {
            let stage = try await Stage(kind, size: 2 << 20)
            let put = try await stage.put()
            try stage.network.plug(false)
            try await stage.waits(put, "lan0 is not connected")
            try stage.network.plug(true)
            try await stage.sentArrives(put)
        }

        @Test func connectionBreaksDuringAWait() async throws {
            let stage = try await Stage(size: 2 << 20)
            let put = try await stage.put()
            try stage.network.plug(false)
            try await stage.waits(put, "lan0 is not connected")
            // The server no longer knows the connection when the client is reachable again.
            _ = try await Program.output(
                stage.network.server.words(for: "/bin/sh", ["-c", "ss -K src \(Network.server) || true"]))
            try stage.network.plug(true)
            try await stage.sentArrives(put)
        }
    }
}
