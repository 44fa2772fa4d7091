// SPDX-License-Identifier: MIT

import Dispatch
import SessionCore
import Synchronization
import Testing
import TransferModel

/// Calls about fetches reach the transport in the order in which they were made.
@Suite struct PlainFetchOrderTests {
    /// Takes note of its calls; its executor begins when the test says so.
    private final class NotingTransport: PlainFetchTransport {
        let executor: any TransportExecutor
        let supportedLogins: Set<ProtectionSpace.Method> = []
        let queue: DispatchQueue
        private let log = Mutex<[String]>([])

        init() {
            let executor = QueueExecutor(label: "test.transport")
            (self.executor, queue) = (executor, executor.queue)
            queue.suspend()
        }

        /// In order, once the executor has run what it was given.
        var calls: [String] {
            queue.resume()
            queue.sync {}
            return log.withLock { $0 }
        }

        private func note(_ call: String) { log.withLock { $0.append(call) } }

        func fetch(_ fetches: [PlainFetch], like exchange: Exchange, for receiver: any PlainFetchReceiver) {
            note("fetch \(fetches.map(\.key))")
        }

        func setFetchSlots(_ count: Int, handedOver: Int) { note("slots \(count)") }
        func recallFetches() { note("recall") }
        func cancelFetch(_ key: Int) { note("cancel \(key)") }
        func start(_ exchange: Exchange, handler: any ExchangeHandler) -> ExchangeID { ExchangeID(rawValue: 1) }
        func pause(_ id: ExchangeID) {}
        func resume(_ id: ExchangeID) {}
        func cancel(_ id: ExchangeID) {}
        func decide(_ id: ExchangeID, _ disposition: BodyDisposition) {}
        func setRateLimit(_ bytesPerSecond: Int?, of id: ExchangeID) {}
        func setRateLimits(download: Int?, upload: Int?) {}
        func shutDown() {}
    }

    private final class NoReceiver: PlainFetchReceiver {
        func received(_ reports: [FetchReport]) {}
    }

    /// A transfer that is cancelled right after it was given must not begin afterwards.
    @Test func whatIsWithdrawnAtOnceReachesTheTransportAfterwards() throws {
        let transport = NotingTransport()
        var configuration = TransferConfiguration()
        configuration.proxy = .none
        let session = TransferSession(configuration: configuration, transport: transport)
        let request = TransferRequest(url: try TransferURL("http://host.test/1"))
        session.setFetchSlots(4, handedOver: 0)
        session.fetch(
            [PlainFetchGroup(request: request, fetches: [PlainFetch(key: 1, url: "http://host.test/1")])],
            for: NoReceiver())
        session.cancelFetch(1)
        session.recallFetches()
        #expect(transport.calls == ["slots 4", "fetch [1]", "cancel 1", "recall"])
    }
}
