// SPDX-License-Identifier: MIT

import Dispatch
import SessionCore
import Synchronization
import Testing
import TransferTesting

@testable import NetworkPath

/// A monitor on a picture that the test makes, with costs that it says.
@Suite struct LinkMonitorTests {
    private typealias Make = MessageBuilder

    private final class Source: MeteredSource {
        let answers = Mutex<[String: Bool]>([:])
        let asked = Mutex<[[String]]>([])
        let isThere: Bool

        init(isThere: Bool = true) { self.isThere = isThere }

        func metered(_ names: [String]) -> [String: Bool] {
            asked.withLock { $0.append(names) }
            return answers.withLock { $0 }
        }
    }

    private struct Routes: RouteLookup {
        func route(to address: HostAddress, through index: Int32?) -> RouteAnswer { .route(index: 2, source: nil) }
    }

    private static let wifi = Make.link(2, "wlan0") + Make.address(2, "10.0.0.2") + Make.route("default4", through: 2)

    private let scheduler = ManualScheduler()
    private let target = PathTarget(host: "203.0.113.5")

    private func monitor(_ source: Source) -> LinkMonitor {
        LinkMonitor(
            overrides: .init(), scheduler: scheduler,
            sources: .init(
                socket: nil, dump: { LinkTable(LinkMessage.parse(Self.wifi[...])) }, lookup: Routes(),
                metering: source, systemFolder: "/nowhere"))
    }

    @Test func allowsEverythingWithoutASource() async {
        let source = Source(isThere: false)
        let monitor = monitor(source)
        #expect(!monitor.observesChanges)
        #expect(!monitor.path(to: target).isCostPending)
        monitor.queue.sync {}
        #expect(source.asked.withLock { $0 }.isEmpty)
        #expect(scheduler.nextDelay == nil)
    }

    @Test func appliesAndReportsNewOverrides() async throws {
        let monitor = monitor(Source(isThere: false))
        let costs = Counter()
        let observation = monitor.addObserver { if $0.hasNewCosts { costs.add() } }
        #expect(!monitor.path(to: target).isExpensive)
        monitor.setOverrides(PathOverrides(interfaces: ["wlan0": .init(isExpensive: true)]))
        monitor.queue.sync {}
        #expect(monitor.path(to: target).isExpensive)
        scheduler.advance(by: 5)
        #expect(await eventually { costs.count == 1 })
        // The same again is no change.
        monitor.setOverrides(PathOverrides(interfaces: ["wlan0": .init(isExpensive: true)]))
        monitor.queue.sync {}
        scheduler.advance(by: 5)
        monitor.queue.sync {}
        #expect(costs.count == 1)
        withExtendedLifetime(observation) {}
    }

    @Test func queriesCostsAfterEachChange() async throws {
        let source = Source()
        source.answers.withLock { $0 = ["wlan0": true] }
        let monitor = monitor(source)
        let costs = Counter()
        let observation = monitor.addObserver { if $0.hasNewCosts { costs.add() } }
        #expect(await eventually { self.scheduler.nextDelay != nil })
        scheduler.advance(by: 0.05)
        #expect(await eventually { costs.count == 1 })
        #expect(monitor.path(to: target).isExpensive)

        // It goes, and comes back as another network; what was known of it is forgotten in between.
        source.answers.withLock { $0 = [:] }
        monitor.queue.sync { monitor.take(LinkMessage.parse(Make.link(2, "wlan0", flags: 0x1003)[...])) }
        scheduler.advance(by: 1)
        monitor.queue.sync {}
        #expect(!monitor.path(to: target).isExpensive)
        monitor.queue.sync { monitor.take(LinkMessage.parse(Make.link(2, "wlan0")[...])) }
        #expect(monitor.path(to: target).isCostPending)
        #expect(
            await eventually {
                self.scheduler.advance(by: 1)
                return costs.count == 2
            })
        #expect(!monitor.path(to: target).isCostPending)

        // A question more when NetworkManager has had its time, and then peace.
        #expect(
            await eventually {
                self.scheduler.advance(by: 1)
                return source.asked.withLock { $0.count } >= 3 && self.scheduler.nextDelay == nil
            })
        observation.cancel()
    }

    @Test func refreshesOldCosts() async {
        let source = Source()
        let monitor = monitor(source)
        #expect(await eventually { source.asked.withLock { $0.count } == 1 })
        _ = monitor.path(to: target)
        monitor.queue.sync {}
        #expect(source.asked.withLock { $0.count } == 1)
        scheduler.advance(by: LinkMonitor.freshness + 1)
        _ = monitor.path(to: target)
        #expect(await eventually { source.asked.withLock { $0.count } == 2 })
    }

    @Test func cancelledObserversAreNotCalled() async {
        let monitor = monitor(Source(isThere: false))
        let counter = Counter()
        let first = monitor.addObserver { _ in counter.add() }
        do { _ = monitor.addObserver { _ in counter.add() } }
        monitor.queue.sync { monitor.take(LinkMessage.parse(Make.link(2, "wlan0", flags: 0)[...])) }
        scheduler.advance(by: 0.05)
        monitor.queue.sync {}
        #expect(counter.count == 1)
        first.cancel()
        monitor.queue.sync { monitor.take(LinkMessage.parse(Self.wifi[...])) }
        scheduler.advance(by: 1)
        monitor.queue.sync {}
        #expect(counter.count == 1)
    }
}
