// SPDX-License-Identifier: MIT

import Glibc
import SessionCore
import Testing
import TransferModel

@testable import NetworkPath

@Suite struct NetworkViewTests {
    private typealias Make = MessageBuilder

    /// Returns the given routes, and ENETUNREACH for everything else.
    private struct Answers: RouteLookup {
        var byAddress: [String: RouteAnswer] = [:]
        var byIndex: [Int32: RouteAnswer] = [:]

        func route(to address: HostAddress, through index: Int32?) -> RouteAnswer {
            index.flatMap { byIndex[$0] } ?? byAddress["\(address)"] ?? .none(ENETUNREACH)
        }
    }

    private static let world = "192.0.2.1"
    private static let lo = Make.link(1, "lo", type: 772, flags: 0x10049)
    private static let wired =
        Make.link(2, "eth0") + Make.address(2, "10.0.0.2") + Make.route("10.0.0.0/24", through: 2)
    private static let wifi =
        Make.link(3, "wlan0") + Make.address(3, "10.1.0.2") + Make.route("10.1.0.0/24", through: 3)
    private static let modem =
        Make.link(4, "wwan0", type: 519) + Make.address(4, "10.4.0.2")
        + Make.route("default4", through: 4, metric: 700)
    private static let tunnel = Make.link(5, "wg0", type: 65534, driver: "wireguard") + Make.address(5, "10.5.0.2")
    private static let eth0Off = Make.link(2, "eth0", flags: 0x1002)
    private static let eth0Unplugged = Make.link(2, "eth0", flags: 0x1003)

    private func view(_ parts: [UInt8]..., overrides: PathOverrides = .init()) -> NetworkView {
        let table = LinkTable(LinkMessage.parse(([Self.lo] + parts).joined()[...].map { $0 }[...]))
        return NetworkView(table: table, kinds: [3: .wifi], overrides: overrides)
    }

    private func way(_ index: Int32, _ source: String = "10.0.0.2") -> RouteAnswer {
        .route(index: index, source: HostAddress(source))
    }

    @Test(arguments: [
        "127.0.0.1", "127.9.9.9", "::1", "::ffff:127.0.0.1", "0.0.0.0", "::", "localhost", "A.LocalHost.",
    ])
    func loopbackNeedsNoNetwork(_ host: String) {
        for view in [NetworkView(), view()] {
            let path = view.path(to: PathTarget(host: host), asking: Answers())
            #expect(path.status == .satisfied)
            #expect(path.interface?.kind == .loopback)
        }
    }

    @Test func localAddressesAreLoopback() {
        let path = view(Self.wired).path(
            to: PathTarget(host: "10.0.0.2"), asking: Answers(byAddress: ["10.0.0.2": .local]))
        #expect(path.interface?.name == "lo")
    }

    @Test func routesSatisfy() {
        let path = view(Self.wired, Self.modem).path(
            to: PathTarget(host: "10.0.0.9"), asking: Answers(byAddress: ["10.0.0.9": way(2)]))
        #expect(path.status == .satisfied)
        #expect(path.interface == NetworkInterface(name: "eth0", kind: .wired))
        #expect(path.sourceAddress == HostAddress("10.0.0.2"))
        #expect(path.alternatives.map(\.name) == ["wwan0"])
        #expect(path.interfaces.map(\.name) == ["eth0", "wwan0"])
        #expect(!path.isDeliberate)
    }

    @Test func oneFamilyIsEnough() {
        let target = PathTarget(
            host: "example.org", addresses: [HostAddress("2001:db8:5::1")!, HostAddress("203.0.113.5")!])
        let path = view(Self.wired).path(to: target, asking: Answers(byAddress: ["203.0.113.5": way(2)]))
        #expect(path.status == .satisfied)
    }

