// SPDX-License-Identifier: MIT

import SessionCore
import Testing
import TransferModel
import TransferTesting

@Suite struct PathRequirementsTests {
    private static let wired = NetworkInterface(name: "eth0", kind: .wired)
    private static let wifi = NetworkInterface(name: "wlan0", kind: .wifi)
    private static let modem = NetworkInterface(name: "wwan0", kind: .cellular, isExpensive: true)
    private static let tunnel = NetworkInterface(name: "wg0", kind: .vpn, isExpensive: true)
    private static let slow = NetworkInterface(name: "sat0", kind: .other, isConstrained: true)

    private func path(
        _ chosen: NetworkInterface?, _ others: [NetworkInterface] = [],
        status: NetworkPath.Status = .satisfied
    ) -> NetworkPath {
        NetworkPath(
            status: status, interface: chosen, alternatives: others, interfaces: [chosen].compactMap { $0 } + others)
    }

    private func requirements(_ change: (inout PathRequirements) -> Void = { _ in }) -> PathRequirements {
        var requirements = PathRequirements()
        change(&requirements)
        return requirements
    }

    private func wait(_ requirements: PathRequirements, _ path: NetworkPath) -> PathWait? {
        if case .waits(let wait) = requirements.evaluate(path, host: "example.org") { wait } else { nil }
    }

    @Test func unrestrictedRequestsUseAnyNetwork() {
        for interface in [Self.wired, Self.wifi, Self.modem, Self.tunnel, Self.slow] {
            #expect(PathRequirements().evaluate(path(interface), host: "h") == .satisfied(boundTo: nil))
        }
        #expect(PathRequirements().evaluate(path(nil), host: "h") == .satisfied(boundTo: nil))
        #expect(PathRequirements().evaluate(path(nil, status: .unknown), host: "h") == .satisfied(boundTo: nil))
    }

    @Test(
        arguments: [
            (modem, "only a cellular network (wwan0) is up", .cellular),
            (modem, "only an expensive network (wwan0) is up", .expensive),
            (tunnel, "only an expensive network (wg0) is up", .expensive),
            (slow, "only a constrained network (sat0) is up", .constrained),
        ] as [(NetworkInterface, String, NetworkUnavailableReason)])
    func restrictedRequestsWait(interface: NetworkInterface, message: String, reason: NetworkUnavailableReason) {
        let requirements = requirements {
            $0.allowsCellular = reason != .cellular
            $0.allowsExpensive = reason != .expensive
            $0.allowsConstrained = reason != .constrained
        }
        let wait = wait(requirements, path(interface))
        #expect(wait?.message == message)
        #expect(wait?.unavailableReason == reason)
        #expect(wait?.canBeLifted == true)
        // Another interface carries it, once it is bound to that.
        #expect(requirements.evaluate(path(interface, [Self.wired]), host: "h") == .satisfied(boundTo: "eth0"))
        var deliberate = path(interface, [Self.wired])
        deliberate.isDeliberate = true
        #expect(self.wait(requirements, deliberate)?.unavailableReason == reason)
    }

    @Test(
        arguments: [
            ([], []), (["wlan0"], ["wlan0"]), (["cellular", "eth0"], ["wwan0", "eth0"]),
            (["usb0", "wifi", "wlan0"], ["wlan0"]), (["wired", "cellular", "wifi"], ["eth0", "wwan0", "wlan0"]),
        ] as [([String], [String])])
    func prefersNamesAndKindsInOrder(_ words: [String], _ names: [String]) {
        let found = PathOverrides(preferred: words).preferred(among: [Self.wifi, Self.wired, Self.modem])
        #expect(found.map(\.name) == names)
        var tethered = Self.wifi
        tethered.isCellular = true
        #expect(PathOverrides(preferred: ["cellular"]).preferred(among: [tethered]) == [tethered])
    }

