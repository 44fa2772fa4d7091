// SPDX-License-Identifier: MIT

import Foundation
import Testing
import TransferTesting

extension Integration {
    /// Whole files, there and back, byte for byte.
    @Suite(.serialized) struct ByteTests {
        static let ways: [(ServerKind, Bool)] = ServerKind.present.flatMap { [($0, false), ($0, true)] }

        @Test(arguments: ways) func transfersLargeFilesUnchanged(_ kind: ServerKind, isSecure: Bool) async throws {
            try await Stage.with { stage in
                let tls = isSecure ? try await stage.certificate() : nil
                let server = try await stage.serve(kind, tls: tls)
                let trust = tls.map { ["--cacert", $0.certificate] } ?? []
                try Files.fill(server.file("big.bin"))

                let got = try await stage.fileq(["get", server.url("big.bin")] + trust)
                #expect(got.exit == 0, "\(got)")
                #expect(Files.same(stage.path("big.bin"), server.file("big.bin")))
                #expect(stage.names == ["big.bin"])

                let sent = try await stage.fileq(["put", "big.bin", server.url("copy.bin")] + trust)
                #expect(sent.exit == 0, "\(sent)")
                #expect(Files.same(stage.path("big.bin"), server.file("copy.bin")))
            }
        }

        @Test(.needs(.nginx))
        func nginxIsAmongTheServers() { #expect(ServerKind.present == [.nginx, .fileq]) }

        @Test(arguments: ServerKind.present) func transfersEmptyAndSmallFiles(_ kind: ServerKind) async throws {
            try await Stage.with { stage in
                let server = try await stage.serve(kind)
                for count in [0, 1, 4096] {
                    try Files.fill(stage.path("file"), count)
                    let sent = try await stage.fileq("put", "file", server.url("there-\(count)"))
                    #expect(sent.exit == 0, "\(sent)")
                    let got = try await stage.fileq("get", server.url("there-\(count)"))
                    #expect(got.exit == 0, "\(got)")
                    #expect(Files.same(stage.path("there-\(count)"), stage.path("file")), "\(count) bytes")
                }
            }
        }

        @Test(arguments: ServerKind.present) func keepsTheServersTime(_ kind: ServerKind) async throws {
            try await Stage.with { stage in
                let server = try await stage.serve(kind)
                try Files.fill(server.file("old"), 10)
                let made = try await stage.shell("touch -d @1000000000 '\(server.file("old"))'")
                #expect(made.exit == 0)
                #expect(try await stage.fileq("get", server.url("old")).exit == 0)
                #expect(FileTimes.modified(stage.path("old")) == 1_000_000_000)
            }
        }
    }

    /// Who is believed to be the server.
    @Suite(.serialized) struct TrustTests {
        @Test(arguments: ServerKind.present) func rejectsACertificateOfAnotherAuthority(
            _ kind: ServerKind
        ) async throws {
            try await Stage.with { stage in
                let (own, other) = (try await stage.certificate(), try await stage.certificate("other"))
                let server = try await stage.serve(kind, tls: own)
                try Files.fill(server.file("file"), 1000)
                for trust in [[], ["--cacert", other.certificate]] {
                    let refused = try await stage.fileq(["get", "-q", server.url("file")] + trust)
                    expectComplaint(refused, 60, "127.0.0.1")
                    #expect(stage.names == [])
                }
            }
        }

        @Test(arguments: ServerKind.present) func enforcesPins(_ kind: ServerKind) async throws {
            try await Stage.with { stage in
                let (own, other) = (try await stage.certificate(), try await stage.certificate("other"))
                let server = try await stage.serve(kind, tls: own)
                try Files.fill(server.file("file"), 1000)
                let trust = ["--cacert", own.certificate, "-q", server.url("file")]

                let wrong = try await stage.fileq(["get", "--pin", other.pin] + trust)
                expectComplaint(wrong, 90, "pinned")
                #expect(stage.names == [])

                let right = try await stage.fileq(["get", "--pin", other.pin, "--pin", own.pin] + trust)
                #expect(right.exit == 0, "\(right)")
                #expect(Files.same(stage.path("file"), server.file("file")))
            }
        }

        @Test func aPinDoesNotReplaceTheAuthority() async throws {
            try await Stage.with { stage in
                let own = try await stage.certificate()
                let server = try await stage.serve(.fileq, tls: own)
                try Files.fill(server.file("file"), 1000)
                expectComplaint(
                    try await stage.fileq("get", "-q", "--pin", own.pin, server.url("file")), 60, "127.0.0.1")
            }
        }
    }
}
