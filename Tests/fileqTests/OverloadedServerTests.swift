// SPDX-License-Identifier: MIT

import Glibc
import Testing
import TransferModel
import TransferTesting

@testable import fileq

/// The server of the demonstration that lets a transfer try again.
struct OverloadedServerTests {
    private func response(_ port: Int, _ path: String = "/a%20b.bin", _ header: String = "") throws -> String {
        let connection = connectLoopback(port)
        try #require(connection >= 0)
        defer { close(connection) }
        let request = Array("GET \(path) HTTP/1.1\r\nHost: 127.0.0.1\r\n\(header)\r\n".utf8)
        #expect(send(connection, request, request.count, Int32(MSG_NOSIGNAL)) == request.count)
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 4096)
        while true {
            let count = recv(connection, &buffer, 4096, 0)
            guard count > 0 else { return String(decoding: bytes, as: UTF8.self) }
            bytes += buffer.prefix(count)
        }
    }

    @Test func isOverloadedOnceAndThenRedirects() throws {
        let server = try OverloadedServer(for: 8, insteadOf: "http://127.0.0.1:1")
        defer { server.stop() }
        #expect(try response(server.port).hasPrefix("HTTP/1.1 503 Service Unavailable\r\nRetry-After: 8\r\n"))
        #expect(try response(server.port).contains("\r\nLocation: http://127.0.0.1:1/a%20b.bin\r\n"))
    }

    @Test func aPartOfItNeedsALogin() throws {
        let server = try OverloadedServer(for: 8, insteadOf: "http://127.0.0.1:1")
        defer { server.stop() }
        #expect(try response(server.port, "/private/a.pdf").hasPrefix("HTTP/1.1 401 Unauthorized\r\n"))
        let open = try response(server.port, "/private/a.pdf", "Authorization: Basic YTpi\r\n")
        #expect(open.contains("\r\nLocation: http://127.0.0.1:1/a.pdf\r\n"))
    }
}

struct DemoStageTests {
    /// One in each state; without a terminal there are only those whose bytes are compared.
    @Test func theScreenHasFurtherTransfers() throws {
        let stage = try DemoStage()
        defer { stage.remove() }
        let extras = try stage.extras(
            at: "http://127.0.0.1:1", overloaded: "http://127.0.0.1:2", untrusted: "https://127.0.0.1:3")
        #expect(
            extras.now.map(\.url.string) == [
                "http://127.0.0.1:1/missing.bin", "http://127.0.0.1:1/disk.iso",
                "http://127.0.0.1:2/busy-mirror.tar.gz", "http://127.0.0.1:2/private/manual.pdf",
                "https://127.0.0.1:3/src.tar.gz", "http://127.0.0.1:1/phone-photos.zip",
            ])
        #expect(extras.later.map(\.url.string) == ["http://127.0.0.1:1/nightly.tar.gz"])
        #expect(extras.paused.count == 2)
        #expect(try stage.transfers(at: "http://127.0.0.1:1").count == 8)
    }
}
