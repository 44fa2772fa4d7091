// SPDX-License-Identifier: MIT

import Foundation
import Testing
import TransferTesting

extension Integration {
    /// Certificates of servers and clients.
    @Suite(.serialized) struct CertificateTests {
        @Test(.needs(.caddy), arguments: ["1.1", "2"]) func aChainOfThreeIsTrustedByItsRoot(
            _ version: String
        ) async throws {
            try await Stage.with { stage in
                let server = try await stage.caddy()
                try Files.fill(server.file("file"), 3_000_000)
                let outcome = try await stage.fileq(
                    "get", "--json", "--http", version, "--cacert", try #require(server.authority),
                    server.url("file"))
                #expect(outcome.exit == 0, "\(outcome)")
                #expect(Files.same(stage.path("file"), server.file("file")))
                let last = try #require(try outcome.events().last)
                #expect(
                    last.object("metrics")?["protocol"] as? String == (version == "2" ? "h2" : "http/1.1"), "\(last)")
            }
        }

        @Test(.needs(.caddy), arguments: [false, true]) func trustsOnlyTheGivenAuthority(
            _ namesAnother: Bool
        ) async throws {
            try await Stage.with { stage in
                let server = try await stage.caddy()
                try Files.fill(server.file("file"), 1000)
                let other = try await stage.certificate("other")
                let words =
                    ["get", "-q"] + (namesAnother ? ["--cacert", other.certificate] : []) + [server.url("file")]
                expectComplaint(try await stage.fileq(words), 60, "--cacert")
                #expect(stage.names.isEmpty)
                #expect(server.lines.isEmpty, "nothing was asked")
            }
        }

        @Test(.needs(.caddy)) func resumesByETag() async throws {
            try await Stage.with { stage in
                let server = try await stage.caddy()
                try Files.fill(server.file("file"), 3_000_000)
                let authority = try #require(server.authority)
                let first = try stage.startFileq([
                    "get", "-q", "--limit", "500k", "--cacert", authority, server.url("file"),
                ])
                #expect(await becomesTrue { Files.size(stage.path("file.fileq-part")) > 0 })
                first.child.send(SIGINT)
                #expect(await first.end().exit == 130)
                let second = try await stage.fileq("get", "--json", "--cacert", authority, server.url("file"))
                #expect(second.exit == 0, "\(second)")
                #expect(try #require(try second.events().last).metric("resumedFrom") ?? 0 > 0, "\(second)")
                #expect(Files.same(stage.path("file"), server.file("file")))
            }
        }

        @Test(.needs(.caddy), arguments: [TestLogin(password: "wrong"), nil, Stage.caddyLogin])
        func authenticatesAtCaddy(_ login: TestLogin?) async throws {
            try await Stage.with { stage in
                let server = try await stage.caddy(site: Stage.caddyLoginLines)
                try Files.fill(server.file("file"), 1000)
                var words = ["get", "-q", "--cacert", try #require(server.authority)]
                if let login {
                    try stage.write("\(login.password)\n", to: "password")
                    words += ["--user", login.user, "--password-file", stage.path("password")]
                }
                let outcome = try await stage.fileq(words + [server.url("file")])
                #expect(outcome.exit == (login?.password == Stage.caddyLogin.password ? 0 : 67), "\(outcome)")
                #expect(stage.exists("file") == (outcome.exit == 0))
            }
        }

        /// A server that asks for a client's certificate. fileq has none to show, and curl shows that the server would
        /// take one.
        @Test(.needs(.nginx)) func aServerDemandingAClientCertificate() async throws {
            try await Stage.with { stage in
                let (own, client) = (try await stage.certificate(), try await stage.clientCertificate())
                let server = try await stage.nginx(tls: own, server: client.nginxLines)
                try Files.fill(server.file("file"), 1000)
                let welcome = try await stage.shell(
                    """
                    curl -sS --fail --cacert '\(own.certificate)' --cert '\(client.certificate)' --key '\(client.key)' \
                    -o '\(stage.aside("fetched"))' '\(server.url("file"))'
                    """)
                #expect(welcome.exit == 0, "\(welcome)")
                #expect(Files.same(stage.aside("fetched"), server.file("file")))
                expectComplaint(
                    try await stage.fileq("get", "-q", "--cacert", own.certificate, server.url("file")), 22, "400")
            }
        }
    }
}
