// SPDX-License-Identifier: MIT

import Foundation
import Testing
import TransferTesting

extension Integration {
    /// `fileq ls` at servers that nobody here wrote: a tree of odd names, whose names and sizes are compared.
    @Suite struct ListingTests {
        @Test(.needs(.nginx, .nginxDAV)) func ofNginx() async throws {
            try await list("nginx", "nginx rounded", "nginx json", "nginx dav")
        }

        @Test(.needs(.apache2)) func ofApache() async throws {
            try await list("apache2 list", "apache2 fancy", "apache2 table", "apache2 dav")
        }

        @Test(.needs(.lighttpd, .caddy, .h2o)) func ofOthers() async throws {
            try await list("lighttpd", "caddy", "h2o", "python", "fileq", "silent")
        }

        @Test(.needs(.places)) func ofPlaces() async throws {
            try await list("wsgidav", "wsgidav dav", "copyparty", "rclone webdav", "rclone http")
        }

        /// Every signature is compared with that of botocore.
        @Test(.needs(.moto)) func ofAStore() async throws { try await list("moto") }

        private func list(_ servers: String...) async throws {
            try await Stage.with { stage in
                let path = ServerProgram.package.appending(path: "Tests/listings/client.py").path
                let words = servers.map { " --server '\($0)'" }.joined()
                let environments = [("--places", ServerProgram.places.path), ("--s3-python", ServerProgram.moto.path)]
                    .compactMap { option, python in python.map { " \(option) '\($0)'" } }.joined()
                let outcome = try await stage.shell(
                    "timeout -s KILL 290 python3 '\(path)' \"$FILEQ\" '\(stage.path("listed"))'\(words)\(environments)",
                    within: 300)
                #expect(outcome.exit == 0 && outcome.text.contains("\nok"), "\(outcome)")
            }
        }
    }
}
