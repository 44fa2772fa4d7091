// SPDX-License-Identifier: MIT

import Foundation
import Testing
import TransferTesting

extension Integration {
    /// Transfers by way of squid.
    @Suite(.serialized) struct ProxyTests {
        static let size = 3_000_000

        @Test(.needs(.squid, .nginx)) func transfersFilesUnchanged() async throws {
            try await Stage.with { stage in
                let server = try await stage.serve(.nginx)
                let proxy = try await stage.squid()
                // Only the proxy knows the name.
                let origin = server.origin.replacing("127.0.0.1", with: Stage.proxyName)
                try Files.fill(stage.path("sent"), Self.size)

                let put = try await stage.fileq(
                    "put", "-q", "sent", "\(origin)/there", environment: ["http_proxy": proxy.url("http")])
                #expect(put.exit == 0, "\(put)")
                #expect(Files.same(stage.path("sent"), server.file("there")))
                let get = try await stage.fileq(
                    "get", "-q", "\(origin)/there", environment: ["http_proxy": proxy.url("http")])
                #expect(get.exit == 0, "\(get)")
                #expect(Files.same(stage.path("sent"), stage.path("there")))
                // An upload of this size first asks whether the server can resume it.
                let wanted = ["OPTIONS", "PUT", "GET"].map { " \($0) \(origin)/there " }
                #expect(
                    await becomesTrue {
                        proxy.lines.count == 3 && zip(proxy.lines, wanted).allSatisfy { $0.contains($1) }
                    }, "\(proxy.lines)")
            }
        }

        @Test(.needs(.squid, .caddy)) func tunnelsTLS() async throws {
            try await Stage.with { stage in
                let server = try await stage.caddy()
                let proxy = try await stage.squid()
                try Files.fill(server.file("file"), Self.size)
                let authority = try #require(server.authority)
                let variables = ["https_proxy", "HTTPS_PROXY", "ALL_PROXY"]
                for variable in variables {
                    let outcome = try await stage.fileq(
                        "get", "-q", "-o", variable, "--cacert", authority, server.url("file"),
                        environment: [variable: proxy.url("http")])
                    #expect(outcome.exit == 0, "\(variable): \(outcome)")
                    #expect(Files.same(stage.path(variable), server.file("file")))
                }
                let port = try #require(server.origin.split(separator: ":").last)
                #expect(await becomesTrue { proxy.lines.count == variables.count }, "\(proxy.lines)")
                #expect(proxy.lines.allSatisfy { $0.contains(" CONNECT 127.0.0.1:\(port) ") }, "\(proxy.lines)")

                // The tunnel does not vouch for who is at its end.
                let other = try await stage.certificate("other")
                let refused = try await stage.fileq(
                    "get", "-q", "--cacert", other.certificate, server.url("file"),
                    environment: ["https_proxy": proxy.url("http")])
                expectComplaint(refused, 60, "certificate")
            }
        }

        @Test(.needs(.squid, .nginx)) func respectsNoProxy() async throws {
            try await Stage.with { stage in
                let server = try await stage.serve(.nginx)
                let proxy = try await stage.squid()
                try Files.fill(server.file("file"), 1000)
                for (number, exception) in ["127.0.0.1", "*", "127.0.0.0/8", "elsewhere.test, 127.0.0.1"].enumerated() {
                    let outcome = try await stage.fileq(
                        "get", "-q", "-o", "file\(number)", server.url("file"),
                        environment: ["http_proxy": proxy.url("http"), "NO_PROXY": exception])
                    #expect(outcome.exit == 0, "\(exception): \(outcome)")
                }
                // What the log has of them would stand there before this one.
                let through = try await stage.fileq(
                    "get", "-q", "-o", "other", server.url("file"),
                    environment: ["http_proxy": proxy.url("http"), "NO_PROXY": "127.0.0.2"])
                #expect(through.exit == 0, "\(through)")
                #expect(await becomesTrue { !proxy.lines.isEmpty })
                #expect(proxy.lines.count == 1, "\(proxy.lines)")
            }
        }

        @Test(.needs(.squid, .nginx), arguments: [false, true]) func answersAProxysChallenge(
            _ isSecure: Bool
        ) async throws {
            try await Stage.with { stage in
                let certificate = try await stage.certificate()
                let server = try await stage.nginx(tls: isSecure ? certificate : nil)
                let proxy = try await stage.squid(login: TestLogin())
                try Files.fill(server.file("file"), 1000)
                func get(_ address: String) async throws -> Outcome {
                    try await stage.fileq(
                        "get", "-q", "--retry", "0", "--cacert", certificate.certificate, server.url("file"),
                        environment: ["http_proxy": address, "https_proxy": address])
                }
                for address in [
                    "http://127.0.0.1:\(proxy.port)", proxy.url("http", login: TestLogin(password: "wrong")),
                ] {
                    expectComplaint(try await get(address), 67, "407")
                    #expect(stage.names.isEmpty)
                    #expect(server.lines.isEmpty, "the server receives nothing")
                }
                let outcome = try await get(proxy.url("http"))
                #expect(outcome.exit == 0, "\(outcome)")
                #expect(Files.same(stage.path("file"), server.file("file")))
                #expect(await becomesTrue { proxy.lines.contains { $0.contains(" user ") } }, "\(proxy.lines)")
            }
        }

        @Test(.needs(.squid)) func sendsTheProxyLoginToTheProxyOnly() async throws {
            try await Stage.with { stage in
                let server = try stage.replying("200 OK", body: "content")
                let proxy = try await stage.squid(login: TestLogin())
                let outcome = try await stage.fileq(
                    "get", "-q", server.url(), environment: ["http_proxy": proxy.url("http")])
                #expect(outcome.exit == 0, "\(outcome)")
                let head = try #require(server.requests.first)
                #expect(
                    field("Proxy-Authorization", of: head) == nil && field("Authorization", of: head) == nil, "\(head)")
            }
        }

        @Test(.needs(.squid)) func aProxyWithoutUpstream() async throws {
            try await Stage.with { stage in
                let proxy = try await stage.squid()
                let environment = ["http_proxy": proxy.url("http"), "https_proxy": proxy.url("http")]
                for scheme in ["http", "https"] {
                    let url = "\(scheme)://127.0.0.1:\(try freePort())/file"
                    expectComplaint(
                        try await stage.fileq("get", "-q", "--retry", "0", url, environment: environment), 22,
                        scheme == "http"
                            ? "returned 503 Service Unavailable (made by a proxy on the way, squid: ERR_CONNECT_FAIL"
                            : "503")
                }
                #expect(stage.names.isEmpty)
            }
        }
    }
}
