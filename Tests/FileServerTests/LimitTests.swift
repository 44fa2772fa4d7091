// SPDX-License-Identifier: MIT

import FileServer
import Foundation
import Testing
import TransferTesting

/// Every bound answers with a status of its own and one line.
struct LimitTests {
    @Test func limitsUploads() async throws {
        try await ServedFolder.with({ configuration, _ in configuration.limits.uploadBytes = 1000 }) {
            (folder) async throws in
            #expect(try await folder.put("/fits", String(repeating: "x", count: 1000)).status == 201)
            let announced = try await folder.put("/x", String(repeating: "x", count: 1001))
            #expect(announced.status == 413)
            #expect(announced.text == "the upload is larger than the 1000 bytes this server accepts\n")
            #expect(try await folder.curl("/x", "-T", "-", input: sampleBytes(1001)).status == 413)
            // Refused before the body is asked for.
            let expecting = try await folder.put(
                "/x", String(repeating: "x", count: 100_000), "-H", "Expect: 100-continue")
            #expect(expecting.status == 413 && !expecting.log.contains("100 Continue"))
            #expect(try folder.tree() == ["fits"])
            #expect(try folder.partials().isEmpty)
        }
    }

    /// Offset and `Content-Length` together exceed 64 bits.
    @Test(arguments: [true, false]) func refusesAppendsThatOverflow(isTus: Bool) async throws {
        try await ServedFolder.with({ configuration, _ in configuration.limits.drainSeconds = 0.1 }) {
            (folder) async throws in
            let location = try await isTus ? folder.createTus("/files", "Upload-Defer-Length: 1") : folder.create()
            let first =
                try await isTus
                ? folder.appendTus(location, at: "0", "one") : folder.append(location, at: 0, "one", complete: false)
            #expect(first.status == 204)
            let fields =
                isTus
                ? "Tus-Resumable: 1.0.0\r\nContent-Type: application/offset+octet-stream"
                : "Upload-Complete: ?1\r\nContent-Type: application/partial-upload"
            let raw = try RawConnection(port: folder.server.port)
            await raw.send(
                "PATCH \(location) HTTP/1.1\r\nHost: localhost\r\n\(fields)\r\nUpload-Offset: 3\r\n"
                    + "Content-Length: 9223372036854775807\r\n\r\n")
            let answer = await raw.receive()
            #expect(answer.hasPrefix("HTTP/1.1 413 "), "\(answer)")
            let state = try await folder.state(location)
            #expect(state.headers["upload-offset"] == "3" && state.headers["upload-complete"] == "?0")
        }
    }

    /// A client that sends it all before it reads must still find the answer, not a connection that was reset.
    @Test func sendingClientsGetAnEarlyError() async throws {
        try await ServedFolder.with({ configuration, _ in configuration.limits.uploadBytes = 1000 }) {
            (folder) async throws in
            let size = 8_000_000
            let raw = try RawConnection(port: folder.server.port)
            await raw.send("PUT /x HTTP/1.1\r\nHost: localhost\r\nContent-Length: \(size)\r\n\r\n")
            #expect(await raw.send(sampleBytes(size)) == size)
            let answer = await raw.receive()
            #expect(answer.hasPrefix("HTTP/1.1 413"))
            #expect(answer.contains("Connection: close"))
        }
    }

    @Test func limitsDrainedBytes() async throws {
        try await ServedFolder.with({ configuration, _ in
            configuration.limits.uploadBytes = 1000
            configuration.limits.drainBytes = 100_000
        }) { (folder) async throws in
            let raw = try RawConnection(port: folder.server.port)
            await raw.send("PUT /x HTTP/1.1\r\nHost: localhost\r\nContent-Length: 900000000\r\n\r\n")
            #expect(await raw.send(sampleBytes(60_000_000)) < 60_000_000)
        }
    }

    @Test func limitsHeads() async throws {
        try await ServedFolder.with { (folder) async throws in
            let cookie = try await folder.curl("/files", "-H", "Cookie: a=\(String(repeating: "x", count: 8200))")
            #expect(cookie.status == 431)
            #expect(cookie.text == "the cookies have 8202 bytes; at most 8192 are allowed\n")
            let fields = (0..<5).flatMap { ["-H", "X-\($0): \(String(repeating: "x", count: 7000))"] }
            #expect(try await folder.curl("/files", fields).status == 431)
            #expect(try await folder.curl("/" + String(repeating: "a/", count: 4100)).status == 414)
            #expect(try await folder.curl("/" + String(repeating: "a", count: 256)).status == 400)
        }
    }

