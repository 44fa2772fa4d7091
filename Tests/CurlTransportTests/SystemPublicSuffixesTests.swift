// SPDX-License-Identifier: MIT

import CurlTransport
import HTTPTypes
import SessionCore
import Testing
import TransferModel
import TransferTesting

@Suite struct SystemPublicSuffixesTests {
    @Test(arguments: [
        ("com", true), ("example.com", false), ("co.uk", true), ("example.co.uk", false), ("github.io", true),
        ("me.github.io", false),
        ("localhost", true), ("unknown-name", true), ("host.unknown-name", false), ("jp", true), ("c.kobe.jp", true),
        ("city.kobe.jp", false),
        ("xn--r8jz45g.jp", false), ("xn--55qx5d.cn", true), ("xn--p1ai", true), ("www.ck", false), ("foo.ck", true),
    ]) func theList(_ domain: String, _ expected: Bool) {
        #expect(SystemPublicSuffixes.shared.isPublicSuffix(domain) == expected)
    }

    /// What a server may set for all of a domain: the domain, or nothing is stored.
    @Test(
        arguments: [
            ("https://www.example.com/", "example.com", "example.com"), ("https://www.example.com/", "com", nil),
            ("https://www.example.co.uk/", "co.uk", nil),
            ("https://www.example.co.uk/", "example.co.uk", "example.co.uk"),
            ("https://me.github.io/", "github.io", nil), ("https://github.io/", "github.io", "github.io"),
            ("http://localhost/", "localhost", "localhost"), ("http://127.0.0.1/", "127.0.0.1", "127.0.0.1"),
            ("http://127.0.0.1/", "0.0.1", nil),
            ("http://[::1]/", "::1", "::1"), ("https://www.例え.jp/", "xn--r8jz45g.jp", "xn--r8jz45g.jp"),
            ("https://例え.jp/", "jp", nil),
            ("https://www.公司.cn/", "xn--55qx5d.cn", nil), ("https://x.c.kobe.jp/", "c.kobe.jp", nil),
            ("https://x.city.kobe.jp/", "city.kobe.jp", "city.kobe.jp"),
        ] as [(String, String, String?)]) func cookiesOfDomains(
            _ url: String, _ domain: String, _ expected: String?
        ) throws
    {
        let storage = CookieStorage(publicSuffixes: SystemPublicSuffixes.shared, scheduler: ManualScheduler())
        var fields = HTTPFields()
        fields.append(HTTPField(name: .setCookie, value: "n=v; Domain=\(domain)"))
        storage.store(fields, from: try TransferURL(url))
        #expect(storage.all.first?.domain == expected)
    }
}
