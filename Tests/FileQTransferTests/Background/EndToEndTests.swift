// SPDX-License-Identifier: MIT

import Foundation
import Glibc
import Synchronization
import Testing
import TransferControl
import TransferTesting

@testable import FileQTransfer

/// Background sessions on the built program's service, in a home of its own, against a server on loopback.
@Suite(
    .serialized,
    .enabled("the service that is built keeps no events of sessions", { await ServiceHome.serviceKeepsEvents }))
struct EndToEndTests {
    /// - Parameter mayAnswer: the server responds to no request before.
    private func onHome(
        mayAnswer: @escaping @Sendable () -> Bool = { true },
        _ body: (ServiceHome, ScriptedServer) async throws -> Void
    ) async throws {
        let home = try ServiceHome()
        let server = try ScriptedServer { connection, _ in
            while let head = connection.readHead() {
                guard eventually(mayAnswer) else { return }
                if head.hasPrefix("PUT") {
                    _ = connection.readBody(5)
                    connection.answer("201 Created", ["Location: /stored"])
                } else if head.hasPrefix("GET /moved") {
                    connection.answer("302 Found", ["Location: /file"])
                } else {
                    connection.answer("200 OK", body: Array("from the server".utf8))
                }
            }
        }
        do { try await body(home, server) } catch {
            await home.end()
            throw error
        }
        await home.end()
    }

    private func leave(_ connector: ServiceConnector) async {
        await withCheckedContinuation { continuation in connector.close { continuation.resume() } }
    }

    private func waitUntilEnded(_ home: ServiceHome, _ count: Int) async throws {
        let client = try await home.client()
        for await update in client.updates(of: "org.example.end") {
            _ = update
            let transfers = try await client.transfers(matching: QueueFilter(session: "org.example.end"))
            if transfers.filter(\.state.isEnded).count == count { break }
        }
    }

    /// A program hands over and ends; its next run is given what came meanwhile.
    @Test func tasksSurviveTheirRun() async throws {
        let departures = Counter()
        try await onHome(mayAnswer: { departures.count > 0 }) { home, server in
            let source = try home.folder.write(Array("12345".utf8), to: "source")
            let (first, connector) = try await home.run(BackgroundRecorder())
            let download = first.downloadTask(with: TransferRequest(url: try TransferURL(server.url())))
            download.taskDescription = "the file"
            download.resume()
            first.uploadTask(
                with: TransferRequest(url: try TransferURL(server.url("/up")), method: .put), body: .file(path: source)
            ).resume()
            try await first.waitUntilStored()
            await leave(connector)
            departures.add()
            try await waitUntilEnded(home, 2)

            let delegate = BackgroundRecorder()
            let (second, _) = try await home.run(delegate)
            #expect(await eventually { delegate.count("caught up") == 1 })
            #expect(delegate.count("1 complete ok") == 1)
            #expect(delegate.count("2 complete ok") == 1)
            #expect(delegate.count("2 response 201") == 1)
            #expect(Array(delegate.files.values) == ["from the server"])
            #expect(delegate.taskDescriptions[1] == "the file")
            second.finishTasksAndInvalidate()
            #expect(await eventually { delegate.count("invalid") == 1 })
        }
    }

    /// The service is killed under a listening session: the session connects to the next one, and gets each end once.
    @Test func survivesAKilledService() async throws {
        try await onHome { home, server in
            let delegate = BackgroundRecorder()
            let (session, _) = try await home.run(delegate)
            let pid = try await home.client().service.pid
            for _ in 0..<10 { session.downloadTask(with: TransferRequest(url: try TransferURL(server.url()))).resume() }
            try await session.waitUntilStored()
            kill(pid, SIGKILL)
            session.finishTasksAndInvalidate()
            #expect(await eventually { delegate.count("invalid") == 1 })
            for number in 1...10 { #expect(delegate.count("\(number) complete ok") == 1) }
            #expect(Set(delegate.files.values) == ["from the server"])
            #expect(try await home.client().service.pid != pid)
        }
    }

    @Test func followsARedirect() async throws {
        try await onHome { home, server in
            let delegate = BackgroundRecorder()
            let (session, _) = try await home.run(delegate)
            let task = session.downloadTask(with: TransferRequest(url: try TransferURL(server.url("/moved"))))
            task.resume()
            session.finishTasksAndInvalidate()
            #expect(await eventually { delegate.count("invalid") == 1 })
            #expect(Array(delegate.files.values) == ["from the server"])
            #expect(task.originalRequest.url.path == "/moved")
        }
    }
}
