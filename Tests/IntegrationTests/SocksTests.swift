// SPDX-License-Identifier: MIT

import Foundation
import Testing
import TransferTesting

extension Integration {
    /// Transfers by way of a SOCKS5 proxy.
    @Suite(.serialized) struct SocksTests {
        static let size = 3_000_000

        @Test(.needs(.microsocks, .nssWrapper, .nginx), arguments: [nil, "secret"])
        func transfersFilesUnchanged(_ password: String?) async throws {
            try await Stage.with { stage in
                let server = try await stage.serve(.nginx)
                let proxy = try await stage.socks(login: password.map { TestLogin(password: $0) })
                try Files.fill(stage.path("sent"), Self.size)
                let environment = ["ALL_PROXY": proxy.url("socks5h")]
                let put = try await stage.fileq("put", "-q", "sent", server.url("there"), environment: environment)
                #expect(put.exit == 0, "\(put)")
                #expect(Files.same(stage.path("sent"), server.file("there")))
                let get = try await stage.fileq("get", "-q", server.url("there"), environment: environment)
                #expect(get.exit == 0, "\(get)")
                #expect(Files.same(stage.path("sent"), stage.path("there")))
                // The question whether uploads can resume has a connection of its own.
                #expect(proxy.lines.count == 3, "\(proxy.lines)")
            }
        }

        @Test(.needs(.microsocks, .nssWrapper, .caddy)) func verifiesTLSBehindAProxy() async throws {
            try await Stage.with { stage in
                let server = try await stage.caddy()
                let proxy = try await stage.socks()
                try Files.fill(server.file("file"), Self.size)
                let environment = ["ALL_PROXY": proxy.url("socks5h")]
                expectComplaint(
                    try await stage.fileq("get", "-q", server.url("file"), environment: environment), 60, "certificate")
                let outcome = try await stage.fileq(
                    "get", "-q", "--cacert", try #require(server.authority), server.url("file"),
                    environment: environment)
                #expect(outcome.exit == 0, "\(outcome)")
                #expect(Files.same(stage.path("file"), server.file("file")))
            }
        }

        @Test(.needs(.microsocks, .nssWrapper, .nginx), arguments: [TestLogin(password: "wrong"), nil])
        func wrongLoginsFail(_ login: TestLogin?) async throws {
            try await Stage.with { stage in
                let server = try await stage.serve(.nginx)
                let proxy = try await stage.socks(login: TestLogin())
                try Files.fill(server.file("file"), 1000)
                let address = login.map { proxy.url("socks5h", login: $0) } ?? "socks5h://127.0.0.1:\(proxy.port)"
                let outcome = try await stage.fileq(
                    "get", "-q", "--retry", "0", server.url("file"), environment: ["ALL_PROXY": address])
                expectComplaint(outcome, 67, "the proxy socks5h://127.0.0.1:\(proxy.port)")
                #expect(!outcome.complaints.contains("wrong"))
                #expect(server.lines.isEmpty && stage.names.isEmpty)
            }
        }

        @Test(.needs(.microsocks, .nssWrapper)) func aProxyWithoutUpstream() async throws {
            try await Stage.with { stage in
                let proxy = try await stage.socks()
                let outcome = try await stage.fileq(
                    "get", "-q", "--retry", "0", "http://127.0.0.1:\(try freePort())/file",
                    environment: ["ALL_PROXY": proxy.url("socks5")])
                expectComplaint(
                    outcome, 7, "the proxy socks5://127.0.0.1:\(proxy.port) could not connect to 127.0.0.1:")
            }
        }

        @Test(arguments: ["socks5", "socks5h", "http"]) func aProxyWithAnUnknownName(_ scheme: String) async throws {
            try await Stage.with { stage in
                let outcome = try await stage.fileq(
                    "get", "-q", "--retry", "0", "http://127.0.0.1:1/file",
                    environment: ["http_proxy": "\(scheme)://proxy.invalid:1"])
                expectComplaint(outcome, 5, "the proxy \(scheme)://proxy.invalid:1")
            }
        }

        /// With `socks5h` the name goes to the proxy as it is, and the resolver of this side is never asked for it.
        /// With `socks5` it is, which shows that asking would be seen.
        @Test(.needs(.microsocks, .nssWrapper, .nginx), arguments: ["socks5h", "socks5"])
        func resolvesNamesAtTheProxy(_ scheme: String) async throws {
            try await Stage.with { stage in
                let server = try await stage.serve(.nginx)
                let proxy = try await stage.socks()
                try Files.fill(server.file("file"), 1000)
                let port = try #require(server.origin.split(separator: ":").last)
                let resolver = [
                    "LD_PRELOAD": try ServerProgram.nssWrapper.required(), "NSS_WRAPPER_HOSTS": "/dev/null",
                    "NSS_WRAPPER_DEBUGLEVEL": "3",
                ]
                let outcome = try await stage.fileq(
                    "get", "-q", "--retry", "0", "http://\(Stage.proxyName):\(port)/file",
                    environment: resolver.merging(["ALL_PROXY": proxy.url(scheme)]) { $1 })
                let question = "Searching for name: \(Stage.proxyName)"
                if scheme == "socks5h" {
                    #expect(outcome.exit == 0, "\(outcome)")
                    #expect(Files.same(stage.path("file"), server.file("file")))
                    #expect(!outcome.complaints.contains(question), "\(outcome)")
                    #expect(
                        proxy.lines.contains { $0.contains("connected to \(Stage.proxyName):\(port)") },
                        "\(proxy.lines)")
                } else {
                    #expect(outcome.exit == 6, "\(outcome)")
                    #expect(
                        outcome.complaints.contains(
                            "\(Stage.proxyName):\(port): the host's name could not be resolved"), "\(outcome)")
                    #expect(outcome.complaints.contains(question), "\(outcome)")
                    #expect(proxy.lines.isEmpty, "\(proxy.lines)")
                }
            }
        }
    }
}