    @Test(
        arguments: [
            ([], PathObstacle.noInterface), ([eth0Off], .noInterface), ([eth0Unplugged], .notConnected(["eth0"])),
            ([Make.link(2, "eth0")], .noAddress(["eth0"])),
            ([wired, Make.link(3, "wlan0", flags: 0x1003)], .noRoute(host: "203.0.113.5", down: "wlan0")),
            ([wired], .noRoute(host: "203.0.113.5", down: nil)),
            // A bridge of containers is no network for people.
            ([eth0Off, Make.link(9, "docker0", driver: "bridge"), Make.address(9, "172.17.0.1")], .noInterface),
        ] as [([[UInt8]], PathObstacle)])
    func namesTheObstacle(parts: [[UInt8]], obstacle: PathObstacle) {
        let path = view(parts.flatMap { $0 }).path(to: PathTarget(host: "203.0.113.5"), asking: Answers())
        #expect(path.status == .unsatisfied(obstacle))
    }

    @Test func ignoresRoutesOverADeadLink() {
        let view = view(Self.wired, Self.modem, Self.eth0Unplugged)
        let path = view.path(to: PathTarget(host: "10.0.0.9"), asking: Answers(byAddress: ["10.0.0.9": way(2)]))
        #expect(path.status == .unsatisfied(.routeDown(host: "10.0.0.9", interface: "eth0", isUp: true)))
        #expect(path.interface?.name == "eth0")
        #expect(path.alternatives.map(\.name) == ["wwan0"])
        #expect(PathRequirements().evaluate(path, host: "10.0.0.9") == .satisfied(boundTo: "wwan0"))
    }

