// SPDX-License-Identifier: MIT

import Foundation
import SessionCore
import Testing
import TransferTesting

@testable import NetworkPath

@Suite struct InterfaceKindTests {
    @Test(
        arguments: [
            (1, nil, nil, false, .wired), (1, "veth", nil, false, .wired), (1, "vlan", "vlan", false, .wired),
            (32, nil, nil, false, .wired), (1, nil, "wlan", true, .wifi), (1, nil, nil, true, .wifi),
            (803, nil, nil, false, .wifi),
            (65534, nil, "wwan", false, .cellular), (1, nil, "wwan", false, .cellular),
            (1, "wwan", nil, false, .cellular),
            (519, nil, nil, false, .cellular), (512, "ppp", "ppp", false, .cellular),
            (65534, "tun", nil, false, .vpn), (1, "tun", nil, false, .vpn),
            (65534, "wireguard", "wireguard", false, .vpn),
            (65534, nil, nil, false, .vpn), (776, "sit", nil, false, .vpn),
            (1, "bridge", "bridge", false, .other), (1, "dummy", nil, false, .other), (1, "ifb", nil, false, .other),
            (772, nil, nil, false, .loopback), (280, "can", nil, false, .other),
        ] as [(UInt16, String?, String?, Bool, NetworkInterface.Kind)])
    func kinds(type: UInt16, driver: String?, deviceType: String?, isWireless: Bool, kind: NetworkInterface.Kind) {
        let link = Link(index: 2, name: "x0", type: type, driver: driver, isUp: true, hasLink: true)
        #expect(NetworkInterface.Kind(link, InterfaceFacts(deviceType: deviceType, isWireless: isWireless)) == kind)
    }

    @Test func readsTheInterfacesOwnFolder() throws {
        let folder = try TemporaryFolder()
        let place = "\(folder.path)/wlp1s0"
        try FileManager.default.createDirectory(atPath: "\(place)/phy80211", withIntermediateDirectories: true)
        try Data("DEVTYPE=wlan\nINTERFACE=wlp1s0\nIFINDEX=4\n".utf8).write(to: URL(filePath: "\(place)/uevent"))
        try Data("4\n".utf8).write(to: URL(filePath: "\(place)/ifindex"))
        func facts(_ index: Int32, _ name: String) -> InterfaceFacts {
            InterfaceFacts.read(
                Link(index: index, name: name, type: 1, driver: nil, isUp: true, hasLink: true), in: folder.path)
        }
        #expect(facts(4, "wlp1s0") == InterfaceFacts(deviceType: "wlan", isWireless: true))
        // The same name in another network namespace.
        #expect(facts(5, "wlp1s0") == InterfaceFacts())
        #expect(facts(4, "eth0") == InterfaceFacts())
    }
}
