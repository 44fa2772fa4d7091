// SPDX-License-Identifier: MIT

import Foundation
import Glibc
import NetworkLab
import Synchronization
import Testing
import TransferModel
import TransferTesting

/// The proxy as clients meet it, before a real server.
@Suite(.timeLimit(.minutes(10))) struct LinkProxyTests {
    private func with(
        _ profile: String, _ configure: (inout LinkProxy.Configuration) -> Void = { _ in },
        _ body: (LinkProxy, LabServer) async throws -> Void
    ) async throws {
        let server = try await LabServer.start(LabServer.Configuration())
        var configuration = LinkProxy.Configuration(
            profile: try #require(LinkProfile.named(profile)),
            targetHost: "127.0.0.1", targetPort: server.port)
        configure(&configuration)
        let link = try await LinkProxy.start(configuration)
        do {
            try await body(link, server)
        } catch {
            await link.stop()
            await server.stop()
            throw error
        }
        await link.stop()
        await server.stop()
    }

    @Test func forwardsBothDirections() async throws {
        let folder = try TemporaryFolder()
        let path = try folder.write(patternedBytes(1_000_000), to: "source")
        try await with("wifi-ac") { link, server in
            let direct = try await curl(url: server.url + "/file?size=3M")
            async let one = curl(url: "http://127.0.0.1:\(link.port)/file?size=3M")
            async let other = curl(url: "http://127.0.0.1:\(link.port)/file?size=3M")
            for answer in try await [one, other] { #expect(answer.body == direct.body) }
            let sent = try await curl("-T", path, url: "http://127.0.0.1:\(link.port)/upload")
            let straight = try await curl("-T", path, url: server.url + "/upload")
            #expect(sent.text == straight.text)
        }
    }

    @Test func slowLinksTakeTheirTime() async throws {
        try await with("edge") { link, _ in
            let answer = try await curl(url: "http://127.0.0.1:\(link.port)/file?size=10k")
            #expect(answer.exit == 0)
            // The connection's round trip and the request's, and a third of a second's worth of bytes.
            #expect(answer.started >= 1.6)
            #expect(answer.total >= 1.9)
        }
    }

    @Test func halfAConnectionCanEnd() async throws {
        // Answers when the stream has ended, and not before.
        let echo = try ScriptedServer { connection, _ in
            var count = 0
            while case let bytes = connection.readBody(1), !bytes.isEmpty { count += bytes.count }
            connection.send("got \(count)")
        }
        try await with("wifi", { $0.targetPort = echo.port }) { link, _ in
            let client = try RawClient(port: link.port)
            client.send("hello")
            client.finishSending()
            let (text, error) = await client.receiveAll()
            #expect(text == "got 5")
            #expect(error == 0)
        }
        echo.stop()
    }

    @Test func forwardsResets() async throws {
        try await with("wifi") { link, _ in
            let answer = try await curl(url: "http://127.0.0.1:\(link.port)/file?fault=reset&at=head")
            #expect(answer.exit == 56)
        }
    }

    @Test func reportsAndResetsAnUnreachableTarget() async throws {
        let events = Mutex<[LabEvent]>([])
        // No process listens there.
        let port = 1
        try await with(
            "wifi",
            {
                $0.targetPort = port
                $0.report = { event in events.withLock { $0.append(event) } }
            }
        ) { link, _ in
            #expect(await LinkProxy.connectionFailed("127.0.0.1", port)?.contains("refused") == true)
            let client = try RawClient(port: link.port)
            #expect(await client.receiveAll().error == ECONNRESET)
            #expect(events.withLock { $0.contains { $0.text.contains("127.0.0.1:\(port) cannot be reached: ") } })
        }
    }

    @Test func lossDropsConnections() async throws {
        try await with("loss") { link, _ in
            let answer = try await curl("--connect-timeout", "0.3", url: "http://127.0.0.1:\(link.port)/")
            #expect(answer.exit == 28)
        }
    }

    @Test(arguments: [LinkProxy.Outage.reset, .refuse]) func outagesInterrupt(_ outage: LinkProxy.Outage) async throws {
        let changes = Mutex<[String]>([])
        try await with(
            "wifi",
            {
                $0.outages = OutageSchedule(down: 1, every: 2)
                $0.outage = outage
                $0.report = { event in if event.connection == 0 { changes.withLock { $0.append(event.text) } } }
            }
        ) { link, _ in
            // On a busy machine the first outage may have begun.
            var made: RawClient?
            #expect(
                await eventually {
                    made = try? RawClient(port: link.port)
                    return made != nil
                })
            let client = try #require(made)
            client.send("GET /file?wait-head=60 HTTP/1.1\r\nHost: x\r\n\r\n")
            #expect(await client.receiveAll().error == ECONNRESET)
            if outage == .refuse {
                // It listens again at the same port when the outage has ended.
                #expect(await eventually { changes.withLock { $0.contains("outage ends") } })
                #expect(await eventually { (try? RawClient(port: link.port)) != nil })
            }
        }
        #expect(changes.withLock { $0.first == "outage begins" })
    }

    @Test func reportsAPortInUse() async throws {
        try await with("wifi") { _, server in
            var configuration = LinkProxy.Configuration(
                profile: LinkProfile.all[0], targetHost: "127.0.0.1", targetPort: 1)
            configuration.port = server.port
            let error = await #expect(throws: TransferError.self) { _ = try await LinkProxy.start(configuration) }
            #expect(error?.message.contains("in use") == true)
        }
    }
}
