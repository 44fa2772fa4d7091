// SPDX-License-Identifier: MIT

import FileServer
import Foundation
import Glibc
import Testing
import TransferTesting

/// Bodies whose end or form is not what this server can keep: nothing is stored, nothing is replaced.
struct FramingTests {
    @Test(arguments: [
        ("Content-Length: 9223372036854775808", 413), ("Content-Length: 18446744073709551615", 413),
        ("Content-Length: 18446744073709551616", 400), ("Content-Length: 9223372036854775807", 507),
        ("Transfer-Encoding: gzip, chunked", 501), ("Transfer-Encoding: GZIP,Chunked", 501),
        ("Transfer-Encoding: x\r\nTransfer-Encoding: chunked", 501),
        ("Transfer-Encoding: identity, chunked", 400), ("Transfer-Encoding: identity", 400),
        ("Transfer-Encoding: chunked, chunked", 400),
    ])
    func isRejectedAndReplacesNothing(fields: String, status: Int) async throws {
        try await ServedFolder.with({ configuration, _ in configuration.limits.drainSeconds = 0.1 }) {
            (folder) async throws in
            try folder.write("x", "old")
            let raw = try RawConnection(port: folder.server.port)
            await raw.send("PUT /x HTTP/1.1\r\nHost: localhost\r\n\(fields)\r\n\r\n4\r\nabcd\r\n0\r\n\r\n")
            let response = await raw.receive()
            #expect(response.hasPrefix("HTTP/1.1 \(status) "), "\(response)")
            // What follows is no second request of this connection.
            #expect(response.components(separatedBy: "HTTP/1.1 ").count == 2)
            #expect(try folder.content("x") == "old")
            #expect(try folder.partials().isEmpty)
        }
    }

    @Test func chunksBelongToHTTP11() async throws {
        try await ServedFolder.with { (folder) async throws in
            let raw = try RawConnection(port: folder.server.port)
            await raw.send(
                "PUT /x HTTP/1.0\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nabcd\r\n0\r\n\r\n")
            #expect(await raw.receive().hasPrefix("HTTP/1.1 400"))
            #expect(try folder.tree().isEmpty)
        }
    }

    /// RFC 9110, section 15.2, and RFC 9112, section 9.3: its client waits for the end of the connection.
    @Test(arguments: ["", "Connection: keep-alive\r\n"])
    func anHTTP10ClientGetsNoInterimResponsesAndTheEndOfTheConnection(fields: String) async throws {
        try await ServedFolder.with { (folder) async throws in
            let raw = try RawConnection(port: folder.server.port)
            await raw.send(
                "PUT /x HTTP/1.0\r\nHost: localhost\r\nUpload-Draft-Interop-Version: 8\r\nUpload-Complete: ?1\r\n"
                    + "Expect: 100-continue\r\nContent-Length: 4\r\n\(fields)\r\nabcd")
            await raw.expectLastResponse("201 ")
            #expect(try folder.content("x") == "abcd")
        }
    }

    @Test func keepsDatesBeyond64BitsOfNanoseconds() async throws {
        try await ServedFolder.with { (folder) async throws in
            try folder.write("x", "inside")
            // October 2277; ext4 keeps times until 2446.
            let seconds = 9_712_000_000
            var times = [timespec(tv_sec: seconds, tv_nsec: 0), timespec(tv_sec: seconds, tv_nsec: 0)]
            let path = folder.root.appendingPathComponent("x").path
            try #require(utimensat(AT_FDCWD, path, &times, 0) == 0)
            var found = stat()
            try #require(
                stat(path, &found) == 0 && found.st_mtim.tv_sec == seconds, "the file system keeps no such time")
            let response = try await folder.curl("/x")
            #expect(response.headers["last-modified"] == "Fri, 05 Oct 2277 09:46:40 GMT")
            #expect(response.text == "inside")
            #expect(try await folder.curl("/").text.contains("\"modified\":\(seconds)"))
        }
    }
}
