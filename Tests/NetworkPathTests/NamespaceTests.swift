// SPDX-License-Identifier: MIT

import Foundation
import Glibc
import Testing
import TransferTesting

/// The monitor against a real kernel, in networks that are made and broken.
@Suite(.serialized, .enabled(if: NetworkNamespace.isAvailable, "network namespaces need root and iproute2"))
struct NamespaceTests {
    /// `lan0`, up, with a peer that is up too; nothing else.
    private func network() throws -> NetworkNamespace {
        let network = try NetworkNamespace()
        try network.set([
            "link set lo up", "link add lan0 type veth peer name far0", "link set far0 up", "link set lan0 up",
        ])
        return network
    }

    @Test func linksAddressesAndRoutesComeAndGo() async throws {
        let network = try NetworkNamespace()
        let probe = try await ProbeProcess(in: network)
        try await probe.expect("path 127.0.0.1", "go; lo loopback")
        try await probe.expect("path example.org", "wait, no network interface is up")
        try network.set(["link add lan0 type veth peer name far0", "link set lan0 up"])
        try await probe.expect("path example.org", "wait, lan0 is not connected")
        try network.set("link set far0 up")
        try await probe.expect("path 203.0.113.5", "wait, no network interface has an address")

        try network.set("address add 10.9.0.2/24 dev lan0")
        try await probe.line("change available=lan0 lost=- better=false")
        try await probe.expect("path 10.9.0.1", "go; lan0 wired; 10.9.0.2")
        try await probe.expect("path 203.0.113.5", "wait, no route to 203.0.113.5")

        try network.set("route add default via 10.9.0.1")
        try await probe.line("change available=lan0")
        try await probe.expect("path 203.0.113.5", "go; lan0 wired; 10.9.0.2")
        try await probe.expect("path example.org", "go; lan0 wired; 10.9.0.2")

        try network.set("link set far0 down")
        try await probe.line("change ", with: "lost=lan0")
        try await probe.expect("path 203.0.113.5", "wait, no route to 203.0.113.5: lan0 is not connected")
        try network.set("link set far0 up")
        try await probe.line("change available=lan0")
        try await probe.expect("path 203.0.113.5", "go; lan0 wired")

        try network.set("route delete default")
        try await probe.line("change ", with: "lost=lan0")
        try await probe.expect("path 203.0.113.5", "wait, no route to 203.0.113.5")
        try network.set("route add default via 10.9.0.1")
        try await probe.expect("path 203.0.113.5", "go; lan0 wired")

        // The kernel takes the default route away with the last address, and says nothing of it.
        try network.set("address delete 10.9.0.2/24 dev lan0")
        try await probe.line("change ", with: "lost=lan0")
        try await probe.expect("path example.org", "wait, no network interface has an address")
        try network.set(["address add 10.9.0.2/24 dev lan0", "route add default via 10.9.0.1"])
        try await probe.expect("path example.org", "go; lan0 wired")

        try network.set("link set lan0 down")
        try await probe.expect("path example.org", "wait, far0 is not connected")
        try network.set("link set lan0 up")
        try await probe.expect("path 10.9.0.1", "go; lan0 wired")
        // The default route has not come back with the link.
        try await probe.expect("path 203.0.113.5", "wait, no route to 203.0.113.5")
        try await probe.expect("via lan0 203.0.113.5", "wait, no route to 203.0.113.5 through lan0")

        try network.set("link delete lan0")
        try await probe.expect("path example.org", "wait, no network interface is up")
        try await probe.expect("via lan0 example.org", "wait, interface lan0 does not exist")
    }

    @Test func aSecondInterfaceOfAnotherKind() async throws {
        let network = try network()
        try network.set(["address add 10.9.0.2/24 dev lan0", "route add default via 10.9.0.1 metric 100"])
        let probe = try await ProbeProcess(in: network, "--expensive", "lan0")
        try await probe.expect("path 203.0.113.5", "go; lan0 wired")
        try await probe.expect("cheap 203.0.113.5", "wait, only an expensive network (lan0) is up")

        try network.set([
            "link add br0 type bridge", "link add in0 type veth peer name in1", "link set in0 master br0",
            "link set in1 up", "link set in0 up", "link set br0 up", "address add 10.8.0.2/24 dev br0",
            "route add default via 10.8.0.1 metric 600",
        ])
        try await probe.line("change available=br0")
        try await probe.expect("path 203.0.113.5", "go; lan0 wired; 10.9.0.2; br0")
        try await probe.expect("cheap 203.0.113.5", "go bound to br0")
        try await probe.expect("via br0 203.0.113.5", "go bound to br0")

        // The cable is pulled and the route stays: the system would still send there.
        try network.set("link set far0 down")
        try await probe.expect("path 203.0.113.5", "go bound to br0; lan0 wired")
        try network.set("link set far0 up")
        try await probe.expect("path 203.0.113.5", "go; lan0 wired; 10.9.0.2; br0")

        try network.set("route add default via 10.8.0.1 metric 50")
        #expect(await eventually { probe.changes.contains { $0.contains("better=true") } })
        try await probe.expect("path 203.0.113.5", "go; br0 other; 10.8.0.2; lan0")
        try await probe.expect("cheap 203.0.113.5", "go; br0 other")

        try network.set("link delete br0")
        try await probe.expect("path 203.0.113.5", "go; lan0 wired; 10.9.0.2; -")
    }

