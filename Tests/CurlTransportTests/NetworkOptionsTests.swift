// SPDX-License-Identifier: MIT

import CLinux
@testable import CurlTransport
import Dispatch
import Glibc
import HTTPTypes
import SessionCore
import Synchronization
import Testing
import TransferModel
import TransferTesting

@Suite(.timeLimit(.minutes(10))) struct NetworkOptionsTests {
    let transport = try! CurlTransport()

    private func server() throws -> ScriptedServer {
        try ScriptedServer { connection, _ in
            while let head = connection.readHead() {
                if head.hasPrefix("PUT") { _ = connection.readBody(2_000_000) }
                connection.answer("200 OK")
            }
        }
    }

    @Test(
        arguments: [
            ("lo", 200), ("if!lo", 200), ("127.0.0.1", 200), ("host!127.0.0.1", 200), ("if!nosuch0", 45),
            ("nosuch0", 45),
            ("192.0.2.77", 45), ("host!name.invalid", -1), ("", -1), ("what!lo", -1), ("if!", -1),
        ] as [(String, Int)])
    func bindsToInterfaceOrAddress(_ interface: String, _ expected: Int) async throws {
        let server = try server()
        var exchange = Exchange(url: try TransferURL(server.url()), method: .get)
        exchange.interface = interface
        let answer = await transport.run(exchange)
        switch expected {
        case 200: #expect(answer.status == 200, "\(String(describing: answer.failure))")
        case 45: #expect(answer.curlCode == 45)
        default: #expect(answer.misconfiguration == .usage)
        }
    }

    @Test func multipathUploadsHaveMetrics() async throws {
        let server = try server()
        let protocols = Mutex<[Int32]>([])
        var exchange = Exchange(url: try TransferURL(server.url()), method: .put)
        exchange.usesMultipath = true
        exchange.body = .bytes(patternedBytes(2_000_000))
        let port = server.port
        let answer = await transport.run(
            exchange,
            atHead: {
                let found = Self.sockets(to: port) { Self.option($0, SOL_SOCKET, SO_PROTOCOL) }
                protocols.withLock { $0 = found }
            })
        #expect(answer.status == 200, "\(String(describing: answer.failure))")
        #expect(answer.outcome.progress.sent == 2_000_000)
        let kernelHasIt = access("/proc/sys/net/mptcp/enabled", R_OK) == 0
        #expect(protocols.withLock { $0 } == [262] || !kernelHasIt)
    }

    /// Of two that are open, one is used, by a handle that had the other before.
    @Test func countsSentBytesOnTheCurrentConnection() async throws {
        let isMoving = DispatchSemaphore(value: 0)
        let both = DispatchSemaphore(value: 0)
        let isFirstDone = DispatchSemaphore(value: 0)
        let server = try ScriptedServer { connection, number in
            while let head = connection.readHead() {
                if head.hasPrefix("PUT") {
                    _ = connection.readBody(1_000_000)
                    guard isMoving.wait(timeout: .now() + 20) == .success else { return }
                    _ = connection.readBody(7_000_000)
                    connection.answer("201 Created")
                } else {
                    // Both are open before either is answered; the first ends first.
                    if number == 1 {
                        both.wait()
                    } else {
                        both.signal()
                        isFirstDone.wait()
                    }
                    connection.answer("200 OK")
                }
            }
        }
        let url = try TransferURL(server.url())
        async let first = transport.run(Exchange(url: url, method: .get))
        #expect(await eventually { server.requests.count == 1 })
        async let second = transport.run(Exchange(url: url, method: .get))
        #expect(await first.status == 200)
        isFirstDone.signal()
        #expect(await second.status == 200)
        var exchange = Exchange(url: url, method: .put)
        exchange.body = .bytes(patternedBytes(8_000_000))
        exchange.fields[.expect] = ""
        let answer = await transport.run(exchange, atProgress: { if $0.sent > 500_000 { isMoving.signal() } })
        #expect(answer.status == 201, "\(String(describing: answer.failure))")
        #expect(answer.outcome.metrics.isReusedConnection)
    }

    @Test func doesNotTakeOnePathForAll() {
        let multipath = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 262)
        if multipath >= 0 {
            #expect(clinux_tcp_bytes_acknowledged(multipath) == -1)
            close(multipath)
        }
        let plain = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        #expect(clinux_tcp_bytes_acknowledged(plain) == 0)
        close(plain)
        #expect(clinux_tcp_bytes_acknowledged(-1) == -1)
    }

    @Test func marksTheConnectionWhileInUse() async throws {
        let server = try server()
        let port = server.port
        var exchange = Exchange(url: try TransferURL(server.url()), method: .get)
        let seen = Mutex<[Int32]>([])
        for type in [NetworkServiceType.background, .voice, .default] {
            exchange.serviceType = type
            let answer = await transport.run(
                exchange,
                atHead: {
                    let found = Self.sockets(to: port) { Self.option($0, Int32(IPPROTO_IP), IP_TOS) }
                    seen.withLock { $0 += found }
                })
            #expect(answer.status == 200)
            #expect(answer.outcome.metrics.isReusedConnection == (type != .background))
        }
        #expect(seen.withLock { $0 } == [8 << 2, 46 << 2, 0])
    }

    /// Asks each of this process's sockets that is connected to `port`.
    private static func sockets(to port: Int, _ ask: (Int32) -> Int32) -> [Int32] {
        (0..<65_536 as Range<Int32>).compactMap { descriptor in
            var address = sockaddr_in()
            var size = socklen_t(MemoryLayout<sockaddr_in>.size)
            let result = withUnsafeMutablePointer(to: &address) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { getpeername(descriptor, $0, &size) }
            }
            return result == 0 && Int(UInt16(bigEndian: address.sin_port)) == port ? ask(descriptor) : nil
        }
    }

    private static func option(_ socket: Int32, _ level: Int32, _ name: Int32) -> Int32 {
        var value: Int32 = -1
        var size = socklen_t(MemoryLayout<Int32>.size)
        getsockopt(socket, level, name, &value, &size)
        return value
    }
}
