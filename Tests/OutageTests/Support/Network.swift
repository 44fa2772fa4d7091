// SPDX-License-Identifier: MIT

import Foundation
import Glibc
import Testing
import TransferTesting

/// A client and a server, each in a namespace, with a switch between them whose cables can be pulled. `lan0` is the
/// client's interface, `far0` the server's; `lan1` and `far1` are a second pair that is plugged in by
/// ``plugInSecond()``.
///
/// Everything is gone with the last reference, also where a test fails.
final class Network: Sendable {
    static let client = "10.77.0.2"
    static let server = "10.77.0.1"
    static let secondClient = "10.78.0.2"
    static let secondServer = "10.78.0.1"

    let client: NetworkNamespace
    let server: NetworkNamespace
    let middle: NetworkNamespace

    init() throws {
        (client, server, middle) = (try NetworkNamespace(), try NetworkNamespace(), try NetworkNamespace())
        for namespace in [client, server, middle] { try namespace.set("link set lo up") }
        try connect(0)
        try client.set("route add default via \(Self.server)")
    }

    /// Pair number `number`: two cables into one bridge.
    private func connect(_ number: Int) throws {
        try middle.set([
            "link add br\(number) type bridge", "link set br\(number) up",
            "link add near\(number) type veth peer name lan\(number) netns \(client.name)",
            "link add away\(number) type veth peer name far\(number) netns \(server.name)",
            "link set near\(number) master br\(number)", "link set away\(number) master br\(number)",
            "link set near\(number) up", "link set away\(number) up",
        ])
        try server.set(["address add 10.7\(7 + number).0.1/24 dev far\(number)", "link set far\(number) up"])
        try client.set(["address add 10.7\(7 + number).0.2/24 dev lan\(number)", "link set lan\(number) up"])
    }

    /// A second interface with a way to the same server, worse in the system's eyes.
    func plugInSecond() throws {
        try connect(1)
        try client.set("route add default via \(Self.secondServer) metric 600")
    }

    /// Pulls the cable of the client's interface at the switch, or puts it back.
    func plug(_ isIn: Bool, _ number: Int = 0) throws {
        try middle.set("link set near\(number) \(isIn ? "up" : "down")")
    }

    /// Connections that the server's kernel has taken so far.
    func connectionsTaken() async throws -> Int {
        let words = server.words(for: "/bin/cat", ["/proc/net/snmp"])
        let text = try await Program.output(words)
        let lines = text.split(separator: "\n").filter { $0.hasPrefix("Tcp:") }.map { $0.split(separator: " ") }
        let index = try #require(lines.first?.firstIndex(of: "PassiveOpens"))
        return try #require(Int(lines[1][index]))
    }
}

extension Trait where Self == ConditionTrait {
    /// With `CI=true` nothing may be skipped by root.
    static var needsNetworks: Self {
        .enabled(
            if: NetworkNamespace.isAvailable || (ProcessInfo.processInfo.environment["CI"] == "true" && geteuid() == 0),
            "network namespaces need root and iproute2")
    }
}
