// SPDX-License-Identifier: MIT

import CurlTransport
import Dispatch
import SessionCore
import Synchronization
import Testing
import TransferModel
import TransferTesting

/// A better way appears while a connection stands.
@Suite struct BetterRouteTests {
    private final class Listener: TransferStreamDelegate, TransferTaskDelegate {
        let tasks = Counter()
        let streams = Counter()
        func session(_ session: TransferSession, betterRouteDiscoveredFor task: TransferTask) { tasks.add() }
        func session(_ session: TransferSession, betterRouteDiscoveredFor task: StreamTask) { streams.add() }
    }

    private let monitor = FakePathMonitor()
    private let scheduler = ManualScheduler()
    private let listener = Listener()
    private let transport: CurlTransport
    private let session: TransferSession

    init() throws {
        var configuration = TransferConfiguration()
        configuration.proxy = .none
        configuration.pathMonitor = monitor
        transport = try CurlTransport()
        session = TransferSession(
            configuration: configuration, transport: transport, delegate: listener, scheduler: scheduler)
        goBy("wlan0", from: "192.0.2.1")
    }

    private func goBy(_ name: String, from address: String) {
        let interface = NetworkInterface(name: name, kind: .wifi)
        monitor.set(
            NetworkPath(
                status: .satisfied, interface: interface, sourceAddress: HostAddress(address), interfaces: [interface]))
    }

    /// Until the session has decided on everything so far.
    private func decided() async {
        await withCheckedContinuation { done in transport.executor.post { done.resume() } }
    }

    private func fireBetter() async {
        monitor.fire(PathChange(hasBetterPath: true))
        await decided()
    }

    /// A server that sends the beginning of a body, and then nothing.
    private func server() throws -> ScriptedServer {
        try ScriptedServer { connection, _ in
            guard connection.readHead() != nil else { return }
            connection.send("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n12345")
            connection.waitForClose()
        }
    }

    private func reported(_ counter: Counter, _ count: Int) async -> Bool {
        guard await eventually({ counter.count == count }) else { return false }
        // What else was on its way has come too.
        await withCheckedContinuation { done in session.delegateQueue.async { done.resume() } }
        return counter.count == count
    }

    @Test func notifiesATaskOncePerRoute() async throws {
        let server = try server()
        let task = session.dataTask(with: TransferRequest(url: try TransferURL(server.url())))
        task.resume()
        #expect(await eventually { task.progress.received == 5 })
        scheduler.advance(by: 1)
        await decided()
        await fireBetter()
        goBy("eth0", from: "192.0.2.2")
        await fireBetter()
        await fireBetter()
        #expect(await reported(listener.tasks, 1))
        goBy("eth1", from: "192.0.2.3")
        await fireBetter()
        #expect(await reported(listener.tasks, 2))
        #expect(task.state == .running)
        task.cancel()
    }

    @Test func notifiesAStream() async throws {
        let server = try server()
        let stream = try session.streamTask(host: "127.0.0.1", port: server.port)
        stream.resume()
        try await stream.write(Array("GET / HTTP/1.1\r\n\r\n".utf8))
        _ = try await stream.readData(minLength: 5, maxLength: 1000)
        scheduler.advance(by: 1)
        await decided()
        goBy("eth0", from: "192.0.2.2")
        await fireBetter()
        await fireBetter()
        #expect(await reported(listener.streams, 1))
        stream.cancel()
    }
}
