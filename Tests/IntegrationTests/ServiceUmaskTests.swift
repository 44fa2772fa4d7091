// SPDX-License-Identifier: MIT

import Testing
import TransferTesting

extension Integration {
    /// Permissions of what the background service downloads.
    @Suite struct ServiceUmaskTests {
        @Test func downloadsFollowTheUmaskOfTheirCommand() async throws {
            try await Stage.withService { stage in
                let server = try stage.server { connection, _ in
                    while connection.readHead() != nil {
                        connection.answer("200 OK", ["ETag: \"1\""], body: [1, 2, 3])
                    }
                }
                // The first command starts the service, which has its umask.
                for mask in ["022", "077", "002"] {
                    let added = try await stage.shell(
                        "umask \(mask); $FILEQ add get -o '\(stage.path(mask))' \(server.url("/\(mask)"))")
                    #expect(added.exit == 0, "\(added)")
                }
                let end = try await stage.fileq("wait", "--all")
                #expect(end.exit == 0, "\(end)")
                #expect(Files.mode(stage.path("022")) == 0o644)
                #expect(Files.mode(stage.path("077")) == 0o600)
                #expect(Files.mode(stage.path("002")) == 0o664)
            }
        }
    }
}