    @Test func usesThePreferredInterfaceThatIsAllowed() {
        var path = self.path(Self.wired, [Self.wifi, Self.modem])
        path.preferred = [Self.modem, Self.wifi]
        #expect(PathRequirements().evaluate(path, host: "h") == .satisfied(boundTo: "wwan0"))
        let cheap = requirements { $0.allowsExpensive = false }
        #expect(cheap.evaluate(path, host: "h") == .satisfied(boundTo: "wlan0"))
        #expect(requirements { $0.interface = "eth0" }.evaluate(path, host: "h") == .satisfied(boundTo: "eth0"))
        // The default route needs no binding.
        path.preferred = [Self.wired]
        #expect(PathRequirements().evaluate(path, host: "h") == .satisfied(boundTo: nil))
        path.status = .unsatisfied(.routeDown(host: "h", interface: "eth0", isUp: true))
        path.preferred = [Self.modem]
        #expect(PathRequirements().evaluate(path, host: "h") == .satisfied(boundTo: "wwan0"))
    }

    @Test func avoidsADeadRoute() {
        let status = NetworkPath.Status.unsatisfied(.routeDown(host: "example.org", interface: "eth0", isUp: true))
        #expect(
            wait(PathRequirements(), path(Self.wired, status: status))?.message
                == "no route to example.org: eth0 is not connected")
        #expect(
            PathRequirements().evaluate(path(Self.wired, [Self.wifi], status: status), host: "h")
                == .satisfied(boundTo: "wlan0"))
        let cheap = requirements { $0.allowsExpensive = false }
        #expect(wait(cheap, path(Self.wired, [Self.modem], status: status))?.unavailableReason == .expensive)
    }

    @Test func pendingCostsDelayOnlyRestrictedRequests() {
        var path = path(Self.wifi)
        path.isCostPending = true
        #expect(PathRequirements().evaluate(path, host: "h") == .satisfied(boundTo: nil))
        let wait = wait(requirements { $0.allowsExpensive = false }, path)
        #expect(wait?.message == "asking whether wlan0 is metered")
        #expect(wait?.canBeLifted == false)
    }

    @Test func anInterfaceByName() {
        let named = requirements { $0.interface = "wlan0" }
        #expect(named.evaluate(path(Self.wired, [Self.wifi]), host: "h") == .satisfied(boundTo: "wlan0"))
        #expect(named.evaluate(path(Self.wifi), host: "h") == .satisfied(boundTo: "wlan0"))
        var arranged = path(Self.tunnel, [Self.wifi])
        arranged.isDeliberate = true
        #expect(named.evaluate(arranged, host: "h") == .satisfied(boundTo: "wlan0"))
        #expect(wait(named, path(Self.wired))?.message == "interface wlan0 does not exist")
        var path = path(Self.wired)
        path.interfaces.append(NetworkInterface(name: "wlan0", kind: .wifi, isUp: false, hasLink: false))
        #expect(wait(named, path)?.message == "interface wlan0 is down")
        path.interfaces[1].isUp = true
        #expect(wait(named, path)?.message == "interface wlan0 is not connected")
        path.interfaces[1].hasLink = true
        #expect(wait(named, path)?.message == "no route to example.org through wlan0")
        #expect(
            wait(requirements { $0.interface = "eth9" }, self.path(nil, status: .unsatisfied(.noInterface)))?.message
                == "interface eth9 does not exist")
    }

    /// Without netlink no interface is known: then it is not missing, and the route alone decides.
    @Test func anInterfaceByNameWithoutLinks() {
        let named = requirements { $0.interface = "wlan0" }
        #expect(named.evaluate(NetworkPath(status: .unknown), host: "h") == .satisfied(boundTo: "wlan0"))
        #expect(named.evaluate(NetworkPath(status: .satisfied), host: "h") == .satisfied(boundTo: "wlan0"))
        let nowhere = NetworkPath(status: .unsatisfied(.noRoute(host: "h", down: nil)))
        #expect(wait(named, nowhere)?.message == "no route to h")
    }

    @Test func doesNotWaitForLoopback() {
        let lo = NetworkPath(
            status: .satisfied, interface: NetworkInterface(name: "lo", kind: .loopback), isCostPending: true)
        let strict = requirements {
            $0.allowsExpensive = false
            $0.interface = "eth0"
        }
        #expect(strict.evaluate(lo, host: "localhost") == .satisfied(boundTo: nil))
    }

    /// Binding to it fails as for any other host.
    @Test(arguments: [("lo", true), ("eth0", true), ("eth9", false)])
    func waitsForAMissingInterfaceToLoopback(name: String, exists: Bool) {
        let lo = NetworkPath(
            status: .satisfied, interface: NetworkInterface(name: "lo", kind: .loopback), interfaces: [Self.wired])
        let named = requirements { $0.interface = name }
        #expect(wait(named, lo)?.message == (exists ? nil : "interface \(name) does not exist"))
    }

    @Test(
        arguments: [
            (.noInterface, "no network interface is up"), (.notConnected(["wlan0"]), "wlan0 is not connected"),
            (.notConnected(["a", "b"]), "no network interface is connected (a, b)"),
            (.noAddress(["eth0"]), "eth0 has no address"),
            (.noAddress(["a", "b", "c", "d", "e"]), "no network interface has an address (a, b, c, d, …)"),
            (.noRoute(host: "example.org", down: "wlan0"), "no route to example.org: wlan0 is down"),
            (.noRoute(host: "evil\u{1b}[2J\nhost", down: nil), "no route to evil[2J"),
            (.routeDown(host: "h", interface: "eth0", isUp: false), "no route to h: eth0 is down"),
            (.interfaceMissing("et\u{9b}h1"), "interface eth1 does not exist"),
        ] as [(PathObstacle, String)])
    func messages(obstacle: PathObstacle, message: String) { #expect(obstacle.message == message) }
}

