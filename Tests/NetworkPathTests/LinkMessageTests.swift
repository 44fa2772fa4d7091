// SPDX-License-Identifier: MIT

import CLinux
import Glibc
import SessionCore
import Testing

@testable import NetworkPath

@Suite struct LinkMessageTests {
    private typealias Make = MessageBuilder

    private func parse(_ bytes: [UInt8]) -> [LinkMessage] { LinkMessage.parse(bytes[...]) }

    @Test(
        arguments: [
            (0x10043, true, true), (0x1003, true, false), (0x43, true, false), (0x10042, false, true),
            (0, false, false),
        ] as [(UInt32, Bool, Bool)])
    func flagsOfALink(flags: UInt32, isUp: Bool, hasLink: Bool) {
        let link = Link(index: 3, name: "eth0", type: 1, driver: "veth", isUp: isUp, hasLink: hasLink)
        #expect(parse(Make.link(3, "eth0", flags: flags, driver: "veth")) == [.link(link)])
    }

    @Test func invalidLinks() {
        #expect(parse(Make.link(3, "eth0", removed: true)) == [.linkRemoved(3)])
        // A bridge reports its ports in its own family: neither a link nor the loss of one.
        #expect(parse(Make.link(3, "eth0", family: AF_BRIDGE)).isEmpty)
        #expect(parse(Make.link(3, "eth0", family: AF_BRIDGE, removed: true)).isEmpty)
        for name in ["", "..", ".", "a/b", "sixteencharacter"] { #expect(parse(Make.link(3, name)).isEmpty) }
        for index: Int32 in [0, -1] { #expect(parse(Make.link(index, "eth0")).isEmpty) }
    }

    @Test(
        arguments: [
            ("192.0.2.7", nil, 0, true), ("10.0.0.1", "10.0.0.2", 0, true), ("2001:db8::7", nil, 0, true),
            ("2001:db8::7", nil, 0x40, false), ("2001:db8::7", nil, 0x48, false), ("2001:db8::7", nil, 0x44, true),
        ] as [(String, String?, UInt32, Bool)])
    func addresses(local: String, peer: String?, flags: UInt32, isUsable: Bool) {
        let one = LinkAddress(index: 2, address: HostAddress(local)!)
        #expect(
            parse(Make.address(2, local, peer: peer, flags: flags)) == [isUsable ? .address(one) : .addressRemoved(one)]
        )
        #expect(parse(Make.address(2, local, peer: peer, flags: flags, removed: true)) == [.addressRemoved(one)])
    }

    @Test func linkLocalAddressesDoNotCount() {
        #expect(parse(Make.address(2, "fe80::1")).isEmpty)
        #expect(parse(Make.address(2, "169.254.1.1")).count == 1)
    }

    @Test func routes() {
        func route(
            _ text: String, _ length: Int, _ index: Int32, table: UInt32 = 254, metric: UInt32 = 0,
            gateway: String? = nil
        ) -> Route {
            Route(
                index: index, table: table, destination: HostAddress(text)!, length: length, metric: metric,
                gateway: gateway.flatMap { HostAddress($0) })
        }
        #expect(
            parse(Make.route("default4", through: 2, gateway: "10.0.0.1", metric: 600))
                == [.routes([route("0.0.0.0", 0, 2, metric: 600, gateway: "10.0.0.1")], replaces: false)])
        #expect(
            parse(Make.route("default6", through: 2, gateway: "fe80::1"))
                == [.routes([route("::", 0, 2, gateway: "fe80::1")], replaces: false)])
        #expect(
            parse(Make.route("10.0.0.0/8", through: 2, table: 51820, replaces: true, removed: false))
                == [.routes([route("10.0.0.0", 8, 2, table: 51820)], replaces: true)])
        #expect(
            parse(Make.route("10.0.0.0/8", through: 2, removed: true)) == [.routesRemoved([route("10.0.0.0", 8, 2)])])
        #expect(
            parse(Make.route("default4", through: nil, hops: [2, 3]))
                == [
                    .routes(
                        [route("0.0.0.0", 0, 2, gateway: "10.9.0.2"), route("0.0.0.0", 0, 3, gateway: "10.9.0.3")],
                        replaces: false)
                ])
    }

    @Test(arguments: [
        Make.route("10.0.0.1/32", through: 2, table: 255),
        Make.route("10.0.0.0/8", through: nil, type: RTN_UNREACHABLE),
        Make.route("10.0.0.0/8", through: 2, type: RTN_LOCAL), Make.route("fe80::/64", through: 2),
        Make.route("ff00::/8", through: 2), Make.route("10.0.0.0/8", through: 2, flags: 0x200),
        Make.route("10.0.0.0/33", through: 2), Make.route("10.0.0.0/8", through: 0),
        Make.route("10.0.0.0/8", through: -3),
    ])
    func invalidRoutes(_ bytes: [UInt8]) { #expect(parse(bytes).isEmpty) }

    @Test func endsErrorsAndLosses() {
        #expect(parse(Make.message(Int(NLMSG_DONE), [0, 0, 0, 0])) == [.done])
        #expect(parse(Make.message(Int(NLMSG_ERROR), Make.bytes(-EPERM))) == [.failure(EPERM)])
        #expect(parse(Make.message(Int(NLMSG_ERROR), Make.bytes(Int32.min))) == [.failure(.min)])
        #expect(parse(Make.message(Int(NLMSG_ERROR), [])) == [.failure(EBADMSG)])
        #expect(parse(Make.message(Int(NLMSG_OVERRUN), [])) == [.inconsistent])
        #expect(parse(Make.message(Int(NLMSG_DONE), flags: NLM_F_DUMP_INTR, [])) == [.inconsistent, .done])
        #expect(parse(Make.message(9999, [1, 2, 3])).isEmpty)
    }

    @Test func severalInOne() {
        let bytes = Make.link(2, "a") + Make.address(2, "10.0.0.1") + Make.route("default4", through: 2)
        #expect(parse(bytes).count == 3)
    }

    /// Parsing any datagram ends, and truncation is reported.
    @Test func reportsDamage() {
        let whole =
            Make.link(2, "eth0", driver: "veth") + Make.address(2, "2001:db8::1", peer: "2001:db8::2")
            + Make.route("default4", through: nil, hops: [2, 3, 4])
        for length in 0..<whole.count {
            let messages = parse(Array(whole[..<length]))
            #expect(messages.count <= 4)
        }
        #expect(parse(Array(whole[..<20])) == [.inconsistent])
        #expect(parse([1, 0, 0, 0] + whole) == [.inconsistent])
        var generator = Numbers()
        for _ in 0..<20_000 {
            var bytes = whole
            for _ in 0..<4 {
                bytes[Int(generator.next() % UInt64(bytes.count))] = UInt8(truncatingIfNeeded: generator.next())
            }
            #expect(parse(bytes).count <= 8)
            _ = KernelRoutes.answer(in: bytes[...])
        }
    }

    /// The same numbers in each run.
    private struct Numbers: RandomNumberGenerator {
        private var state: UInt64 = 7
        mutating func next() -> UInt64 {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return state >> 24
        }
    }
}
