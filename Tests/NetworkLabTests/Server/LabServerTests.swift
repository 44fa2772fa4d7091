// SPDX-License-Identifier: MIT

import Foundation
import Glibc
import NetworkLab
import Synchronization
import Testing
import TransferModel
import TransferTesting

/// The server as clients meet it. Waits are checked to be no shorter than asked for; how much longer is the machine's
/// affair.
@Suite(.timeLimit(.minutes(10))) struct LabServerTests {
    private func with(
        _ configure: (inout LabServer.Configuration) -> Void = { _ in },
        _ body: (LabServer) async throws -> Void
    ) async throws {
        var configuration = LabServer.Configuration()
        configure(&configuration)
        let server = try await LabServer.start(configuration)
        do {
            try await body(server)
        } catch {
            await server.stop()
            throw error
        }
        await server.stop()
    }

    @Test func theIndexPageListsIt() async throws {
        try await with { server in
            let page = try await curl(url: server.url + "/")
            #expect(page.status == 200)
            #expect(page.text.contains("wait-second") && page.text.contains("\(server.url)/file?"))
        }
    }

    @Test(arguments: ["DELETE", "OPTIONS", "MKCOL"]) func takesAnyMethod(_ method: String) async throws {
        try await with({ $0.defaults.size = 1000 }) { server in
            let answer = try await curl("-X", method, url: server.url + "/file")
            #expect(answer.status == 200 && answer.body.count == 1000)
            let sending = try await curl("-X", method, "-d", "abc", url: server.url + "/file")
            #expect(sending.text.hasPrefix("received 3 bytes\n"))
        }
    }

    /// curl's exit code for each fault, the status, and how many bytes arrive.
    @Test(
        arguments: [
            ("", 0, 200, 1000), ("fault=reset", 56, 200, 500), ("fault=reset&at=head", 56, 0, 0),
            ("fault=close", 52, 0, 0),
            ("fault=truncate&at=100", 18, 200, 100), ("fault=wrong-length&at=100", 0, 200, 100),
            ("fault=garbage", 1, 0, 0),
            ("fault=1xx-storm&count=500", 0, 200, 1000), ("fault=401", 0, 401, 17), ("fault=407", 0, 407, 34),
            ("fault=429", 0, 429, 22), ("fault=503", 0, 503, 24), ("fault=drip&rate=10k", 0, 200, 1000),
            ("nonsense=1", 0, 400, nil),
        ] as [(String, Int32, Int, Int?)])
    func faultsMatchTheirDescription(_ query: String, _ exit: Int32, _ status: Int, _ bytes: Int?) async throws {
        try await with({ $0.defaults.size = 1000 }) { server in
            let answer = try await curl(url: "\(server.url)/file?\(query)")
            #expect(answer.exit == exit)
            #expect(answer.status == status)
            if let bytes { #expect(answer.body.count == bytes) }
        }
    }

    @Test func redirectsLoop() async throws {
        try await with { server in
            #expect(
                try await curl("-L", "--max-redirs", "30", url: "\(server.url)/file?fault=redirect-loop").exit == 47)
            let three = try await curl("-L", url: "\(server.url)/file?fault=redirect-loop&count=3")
            #expect(three.status == 200)
            #expect(three.heads.ranges(of: "HTTP/1.1 307").count == 3)
        }
    }

    @Test func waitsForTheGivenTime() async throws {
        try await with { server in
            let head = try await curl(url: "\(server.url)/file?wait-head=0.3")
            #expect(head.exit == 0 && head.started >= 0.29)
            let lines = try await curl(url: "\(server.url)/file?wait-first=0.2&wait-second=0.2")
            #expect(lines.exit == 0 && lines.total >= 0.39)
            #expect(lines.body.count == 128)
            let stalled = try await curl(
                "--speed-time", "1", "--speed-limit", "1", url: "\(server.url)/file?fault=stall")
            #expect(stalled.exit == 28)
        }
    }

    @Test func acceptanceWaitsForEachConnection() async throws {
        try await with({ $0.waitAccept = 0.4 }) { server in
            async let one = curl(url: server.url + "/file")
            async let other = curl(url: server.url + "/file")
            for answer in try await [one, other] {
                #expect(answer.exit == 0)
                #expect(answer.connected < answer.started - 0.3)
                #expect(answer.started >= 0.39)
            }
        }
    }

    @Test func countsAndHashesUploads() async throws {
        let folder = try TemporaryFolder()
        let path = try folder.write(Array(repeating: UInt8(ascii: "a"), count: 3_000_000), to: "source")
        try await with { server in
            for arguments in [
                ["-T", path], ["-T", path, "-H", "Transfer-Encoding: chunked"], ["--data-binary", "@\(path)"],
            ] {
                let answer = try await curl(
                    arguments[0], arguments[1], arguments.count > 2 ? arguments[2] : "-sS",
                    arguments.count > 2 ? arguments[3] : "-sS", url: server.url + "/upload")
                #expect(answer.status == 200)
                #expect(answer.text.hasPrefix("received 3000000 bytes\nsha256 "))
                #expect(answer.text.split(separator: "\n")[1].count == 71)
            }
            let empty = try await curl("-X", "PUT", "-d", "", url: server.url + "/upload")
            #expect(empty.text.contains("e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"))
        }
    }

    @Test(
        arguments: [
            ("fault=reset&at=1000", [55, 56]), ("fault=close&at=1000", [52, 55, 56]),
            ("fault=stop-reading&at=1000", [28]),
            ("fault=stall&at=1000", [28]), ("fault=early-answer&at=1000", [0]), ("fault=503", [0]),
        ] as [(String, [Int32])])
    func appliesFaultsToUploads(_ query: String, _ exits: [Int32]) async throws {
        let folder = try TemporaryFolder()
        let path = try folder.write(patternedBytes(8_000_000), to: "source")
        try await with { server in
            let answer = try await curl(
                "-T", path, "-H", "Expect:", "--speed-time", "1", "--speed-limit", "1",
                url: "\(server.url)/upload?\(query)")
            #expect(exits.contains(answer.exit), "\(answer.exit)")
            if query.hasPrefix("fault=early") { #expect(answer.status == 413) }
        }
    }

    @Test func receivesAtTheGivenRate() async throws {
        let folder = try TemporaryFolder()
        let path = try folder.write(patternedBytes(200_000), to: "source")
        try await with { server in
            let answer = try await curl("-T", path, url: "\(server.url)/upload?rate=400000")
            #expect(answer.status == 200)
            #expect(answer.total >= 0.45)
        }
    }

    @Test func resumesATruncatedResponse() async throws {
        try await with({ $0.defaults.size = 100_000 }) { server in
            let whole = try await curl(url: server.url + "/file")
            #expect(whole.heads.contains("ETag: \"lab-100000-1\""))
            let url = server.url + "/file?fault=reset&at=30000&times=1"
            let cut = try await curl(url: url)
            #expect(cut.exit == 56)
            let rest = try await curl(
                "-H", "Range: bytes=\(cut.body.count)-", "-H", "If-Range: \"lab-100000-1\"", url: url)
            #expect(rest.status == 206)
            #expect(cut.body + rest.body == whole.body)
            let changed = try await curl(
                "-H", "Range: bytes=10-", "-H", "If-Range: \"lab-100000-1\"", url: server.url + "/file?version=2")
            #expect(changed.status == 200 && changed.body.count == 100_000)
            #expect(try await curl("-r", "100000-", url: server.url + "/file").status == 416)
        }
    }

    @Test func reusesConnections() async throws {
        let events = Mutex<[LabEvent]>([])
        try await with({ $0.report = { event in events.withLock { $0.append(event) } } }) { server in
            _ = try await curl(server.url + "/one", "-o", "/dev/null", url: server.url + "/two")
        }
        let texts = events.withLock { $0.map(\.text) }
        #expect(texts.filter { $0 == "connected" }.count == 1)
        #expect(texts.filter { $0.hasPrefix("GET /") } == ["GET /one", "GET /two"])
    }

    @Test func respondsToLimits() async throws {
        try await with({ ($0.headerBytes, $0.idleSeconds) = (4096, 0.5) }) { server in
            let large = try await curl("-H", "X: " + String(repeating: "x", count: 8000), url: server.url + "/file")
            #expect(large.status == 431)
            let nonsense = try RawClient(port: server.port)
            nonsense.send("nonsense\r\n\r\n")
            #expect(await nonsense.receiveAll().text.hasPrefix("HTTP/1.1 400"))
            let silent = try RawClient(port: server.port)
            #expect(await silent.receiveAll().error == 0)
        }
    }

    @Test func furtherConnectionsAreQueued() async throws {
        try await with({ $0.maximumConnections = 1 }) { server in
            let first = try RawClient(port: server.port)
            first.send("GET /file?size=1 HTTP/1.1\r\nHost: x\r\n\r\n")
            let second = try RawClient(port: server.port)
            second.send("GET /file?size=1 HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
            let answer = Task { await second.receiveAll().text }
            first.finishSending()
            _ = await first.receiveAll()
            #expect(await answer.value.hasPrefix("HTTP/1.1 200"))
        }
    }

    @Test func itSpeaksTLS() async throws {
        let folder = try TemporaryFolder()
        let exit = try await ChildProcess.run([
            "openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes",
            "-days", "2", "-subj", "/CN=lab", "-addext", "subjectAltName=IP:127.0.0.1",
            "-keyout", folder.file("key"), "-out", folder.file("cert"),
        ])
        try #require(exit == 0)
        try await with({ $0.tls = .init(certificatePath: folder.file("cert"), keyPath: folder.file("key")) }) {
            server in
            #expect(server.url.hasPrefix("https://"))
            let trust = folder.file("cert")
            let whole = try await curl("--cacert", trust, url: server.url + "/file?size=100000")
            #expect(whole.body.count == 100_000)
            let reset = try await curl("--cacert", trust, url: server.url + "/file?fault=reset&at=head")
            #expect(reset.exit == 56)
            let cut = try await curl("--cacert", trust, url: server.url + "/file?fault=truncate")
            #expect([18, 56].contains(cut.exit))
        }
        var wrong = LabServer.Configuration()
        wrong.tls = .init(certificatePath: folder.file("key"), keyPath: folder.file("key"))
        let error = await #expect(throws: TransferError.self) { _ = try await LabServer.start(wrong) }
        #expect(error?.code == .cannotReadSource)
    }

    @Test func reportsAPortInUse() async throws {
        try await with { server in
            var configuration = LabServer.Configuration()
            configuration.port = server.port
            let error = await #expect(throws: TransferError.self) { _ = try await LabServer.start(configuration) }
            #expect(error?.message.contains("127.0.0.1:\(server.port): Address already in use") == true)
        }
    }

    @Test func stoppingEndsEveryConnection() async throws {
        let server = try await LabServer.start(LabServer.Configuration())
        let client = try RawClient(port: server.port)
        client.send("GET /file?wait-head=3600 HTTP/1.1\r\nHost: x\r\n\r\n")
        let answer = Task { await client.receiveAll().text }
        await server.stop()
        #expect(await answer.value.isEmpty)
        #expect(throws: POSIXError.self) { try RawClient(port: server.port) }
        await server.stop()
    }
}

@Suite struct BlackholeTests {
    @Test func completesNoConnectionUntilStopped() throws {
        let blackhole = try Blackhole()
        let descriptor = socket(
            AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue), 0)
        defer { close(descriptor) }
        #expect(RawClient.connect(descriptor, blackhole.port) != 0 && errno == EINPROGRESS)
        var poller = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        #expect(poll(&poller, 1, 200) == 0)
        let error = #expect(throws: TransferError.self) { _ = try Blackhole(port: blackhole.port) }
        #expect(error?.message.contains("in use") == true)
        blackhole.stop()
        #expect(throws: POSIXError.self) { try RawClient(port: blackhole.port) }
    }
}
