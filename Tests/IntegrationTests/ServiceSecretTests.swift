// SPDX-License-Identifier: MIT

import Foundation
import Testing
import TransferTesting

extension Integration {
    /// Planted secrets are sent to the server, and are found in `credentials.json` alone.
    @Suite(.serialized) struct ServiceSecretTests {
        @Test func secretsStayInTheirFile() async throws {
            try await Stage.withService { stage in
                let server = try stage.replying("403 Forbidden", body: "no")
                let password = try stage.write("planted-password\n", to: "password")
                let sid = try stage.write("planted-sid\n", to: "sid")
                try stage.write("content", to: "file")
                let secrets = [
                    "-H", "X-Key: planted-header", "-b", "a=planted-cookie", "-e", "http://page.test/planted-referer",
                ]
                let address = server.url("/a").replacing("http://", with: "http://planted-user:planted-url@")
                let get = try await stage.fileq(["add", "get", "-o", "out", "--retry", "0"] + secrets + [address])
                #expect(get.exit == 0, "\(get)")
                let put = try await stage.fileq(
                    ["add", "put", "--retry", "0", "--user", "me", "--password-file", password, "--sid-file", sid]
                        + secrets + ["file", server.url("/in")])
                #expect(put.exit == 0, "\(put)")
                _ = try await stage.fileq("wait", "1", "2")
                #expect(server.requests.contains { $0.contains("planted-header") && $0.contains("planted-referer") })

                var said = get.text + put.text
                for words in [
                    ["list"], ["list", "--json"], ["info", "1"], ["info", "--json", "2"], ["history", "--json"],
                    ["service", "status", "--json"],
                    ["logs"],
                ] {
                    let outcome = try await stage.fileq(words)
                    said += outcome.text + outcome.complaints
                }
                #expect(said.contains("403"))
                #expect(!said.contains("planted"))
                let state = stage.aside("state")
                var found: [String] = []
                for name in try FileManager.default.subpathsOfDirectory(atPath: state) {
                    guard let bytes = FileManager.default.contents(atPath: "\(state)/\(name)") else { continue }
                    if bytes.range(of: Data("planted".utf8)) != nil {
                        found.append(String(name.split(separator: "/").last ?? ""))
                    }
                }
                #expect(found == ["credentials.json"])
            }
        }
    }
}
