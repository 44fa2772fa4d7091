// SPDX-License-Identifier: MIT

import Foundation
import Glibc
import Testing
import TransferTesting

extension Integration {
    /// Which server receives which secret.
    @Suite(.serialized) struct CredentialTests {
        /// `user:secret`, as Basic carries it.
        static let basic = "Basic dXNlcjpzZWNyZXQ="

        static let logins = ["netrc", "password-file", "url"]

        @Test(.needs(.nginx), arguments: logins)
        func authenticatesAtNginx(_ login: String) async throws {
            try await Stage.with { stage in
                let users = try await stage.passwords(TestLogin(), to: stage.aside("users"))
                let server = try await stage.serve(.nginx, ["auth_basic \"here\";", "auth_basic_user_file \(users);"])
                try Files.fill(server.file("file"), 1000)

                expectComplaint(try await stage.fileq("get", "-q", server.url("file")), 67, "401")
                #expect(stage.names == [])

                for (password, exit) in [("wrong", Int32(67)), ("secret", 0)] {
                    var words = ["get", "-q"]
                    var environment: [String: String] = [:]
                    var url = server.url("file")
                    switch login {
                    case "netrc":
                        environment["NETRC"] = stage.aside("netrc")
                        try Data("machine 127.0.0.1 login user password \(password)\n".utf8).write(
                            to: URL(fileURLWithPath: stage.aside("netrc")))
                    case "password-file":
                        try Data("\(password)\n".utf8).write(to: URL(fileURLWithPath: stage.aside("password")))
                        chmod(stage.aside("password"), 0o600)
                        words += ["--user", "user", "--password-file", stage.aside("password")]
                    default: url = url.replacing("http://", with: "http://user:\(password)@")
                    }
                    let outcome = try await stage.fileq(words + [url], environment: environment)
                    #expect(outcome.exit == exit, "\(password): \(outcome)")
                    #expect(stage.names == (exit == 0 ? ["file"] : []))
                }
                #expect(Files.same(stage.path("file"), server.file("file")))
            }
        }

        @Test func usesTheServersToken() async throws {
            try await Stage.with { stage in
                try stage.write("t0ken\n", to: "token")
                try stage.write("Authorization: Bearer t0ken\n", to: "header")
                try stage.write("content", to: "file")
                let server = try await stage.serve(.fileq, ["--token-file", stage.path("token")])
                expectComplaint(
                    try await stage.fileq("put", "-q", "file", server.url("there")), 67, "--token-file FILE")
                expectComplaint(
                    try await stage.fileq("put", "-q", "--token-file", "file", "file", server.url("there")), 67,
                    "check the token")
                for words in [
                    ["-H", "@header"], ["--token-file", "token"], ["--user", "any", "--password-file", "token"],
                ] {
                    let outcome = try await stage.fileq(["put", "-q"] + words + ["file", server.url("there")])
                    #expect(outcome.exit == 0, "\(words): \(outcome)")
                    #expect(Files.same(stage.path("file"), server.file("there")))
                    #expect(throws: Never.self) { try FileManager.default.removeItem(atPath: server.file("there")) }
                }
            }
        }

        @Test func writesAndReadsAPrivateJar() async throws {
            try await Stage.with { stage in
                let server = try stage.replying("200 OK", ["Set-Cookie: crumb=one; Path=/; Max-Age=3600"], body: "x")
                for name in ["first", "second"] {
                    let outcome = try await stage.fileq("get", "-q", "--cookie-jar", "jar", server.url("/\(name)"))
                    #expect(outcome.exit == 0, "\(outcome)")
                }
                #expect(Files.mode(stage.path("jar")) == 0o600)
                #expect(stage.text("jar")?.contains("crumb\tone") == true)
                #expect(field("Cookie", of: server.requests[0]) == nil)
                #expect(field("Cookie", of: server.requests[1]) == "crumb=one")
                #expect(stage.names == ["first", "jar", "second"])
            }
        }

        @Test func sendsTheAbsoluteFormToAProxy() async throws {
            try await Stage.with { stage in
                let proxy = try stage.replying("200 OK", body: "through the proxy")
                let outcome = try await stage.fileq(
                    "get", "-q", "http://files.invalid/a/file?x=1",
                    environment: ["http_proxy": proxy.url("")])
                #expect(outcome.exit == 0, "\(outcome)")
                #expect(stage.text("file") == "through the proxy")
                #expect(proxy.requests.first?.hasPrefix("GET http://files.invalid/a/file?x=1 HTTP/1.1") == true)

                let around = try await stage.fileq(
                    "get", "-q", "-o", "other", proxy.url("/direct"),
                    environment: ["http_proxy": "http://127.0.0.1:1", "NO_PROXY": "127.0.0.1"])
                #expect(around.exit == 0, "\(around)")
                #expect(proxy.requests.last?.hasPrefix("GET /direct") == true)
            }
        }

        @Test func aProxyWithAMissingName() async throws {
            try await Stage.with { stage in
                expectComplaint(
                    try await stage.fileq(
                        "get", "-q", "--retry", "0", "http://files.invalid/file",
                        environment: ["http_proxy": "http://nonexistent.invalid:3128"]), 5, "proxy")
            }
        }

        /// A redirect within one server takes credentials along; one to another origin takes none.
        @Test func redirectsElsewhereCarryNoSecret() async throws {
            try await Stage.with { stage in
                try stage.write("secret\n", to: "password")
                try stage.write("X-Api-Key: k3y\n", to: "header")
                let other = try stage.replying("200 OK", body: "content")
                let target = other.url("/file")
                let server = try stage.server { connection, _ in
                    while let head = connection.readHead() {
                        if field("Authorization", of: head) == nil {
                            connection.answer("401 Unauthorized", ["WWW-Authenticate: Basic realm=\"here\""])
                        } else {
                            connection.answer(
                                "302 Found", ["Location: \(head.hasPrefix("GET /start") ? "/again" : target)"])
                        }
                    }
                }
                let outcome = try await stage.fileq(
                    "get", "-q", "--user", "user", "--password-file", "password", "-b", "a=b", "--sid", "s",
                    "-H", "@header", "-o", "file", server.url("/start"))
                #expect(outcome.exit == 0, "\(outcome)")
                #expect(stage.text("file") == "content")
                #expect(server.requests.map { field("Authorization", of: $0) } == [nil, Self.basic, Self.basic])
                for head in server.requests { #expect(field("Cookie", of: head)?.contains("a=b") == true) }
                let head = try #require(other.requests.first)
                #expect(field("Authorization", of: head) == nil)
                #expect(field("Cookie", of: head) == nil)
                #expect(field("X-Api-Key", of: head) == nil)
            }
        }
    }
}