    @Test func everyRequestNeedsTheToken() async throws {
        try await ServedFolder.with({ configuration, _ in configuration.token = "open sesame" }) {
            (folder) async throws in
            try folder.write("x", "inside")
            for arguments in [
                [], ["-X", "OPTIONS"], ["-X", "POST"], ["-T", "/dev/null"], ["-H", "Authorization: Bearer open"],
                ["-H", "Authorization: Basic open sesame"], ["-u", "open:sesame"],
            ] {
                let answer = try await folder.curl("/x", arguments)
                #expect(answer.status == 401)
                #expect(answer.log.contains(": Bearer realm=\"fileq\""))
                #expect(answer.headers["www-authenticate"] == "Basic realm=\"fileq\", charset=\"UTF-8\"")
                #expect(answer.log.contains("error=\"invalid_token\"") == arguments.contains { $0.contains("Bearer") })
                #expect(!answer.text.contains("inside"))
            }
            #expect(try await folder.curl("/x", "-H", "Authorization: bearer open sesame").text == "inside")
            // As browsers send it.
            #expect(try await folder.curl("/x", "-u", "anyone:open sesame").text == "inside")
        }
    }

    @Test func stalledUploadsGetAResponse() async throws {
        try await ServedFolder.with({ configuration, _ in configuration.limits.idleSeconds = 0.3 }) {
            (folder) async throws in
            let raw = try RawConnection(port: folder.server.port)
            await raw.send("PUT /x HTTP/1.1\r\nHost: localhost\r\nContent-Length: 6\r\n\r\none")
            let answer = await raw.receive()
            #expect(answer.hasPrefix("HTTP/1.1 408"))
            #expect(answer.hasSuffix("no byte received for 0.3 seconds\n"))
            #expect(try folder.tree().isEmpty)
            #expect(try folder.partials().isEmpty)
        }
    }

    @Test func closesIdleConnections() async throws {
        try await ServedFolder.with({ configuration, _ in
            configuration.limits.idleSeconds = 0.2
            configuration.limits.keepAliveSeconds = 0.3
        }) { (folder) async throws in
            let raw = try RawConnection(port: folder.server.port)
            #expect(await raw.receive().isEmpty)
            let half = try RawConnection(port: folder.server.port)
            await half.send("GET /x HT")
            #expect(!(await half.receive().hasPrefix("HTTP/1.1 2")))
        }
    }

    @Test func closesUnreadDownloads() async throws {
        try await ServedFolder.with({ configuration, _ in configuration.limits.idleSeconds = 0.3 }) {
            (folder) async throws in
            try folder.write("big", "")
            try FileHandle(forWritingTo: folder.root.appendingPathComponent("big")).truncate(atOffset: 30_000_000)
            let raw = try RawConnection(port: folder.server.port)
            await raw.send("GET /big HTTP/1.1\r\nHost: localhost\r\n\r\n")
            #expect(await raw.receive(until: "\r\n\r\n").hasPrefix("HTTP/1.1 200"))
            #expect(try await eventually { Self.established(to: folder.server.port) == 0 })
        }
    }

    /// Connections to `port` whose server side still stands.
    static func established(to port: Int) -> Int {
        let table = Files.kernelText("/proc/net/tcp")
        let local = "0100007F:" + String(port, radix: 16, uppercase: true)
        return table.split(separator: "\n").filter { line in
            let columns = line.split(separator: " ")
            return columns.count > 3 && columns[1] == local && columns[3] == "01"
        }.count
    }

    @Test func rejectsGarbage() async throws {
        try await ServedFolder.with { (folder) async throws in
            for garbage in [
                "\u{16}\u{3}\u{1}\u{2}\r\n\r\n", "GET\r\n\r\n", "HELLO WORLD\r\n\r\n", "GET / HTTP/9.9\r\n\r\n",
                "GET / HTTP/1.1\r\nContent-Length: x\r\n\r\n", "PUT /x HTTP/1.1\r\nContent-Length: -5\r\n\r\n",
                "PUT /x HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\nZZ\r\n",
                "PUT /x HTTP/1.1\r\nHost: localhost\r\nContent-Length: 3\r\nTransfer-Encoding: "
                    + "chunked\r\n\r\n0\r\n\r\n",
            ] {
                let raw = try RawConnection(port: folder.server.port)
                await raw.send(garbage)
                await raw.finishSending()
                let answer = await raw.receive()
                #expect(answer.isEmpty || answer.hasPrefix("HTTP/1.1 4"), "\(garbage): \(answer)")
            }
            #expect(try folder.tree().isEmpty)
            #expect(try await eventually { try folder.partials().isEmpty })
            #expect(try await folder.curl("/files").status == 200)
        }
    }

    @Test func keepsTheRate() async throws {
        try await ServedFolder.with({ configuration, _ in configuration.rate = 400_000 }) { (folder) async throws in
            try folder.write("x", sampleBytes(200_000))
            let begin = ContinuousClock.now
            #expect(try await folder.curl("/x").body.count == 200_000)
            let down = ContinuousClock.now - begin
            #expect(try await folder.curl("/y", "-T", folder.root.appendingPathComponent("x").path).status == 201)
            let up = ContinuousClock.now - begin - down
            for elapsed in [down, up] { #expect(elapsed > .seconds(0.35) && elapsed < .seconds(20)) }
        }
    }
}
