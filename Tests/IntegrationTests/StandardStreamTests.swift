// SPDX-License-Identifier: MIT

import Foundation
import Testing
import TransferTesting

extension Integration {
    /// Standard streams that are closed.
    @Suite(.serialized) struct StandardStreamTests {
        @Test func aClosedStandardOutputIsAnError() async throws {
            try await Stage.with { stage in
                let server = try stage.replying("200 OK", body: "content")
                let outcome = try await stage.shell("\"$FILEQ\" get -q -o - '\(server.url())' >&-", within: 30)
                expectComplaint(outcome, 23, "bad file descriptor")
            }
        }

        @Test func aClosedStandardInputIsAnError() async throws {
            try await Stage.with { stage in
                let server = try await stage.serve(.fileq)
                let outcome = try await stage.shell("\"$FILEQ\" put -q - '\(server.url("there"))' <&-", within: 30)
                expectComplaint(outcome, 26, "bad file descriptor")
                #expect(!Files.exists(server.file("there")))
            }
        }

        /// None of the numbers 0 to 2 goes to another descriptor, such as that of the partial file.
        @Test func transfersWithoutStandardStreams() async throws {
            try await Stage.with { stage in
                let server = try stage.replying("200 OK", body: "content")
                let outcome = try await stage.shell("\"$FILEQ\" get '\(server.url())' <&- >&- 2>&-", within: 30)
                #expect(outcome.exit == 0, "\(outcome)")
                #expect(stage.text("file") == "content")
                #expect(stage.names == ["file"])
            }
        }
    }
}
