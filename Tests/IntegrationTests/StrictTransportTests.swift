// SPDX-License-Identifier: MIT

import Foundation
import Testing
import TransferTesting

extension Integration {
    /// Hosts that demand https (HSTS, RFC 6797), from one run of the program to the next.
    @Suite(.serialized) struct StrictTransportTests {
        private static let demand = ["add_header Strict-Transport-Security \"max-age=3600\" always;"]

        /// Addresses cannot demand it, names can.
        private func url(_ server: RealServer, _ name: String, scheme: String = "http") -> String {
            server.url(name).replacing("https://127.0.0.1", with: "\(scheme)://localhost")
        }

        @Test(.needs(.nginx)) func laterRunsUseHTTPS() async throws {
            try await Stage.with { stage in
                let tls = try await stage.certificate()
                let server = try await stage.nginx(tls: tls, location: Self.demand)
                try Files.fill(server.file("file"), 10_000)
                let (plain, secure) = (url(server, "file"), url(server, "file", scheme: "https"))
                let words = ["get", "--json", "--overwrite", "--cacert", tls.certificate]

                // Not known yet: the port that speaks TLS refuses what is no TLS.
                #expect(try await stage.fileq(words + [plain]).exit == 22)
                #expect(try await stage.fileq(words + [secure]).exit == 0)
                let file = "\(stage.home)/hsts.txt"
                #expect(Files.exists(file) && Files.mode(file) == 0o600)

                let known = try await stage.fileq(words + [plain])
                #expect(known.exit == 0, "\(known)")
                let metrics = try #require(try known.events().last?.object("metrics"))
                let asked = (metrics["transactions"] as? [[String: Any]])?.map { $0["url"] as? String }
                #expect(asked == [secure], "\(known)")
                #expect(Files.same(stage.path("file"), server.file("file")))
            }
        }

        @Test(.needs(.nginx)) func uploadsUseHTTPS() async throws {
            try await Stage.with { stage in
                let tls = try await stage.certificate()
                let server = try await stage.nginx(tls: tls, location: Self.demand)
                try Files.fill(server.file("file"), 10)
                #expect(
                    try await stage.fileq(
                        "get", "-q", "--cacert", tls.certificate, url(server, "file", scheme: "https")
                    ).exit == 0)
                try Files.fill(stage.path("sent"), 10_000)
                let sent = try await stage.fileq("put", "-q", "--cacert", tls.certificate, "sent", url(server, "sent"))
                #expect(sent.exit == 0, "\(sent)")
                #expect(Files.same(stage.path("sent"), server.file("sent")))
            }
        }

        @Test(.needs(.nginx)) func theServiceStoresAndAppliesHSTS() async throws {
            try await Stage.withService { stage in
                let tls = try await stage.certificate()
                let server = try await stage.nginx(tls: tls, location: Self.demand)
                for name in ["a", "b"] { try Files.fill(server.file(name), 10_000) }
                func finish(_ url: String) async throws -> Int32 {
                    let added = try await stage.fileq("add", "get", "--cacert", tls.certificate, url)
                    try #require(added.exit == 0, "\(added)")
                    return try await stage.fileq("wait", added.text.filter(\.isNumber)).exit
                }
                #expect(try await finish(url(server, "a", scheme: "https")) == 0)
                #expect(await becomesTrue { Files.exists("\(stage.home)/hsts.txt") })
                #expect(try await finish(url(server, "b")) == 0)
                #expect(Files.same(stage.path("b"), server.file("b")))
            }
        }
    }
}
