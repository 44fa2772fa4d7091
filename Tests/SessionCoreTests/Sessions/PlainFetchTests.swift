// SPDX-License-Identifier: MIT

import HTTPTypes
@testable import SessionCore
import Synchronization
import Testing
import TransferModel
import TransferTesting

/// Fetches that a session hands to its transport without a task.
@Suite struct PlainFetchTests {
    private final class PlainTransport: PlainFetchTransport {
        private let inner = FakeTransport { _, _ in .init(200) }
        private let fetched = Mutex<[Exchange]>([])
        var exchanges: [Exchange] { fetched.withLock { $0 } }
        var executor: any TransportExecutor { inner.executor }
        var supportedLogins: Set<ProtectionSpace.Method> { inner.supportedLogins }

        func fetch(_ fetches: [PlainFetch], like exchange: Exchange, for receiver: any PlainFetchReceiver) {
            fetched.withLock { $0 += Array(repeating: exchange, count: fetches.count) }
        }

        func setFetchSlots(_ count: Int, handedOver: Int) {}
        func recallFetches() {}
        func cancelFetch(_ key: Int) {}
        func start(_ exchange: Exchange, handler: any ExchangeHandler) -> ExchangeID {
            inner.start(exchange, handler: handler)
        }
        func pause(_ id: ExchangeID) { inner.pause(id) }
        func resume(_ id: ExchangeID) { inner.resume(id) }
        func cancel(_ id: ExchangeID) { inner.cancel(id) }
        func decide(_ id: ExchangeID, _ disposition: BodyDisposition) { inner.decide(id, disposition) }
        func setRateLimit(_ bytesPerSecond: Int?, of id: ExchangeID) {}
        func setRateLimits(download: Int?, upload: Int?) {}
        func shutDown() { inner.shutDown() }
    }

    private final class Returned: PlainFetchReceiver {
        private let keys = Mutex<[Int]>([])
        var count: Int { keys.withLock { $0.count } }
        func received(_ reports: [FetchReport]) {
            for case .returned(let key, false) in reports { keys.withLock { $0.append(key) } }
        }
    }

    private static let wired = NetworkInterface(name: "eth0", kind: .wired)
    private static let modem = NetworkInterface(name: "wwan0", kind: .cellular)

    /// - Returns: the exchange of a fetch; `nil` if the fetch needs a task.
    private func exchange(
        on path: NetworkPath, _ change: (inout TransferOptions) -> Void = { _ in }
    ) throws -> Exchange? {
        let (transport, returned) = (PlainTransport(), Returned())
        var configuration = TransferConfiguration()
        configuration.proxy = .none
        configuration.pathMonitor = FakePathMonitor(path: path)
        let session = TransferSession(configuration: configuration, transport: transport, scheduler: ManualScheduler())
        let request = try request("http://a.test/file", .get, change)
        session.fetch(
            [PlainFetchGroup(request: request, fetches: [PlainFetch(key: 1, url: request.url.string)])], for: returned)
        #expect(transport.exchanges.count + returned.count == 1)
        return transport.exchanges.first
    }

    /// An order of interfaces excludes none, and is no decision.
    @Test func aPreferredInterfaceCarriesIt() throws {
        var path = NetworkPath(status: .satisfied, interface: Self.wired, interfaces: [Self.wired, Self.modem])
        #expect(try #require(try exchange(on: path)).interface == nil)
        path.preferred = [Self.wired, Self.modem]
        #expect(try #require(try exchange(on: path)).interface == nil)
        path.preferred = [Self.modem, Self.wired]
        #expect(try #require(try exchange(on: path)).interface == "if!wwan0")
        #expect(try exchange(on: path) { $0.allowsExpensive = false } == nil)
        path = FakePathMonitor.none
        path.preferred = [Self.modem]
        #expect(try exchange(on: path) == nil)
    }

    @Test func fetchesOfTwoInterfacesAreNotAlike() throws {
        let one = try #require(try exchange(on: FakePathMonitor.wired))
        var other = one
        #expect(one.isAlike(other))
        other.interface = "if!wwan0"
        #expect(!one.isAlike(other))
    }
}
