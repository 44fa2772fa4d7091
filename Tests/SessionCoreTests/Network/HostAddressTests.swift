// SPDX-License-Identifier: MIT

import SessionCore
import Testing

@Suite struct HostAddressTests {
    @Test(
        arguments: [
            ("192.0.2.1", "192.0.2.1", nil), ("2001:DB8::0:1", "2001:db8::1", nil),
            ("::ffff:192.0.2.1", "192.0.2.1", nil),
            ("fe80::1%eth0", "fe80::1%eth0", "eth0"), ("fe80::1%25eth0", "fe80::1%eth0", "eth0"),
            ("fe80::1%2", "fe80::1%2", "2"),
            ("fe80::1%25", "fe80::1%25", "25"), ("::", "::", nil),
        ] as [(String, String, String?)])
    func reads(_ text: String, printed: String, zone: String?) {
        let address = HostAddress(text)
        #expect(address?.description == printed)
        #expect(address?.zone == zone)
        #expect(address.map { HostAddress(bytes: $0.bytes, zone: zone) } == address)
    }

    @Test(arguments: [
        "", "example.org", "192.0.2", "192.0.2.256", "[::1]", "192.0.2.1%eth0", "fe80::1%", "::1::", "1.2.3.4.5",
    ])
    func refuses(_ text: String) { #expect(HostAddress(text) == nil) }

    @Test(arguments: [0, 3, 5, 15, 17]) func rejectsAnotherByteCount(_ count: Int) {
        #expect(HostAddress(bytes: [UInt8](repeating: 1, count: count)) == nil)
    }

    @Test(arguments: [
        ("127.0.0.1", "loopback"), ("127.255.0.1", "loopback"), ("::1", "loopback"), ("128.0.0.1", ""), ("::2", ""),
        ("0.0.0.0", "unspecified"), ("::", "unspecified"), ("169.254.3.4", "linkLocal"), ("fe80::1", "linkLocal"),
        ("febf::1", "linkLocal"), ("fec0::1", ""), ("224.0.0.1", "multicast"), ("239.1.1.1", "multicast"),
        ("ff02::1", "multicast"),
        ("240.0.0.1", ""), ("2001:db8::1", ""),
    ])
    func kinds(_ text: String, kind: String) throws {
        let address = try #require(HostAddress(text))
        let found = [
            ("loopback", address.isLoopback), ("unspecified", address.isUnspecified),
            ("linkLocal", address.isLinkLocal),
            ("multicast", address.isMulticast),
        ].filter(\.1).map(\.0)
        #expect(found == (kind.isEmpty ? [] : [kind]))
    }

    @Test(arguments: [
        ("10.1.2.3", "10.0.0.0", 8, true), ("11.1.2.3", "10.0.0.0", 8, false), ("10.1.2.3", "0.0.0.0", 0, true),
        ("10.1.2.3", "10.1.2.3", 32, true), ("10.1.2.3", "10.1.2.2", 31, true), ("10.1.2.3", "10.1.2.2", 32, false),
        ("10.1.2.3", "::", 0, false), ("2001:db8::5", "2001:db8::", 32, true), ("2001:db9::5", "2001:db8::", 32, false),
        ("2001:db8::5", "2001:db8::5", 128, true), ("10.1.2.3", "10.0.0.0", 33, false),
        ("10.1.2.3", "10.0.0.0", -1, false),
    ])
    func prefixes(_ text: String, prefix: String, length: Int, isInside: Bool) throws {
        #expect(try #require(HostAddress(text)).isInside(try #require(HostAddress(prefix)), length: length) == isInside)
    }
}