    @Test func withIPv6Alone() async throws {
        let network = try network()
        let probe = try await ProbeProcess(in: network)
        try network.set(["address add 2001:db8:9::2/64 dev lan0 nodad", "route add default via 2001:db8:9::1"])
        try await probe.expect("path 2001:db8:5::1", "go; lan0 wired; 2001:db8:9::2")
        try await probe.expect("path example.org", "go; lan0 wired; 2001:db8:9::2")
        try await probe.expect("path 203.0.113.5", "wait, no route to 203.0.113.5")
        try await probe.expect("path fe80::1%lan0", "go; lan0 wired")
        try await probe.expect("path fe80::1%lan9", "wait, interface lan9 does not exist")
        try network.set("-6 route delete default")
        try await probe.expect("path 2001:db8:5::1", "wait, no route to 2001:db8:5::1")
    }

    @Test func handlesRenamesAndReplacedRoutes() async throws {
        let network = try network()
        try network.set(["address add 10.9.0.2/24 dev lan0", "route add default via 10.9.0.1"])
        let probe = try await ProbeProcess(in: network)
        try await probe.expect("path 203.0.113.5", "go; lan0 wired")
        try network.set(["link set lan0 down", "link set lan0 name wan7", "link set wan7 up"])
        try await probe.line("change ", with: "available=wan7")
        try await probe.expect("path 10.9.0.1", "go; wan7 wired")
        try await probe.expect("via lan0 10.9.0.1", "wait, interface lan0 does not exist")

        try network.set([
            "link add two0 type veth peer name two1", "link set two1 up", "link set two0 up",
            "address add 10.7.0.2/24 dev two0", "route add default via 10.9.0.1",
        ])
        try await probe.expect("path 203.0.113.5", "go; wan7 wired")
        try await probe.line("change ", with: "two0")
        try network.set("route replace default via 10.7.0.1")
        // Were the replaced one still believed in, it would be named here as another way.
        try await probe.expect("path 203.0.113.5", "go; two0 wired; 10.7.0.2; -")
    }

    @Test func manyFlapsAreFewChanges() async throws {
        let network = try network()
        try network.set("address add 10.9.0.2/24 dev lan0")
        let probe = try await ProbeProcess(in: network)
        let start = ContinuousClock.now
        var flaps = 0
        while ContinuousClock.now - start < .seconds(2) {
            try network.set((0..<20).flatMap { _ in ["link set lan0 down", "link set lan0 up"] })
            flaps += 20
        }
        try await probe.expect("path 10.9.0.1", "go; lan0 wired")
        let seconds = Int((ContinuousClock.now - start).components.seconds)
        #expect(flaps >= 20)
        #expect(probe.changes.count <= 8 + seconds, "\(probe.changes.count) changes of \(flaps) flaps in \(seconds) s")
        #expect(probe.changes.contains { $0.contains("available=lan0 lost=lan0") })
    }

    @Test func recoversFromLostMessages() async throws {
        let network = try network()
        let probe = try await ProbeProcess(in: network, "--receive-buffer", "2048")
        try await probe.expect("path 10.9.0.1", "wait")
        probe.send(SIGSTOP)
        defer { probe.send(SIGCONT) }
        try network.set(
            (1...200).map { "address add 10.10.\($0).1/24 dev lan0" }
                + [
                    "address add 10.9.0.2/24 dev lan0", "route add default via 10.9.0.1",
                    "link add late0 type veth peer name late1", "link set late1 up", "link set late0 up",
                    "address add 10.8.0.2/24 dev late0", "route add default via 10.8.0.1 metric 600",
                ])
        probe.send(SIGCONT)
        try await probe.line("change available=lan0")
        // The loss of the last interface is only known from a new dump.
        try await probe.expect("path 203.0.113.5", "go; lan0 wired; 10.9.0.2; late0")
        try probe.say("overruns")
        #expect(try await probe.line("overruns ") != "overruns 0")
    }
}