    @Test func namesNeverResolved() {
        let name = PathTarget(host: "example.org")
        // The world can be reached.
        #expect(view(Self.wired).path(to: name, asking: Answers(byAddress: [Self.world: way(2)])).status == .satisfied)
        #expect(
            view(Self.wired).path(to: name, asking: Answers(byAddress: ["2001:db8::1": way(2)])).status == .satisfied)
        // The stand-in is blocked, but there is a way to everywhere; or a way to something, where the name may live.
        #expect(view(Self.modem).path(to: name, asking: Answers()).interface?.name == "wwan0")
        #expect(view(Self.wired).path(to: name, asking: Answers()).interface?.name == "eth0")
        #expect(view().path(to: name, asking: Answers()).status == .unsatisfied(.noInterface))
    }

    @Test func zonesOfLinkLocalAddresses() {
        let view = view(Self.wired)
        let answers = Answers(byIndex: [2: way(2, "fe80::2")])
        #expect(view.path(to: PathTarget(host: "fe80::1%eth0"), asking: answers).interface?.name == "eth0")
        #expect(view.path(to: PathTarget(host: "fe80::1%252"), asking: answers).interface?.name == "eth0")
        #expect(
            view.path(to: PathTarget(host: "fe80::1%eth7"), asking: answers).status
                == .unsatisfied(.interfaceMissing("eth7")))
        #expect(view.path(to: PathTarget(host: "fe80::1"), asking: answers).status == .unknown)
    }

    @Test func worksWithoutNetlink() {
        let answers = Answers(byAddress: ["203.0.113.5": .route(index: nil, source: HostAddress("10.0.0.2"))])
        let path = NetworkView().path(to: PathTarget(host: "203.0.113.5"), asking: answers)
        #expect(path.status == .satisfied)
        #expect(path.interface == nil)
        #expect(view(Self.wired).path(to: PathTarget(host: "203.0.113.5"), asking: answers).interface?.name == "eth0")
        let none = NetworkView().path(to: PathTarget(host: "203.0.113.5"), asking: Answers())
        #expect(none.status == .unsatisfied(.noRoute(host: "203.0.113.5", down: nil)))
        let silent = NetworkView().path(
            to: PathTarget(host: "203.0.113.5"), asking: Answers(byAddress: ["203.0.113.5": .unknown]))
        #expect(silent.status == .unknown)
    }

    /// Nothing is sent past a tunnel, or past rules, for being free of charge.
    @Test func respectsRoutingPolicies() {
        let answers = Answers(byAddress: ["203.0.113.5": way(5)])
        let target = PathTarget(host: "203.0.113.5")
        let world = Make.route("default4", through: 2)
        #expect(view(Self.wired, world, Self.tunnel).path(to: target, asking: answers).isDeliberate)
        let dead = Make.link(5, "wg0", type: 65534, flags: 0x1002, driver: "wireguard")
        #expect(view(Self.wired, world, Self.tunnel, dead).path(to: target, asking: answers).isDeliberate)
        #expect(view(Self.wired, world).path(to: target, asking: Answers()).isDeliberate)
        let table = Make.route("default4", through: 2, table: 100)
        #expect(
            view(Self.wired, table).path(to: target, asking: Answers(byAddress: ["203.0.113.5": way(2)])).isDeliberate)
    }

    @Test func tunnelsHaveTheCostBelow() {
        let target = PathTarget(host: "203.0.113.5")
        let answers = Answers(byAddress: ["203.0.113.5": way(5)])
        let over = view(Self.modem, Self.tunnel).path(to: target, asking: answers)
        #expect(over.isExpensive && over.isCellular)
        #expect(!view(Self.modem, Self.wired, Self.tunnel).path(to: target, asking: answers).isExpensive)
        let said = PathOverrides(interfaces: ["wg0": .init(isExpensive: false)])
        #expect(!view(Self.modem, Self.tunnel, overrides: said).path(to: target, asking: answers).isExpensive)
    }

    @Test func prefersUsableInterfacesWithARoute() {
        let target = PathTarget(host: "203.0.113.5")
        let answers = Answers(byAddress: ["203.0.113.5": way(2)])
        let world = Make.route("default4", through: 2)
        let order = PathOverrides(preferred: ["wlan0", "cellular", "wired"])
        // wlan0 has no route to that host.
        let path = view(Self.wired, world, Self.wifi, Self.modem, overrides: order).path(to: target, asking: answers)
        #expect(path.interface?.name == "eth0" && path.preferred.map(\.name) == ["wwan0", "eth0"])
        let tunnel = Answers(byAddress: ["203.0.113.5": way(5)])
        let policy = view(Self.wired, world, Self.modem, Self.tunnel, overrides: order).path(to: target, asking: tunnel)
        #expect(policy.isDeliberate && policy.preferred.isEmpty)
    }

    @Test func pendingCosts() {
        var view = view(Self.wired)
        let answers = Answers(byAddress: ["10.0.0.9": way(2)])
        #expect(!view.path(to: PathTarget(host: "10.0.0.9"), asking: answers).isCostPending)
        view.costs.isSourceThere = true
        #expect(view.path(to: PathTarget(host: "10.0.0.9"), asking: answers).isCostPending)
        let isNew = [view.costs.record(true, of: 2), view.costs.record(true, of: 2), view.costs.record(nil, of: 2)]
        #expect(isNew == [true, false, true])
        _ = view.costs.record(true, of: 2)
        let path = view.path(to: PathTarget(host: "10.0.0.9"), asking: answers)
        #expect(path.isExpensive && !path.isCostPending)
        view.costs.keep(only: [])
        #expect(view.costs.isPending(2) && view.costs.isMetered(2) == nil)
    }

    @Test func queriesDefaultRoutesFirst() {
        #expect(view(Self.wired, Self.modem, Self.tunnel).linksToAskAbout.map(\.name) == ["wwan0", "eth0"])
    }

    @Test(arguments: [
        (Make.route("default4", through: 7, type: 1), RouteAnswer.route(index: 7, source: nil)),
        (Make.route("10.0.0.1/32", through: 1, type: 2), .local),
        (Make.route("10.0.0.1/32", through: 1, type: 7), .none(EHOSTUNREACH)),
        (Make.message(2, Make.bytes(-ENETUNREACH)), .none(ENETUNREACH)),
        (Make.message(2, Make.bytes(-EACCES)), .none(EACCES)),
        (Make.message(2, Make.bytes(-EPERM)), .unknown), (Make.message(2, []), .unknown), ([], .unknown),
        ([9, 9], .unknown),
    ])
    func answersOfTheKernel(bytes: [UInt8], answer: RouteAnswer) {
        #expect(KernelRoutes.answer(in: bytes[...]) == answer)
    }

    @Test func asksTheKernel() {
        #expect(KernelRoutes().route(to: HostAddress("127.0.0.1")!, through: nil) == .local)
        #expect(KernelRoutes.connectDatagram(HostAddress("127.0.0.1")!) == .local)
    }
}
