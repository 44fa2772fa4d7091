// SPDX-License-Identifier: MIT

import Testing
import TransferModel

struct StrictTransportSecurityTests {
    typealias Policy = StrictTransportSecurity

    @Test(arguments: [
        // RFC 6797, section 6.2.
        ("max-age=31536000", Policy(maxAge: 31_536_000)),
        ("max-age=15768000 ; includeSubDomains", Policy(maxAge: 15_768_000, includesSubdomains: true)),
        ("max-age=\"31536000\"", Policy(maxAge: 31_536_000)), ("max-age=0", Policy(maxAge: 0)),
        ("max-age=0; includeSubDomains", Policy(maxAge: 0, includesSubdomains: true)),
        (" INCLUDESUBDOMAINS ;; Max-Age = 5;", Policy(maxAge: 5, includesSubdomains: true)),
        ("max-age=5; preload; future=\"a; max-age=7\\\"\"", Policy(maxAge: 5)),
        ("max-age=99999999999999999999999", Policy(maxAge: .max)), ("max-age=\"\\5\"", Policy(maxAge: 5)),
    ])
    func reads(text: String, policy: Policy) { #expect(Policy(parsing: text) == policy) }

    @Test(arguments: [
        "", ";", "includeSubDomains", "max-age", "max-age=", "max-age=x", "max-age=-1", "max-age=+1", "max-age=1.5",
        "max-age=\"\"",
        "max-age=\"5", "max-age=\"5\\", "max-age=\"5\\\"", "max-age=5 6", "max-age=5; max-age=5",
        "max-age=5; includeSubDomains; includeSubDomains",
        "max-age=5; includeSubDomains=yes", "max-age=5, includeSubDomains", "=5", "max-age=5; =x", "max-age=5; a=",
        "max-age=٥",
        "max-age=5; " + String(repeating: "a", count: 5000),
    ])
    func refuses(text: String) { #expect(Policy(parsing: text) == nil) }
}