@Suite struct PathOverridesTests {
    private typealias Traits = PathOverrides.Traits

    @Test(
        arguments: [
            (.wifi, nil, Traits(), false, false, false), (.wifi, true, Traits(), true, false, false),
            (.cellular, nil, Traits(), true, false, true), (.cellular, false, Traits(), false, false, true),
            (.wifi, nil, Traits(isExpensive: true), true, false, false),
            (.wifi, true, Traits(isExpensive: false), false, false, false),
            (.wifi, nil, Traits(isConstrained: true), false, true, false),
            (.wired, nil, Traits(isCellular: true), true, false, true),
            (.cellular, nil, Traits(isCellular: false), false, false, false),
            (.cellular, true, Traits(isCellular: false), true, false, false),
            (.loopback, true, Traits(isExpensive: true), false, false, false),
        ] as [(NetworkInterface.Kind, Bool?, PathOverrides.Traits, Bool, Bool, Bool)])
    func overridesTakePrecedence(
        kind: NetworkInterface.Kind, isMetered: Bool?, said: PathOverrides.Traits, isExpensive: Bool,
        isConstrained: Bool, isCellular: Bool
    ) {
        let overrides = PathOverrides(interfaces: ["x0": said, "y0": .init(isExpensive: true, isConstrained: true)])
        let result = overrides.applied(to: NetworkInterface(name: "x0", kind: kind), isMetered: isMetered)
        #expect(
            result.isExpensive == isExpensive && result.isConstrained == isConstrained
                && result.isCellular == isCellular)
    }

    @Test func allCanBeConstrainedButOne() {
        let overrides = PathOverrides(interfaces: ["eth0": .init(isConstrained: false)], constrainsAll: true)
        #expect(overrides.applied(to: NetworkInterface(name: "wlan0", kind: .wifi), isMetered: nil).isConstrained)
        #expect(!overrides.applied(to: NetworkInterface(name: "eth0", kind: .wired), isMetered: nil).isConstrained)
    }
}

@Suite struct FakePathMonitorTests {
    @Test func reportsTheGivenPath() {
        let monitor = FakePathMonitor()
        let heard = Counter()
        let observation = monitor.addObserver { if $0.available == ["eth0"] { heard.add() } }
        #expect(monitor.path(to: PathTarget(host: "a")).status == .satisfied)
        monitor.set(FakePathMonitor.none)
        monitor.set(FakePathMonitor.wired, for: "b")
        #expect(monitor.path(to: PathTarget(host: "a")).status == .unsatisfied(.noInterface))
        #expect(monitor.path(to: PathTarget(host: "b")).interface?.name == "eth0")
        monitor.fire(PathChange(available: ["eth0"]))
        observation.cancel()
        observation.cancel()
        monitor.fire(PathChange(available: ["eth0"]))
        #expect(heard.count == 1)
        #expect(monitor.observerCount == 0)
        #expect(monitor.asked.map(\.host) == ["a", "a", "b"])
    }
}
