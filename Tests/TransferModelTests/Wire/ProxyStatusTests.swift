// SPDX-License-Identifier: MIT

import HTTPTypes
import Testing
import TransferModel

@Suite struct ProxyStatusTests {
    private func read(_ name: String, _ value: String) -> [String]? {
        var head = HTTPResponse(status: .serviceUnavailable)
        head.headerFields[HTTPField.Name(name)!] = value
        return ProxyStatus(of: head).map { [$0.name, $0.error] }
    }

    @Test(arguments: [
        ("Proxy-Status", "edge; error=dns_timeout", ["edge", "dns_timeout"]),
        (
            "Proxy-Status",
            "\"My Proxy\"; received-status=200, r34.example; error=connection_refused; details=\"x\"; next-hop=a.test",
            ["r34.example", "connection_refused"]
        ),
        ("X-Squid-Error", "ERR_CONNECT_FAIL 111", ["squid", "ERR_CONNECT_FAIL 111"]),
    ])
    func readsProxyStatus(_ name: String, _ value: String, _ expected: [String]) {
        #expect(read(name, value) == expected)
    }

    @Test(arguments: [
        ("Proxy-Status", "edge; received-status=503"), ("Proxy-Status", "\"broken"), ("Proxy-Status", ""),
        ("Via", "1.1 squid"),
    ])
    func rejectsUnknownSources(_ name: String, _ value: String) {
        #expect(read(name, value) == nil)
    }
}
