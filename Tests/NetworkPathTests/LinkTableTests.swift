// SPDX-License-Identifier: MIT

import SessionCore
import Testing

@testable import NetworkPath

@Suite struct LinkTableTests {
    private typealias Make = MessageBuilder

    private static let plain =
        Make.link(1, "lo", type: 772, flags: 0x10049) + Make.link(2, "eth0") + Make.link(3, "wlan0")
        + Make.address(2, "10.0.0.2") + Make.address(3, "10.1.0.2")
        + Make.route("10.0.0.0/24", through: 2) + Make.route("10.1.0.0/24", through: 3)
        + Make.route("default4", through: 2, gateway: "10.0.0.1", metric: 100)
        + Make.route("default4", through: 3, gateway: "10.1.0.1", metric: 600)

    private func table(_ bytes: [UInt8] = plain) -> LinkTable { LinkTable(LinkMessage.parse(bytes[...])) }

    private func change(_ table: inout LinkTable, _ bytes: [UInt8]) -> PathChange {
        LinkMessage.parse(bytes[...]).reduce(into: PathChange()) { $0.formUnion(table.apply($1)) }
    }

    @Test(arguments: [
        // A repeated message is no change.
        (plain, PathChange()),
        (Make.link(2, "eth0", flags: 0x1003), PathChange(lost: ["eth0"])),
        (Make.link(2, "eth0", flags: 0x1002), PathChange(lost: ["eth0"])),
        (Make.link(2, "eth0", removed: true), PathChange(lost: ["eth0"])),
        (Make.link(2, "lan0"), PathChange(available: ["lan0"], lost: ["eth0"])),
        (
            Make.link(3, "wlan0", flags: 0x1003) + Make.link(3, "wlan0"),
            PathChange(available: ["wlan0"], lost: ["wlan0"])
        ),
        (Make.address(3, "10.1.0.2", removed: true), PathChange(lost: ["wlan0"])),
        (Make.address(3, "10.7.0.2", removed: true), PathChange()),
        (Make.address(3, "2001:db8::2"), PathChange(available: ["wlan0"])),
        (Make.address(3, "2001:db8::2", flags: 0x40), PathChange()),
        (
            Make.route("default4", through: 2, gateway: "10.0.0.1", metric: 100, removed: true),
            PathChange(lost: ["eth0"])
        ),
        (
            Make.route("default4", through: 3, gateway: "10.1.0.1", metric: 50),
            PathChange(available: ["wlan0"], hasBetterPath: true)
        ),
        (Make.link(4, "wwan0"), PathChange()),
        (Make.link(4, "wwan0") + Make.route("default4", through: 4, metric: 700), PathChange(available: ["wwan0"])),
        (Make.link(1, "lo", type: 772, flags: 0), PathChange()),
        (Make.route("127.0.0.0/8", through: 1), PathChange()),
    ])
    func messageEffects(bytes: [UInt8], expected: PathChange) {
        var table = table()
        #expect(change(&table, bytes) == expected)
    }

    @Test(
        arguments: [
            (Make.link(2, "eth0", flags: 0x1002), true), (Make.link(2, "eth0", flags: 0x1003), false),
            (Make.address(3, "10.1.0.2", removed: true), true), (Make.address(3, "2001:db8::2", removed: true), false),
            (Make.route("default4", through: 3, replaces: true), true), (Make.route("default4", through: 9), true),
            (Make.address(9, "10.0.0.1"), true), ([1, 0, 0, 0], true), (plain, false),
        ] as [([UInt8], Bool)])
    func knowsWhenItMayBeWrong(bytes: [UInt8], isStale: Bool) {
        var table = table()
        _ = change(&table, bytes)
        #expect(table.isStale == isStale)
    }

    @Test func disabledInterfacesLoseTheirRoutes() {
        var table = table(Self.plain + Make.route("default6", through: 2))
        _ = change(&table, Make.link(2, "eth0", flags: 0x1002))
        #expect(table.routes[2]?.map(\.destination.family) == [.ipv6])
        #expect(table.defaults.count == 2)
        #expect(change(&table, Make.link(2, "eth0")) == PathChange(available: ["eth0"]))
    }

    @Test func newDumpsReportDifferences() {
        var table = table()
        #expect(table.replace(with: self.table()).isEmpty)
        let other =
            Make.link(2, "eth0") + Make.address(2, "10.0.0.2") + Make.route("10.0.0.0/24", through: 2)
            + Make.link(4, "wwan0") + Make.route("default4", through: 4, metric: 700)
        #expect(table.replace(with: self.table(other)) == PathChange(available: ["wwan0"], lost: ["eth0", "wlan0"]))
        #expect(!table.isStale)
        #expect(table.links.keys.sorted() == [2, 4])
    }

    @Test(arguments: [
        ("8.8.8.8", ["eth0", "wlan0"]), ("10.1.0.9", ["wlan0", "eth0"]), ("2001:db8::1", []),
        ("10.0.0.9", ["eth0", "wlan0"]),
    ])
    func interfacesToAnAddress(_ address: String, names: [String]) {
        #expect(table().interfaces(to: HostAddress(address)!).map(\.name) == names)
    }

    @Test func downInterfacesHaveNoPath() {
        var table = table()
        _ = change(&table, Make.link(2, "eth0", flags: 0x1003))
        #expect(table.interfaces(to: nil).map(\.name) == ["wlan0"])
    }

    @Test func staysBounded() {
        var table = table()
        for number in 0..<(LinkTable.maximumRoutes + 50) {
            let text = "10.\(number >> 16).\(number >> 8 & 255).\(number & 255)/32"
            _ = change(&table, Make.route(text, through: 2))
        }
        #expect(table.routes.values.reduce(0) { $0 + $1.count } == LinkTable.maximumRoutes)
        _ = change(&table, Make.link(2, "eth0", removed: true))
        _ = change(&table, Make.route("172.16.0.0/12", through: 3))
        #expect(table.routes[3]?.count == 3)
    }

    @Test(arguments: [("eth0", "eth0"), ("ETH0", "eth0"), ("3", "wlan0"), ("eth9", nil), ("9", nil)])
    func zones(_ zone: String, name: String?) { #expect(table().link(inZone: zone)?.name == name) }
}
