// SPDX-License-Identifier: MIT

import Testing
import TransferModel

@Suite struct ProxyServerTests {
    @Test(arguments: [
        ("proxy.example", "http://proxy.example:1080"), ("proxy.example:3128", "http://proxy.example:3128"),
        ("HTTP://Proxy.Example:3128/path?x#y", "http://proxy.example:3128"), ("https://p", "https://p:443"),
        ("socks://p", "socks4://p:1080"), ("socks4a://p:9", "socks4a://p:9"),
        ("socks5://[::1]:1081", "socks5://[::1]:1081"),
        ("socks5h://[fe80::1%eth0]", "socks5h://[fe80::1%eth0]:1080"), ("p:", "http://p:1080"),
        ("user:pw@p:1", "http://p:1"),
    ])
    func addressesAreRead(_ text: String, _ expected: String) throws {
        #expect(try ProxyServer(parsing: text).description == expected)
    }

    @Test(
        arguments: [
            ("u:p%40ss:w@h", Credential(user: "u", password: "p@ss:w")), ("u@h", Credential(user: "u", password: "")),
            ("a@b:c@h", Credential(user: "a@b", password: "c")), (":@h", Credential(user: "", password: "")),
            ("h", nil),
        ] as [(String, Credential?)])
    func credentialsAreReadAndNotPrinted(_ text: String, _ expected: Credential?) throws {
        let proxy = try ProxyServer(parsing: text)
        #expect(proxy.credential == expected)
        #expect("\(proxy)" == "http://h:1080")
    }

    @Test(arguments: [
        "", "http://", "ftp://secret:word@h", "h:0", "h:65536", "h:+1", "h:1:2", "[::1", "[::1]x", "a b", "h\r\nx: y",
        "u:%zz@h", "ht%2fp", "h^",
    ])
    func whatIsNoneIsRefusedWithoutItsSecrets(_ text: String) {
        let error = #expect(throws: TransferError.self) { try ProxyServer(parsing: text) }
        #expect(error?.code == .usage)
        #expect(error?.message.contains("secret") == false)
    }

    @Test func secretsAreHidden() {
        let identity = ClientIdentity(certificate: "me.p12", passphrase: Secret("open"))
        #expect(identity.format == .pkcs12)
        for text in ["\(identity)", "\(Secret("open"))", String(reflecting: Secret("open")), "\([Secret("open")])"] {
            #expect(!text.contains("open"))
        }
    }

    @Test func serviceTypesHaveTheirCodePoints() {
        let table: [NetworkServiceType: UInt8] = [
            .default: 0, .background: 8, .video: 34, .voice: 46, .responsiveData: 18, .avStreaming: 26,
            .responsiveAV: 32, .callSignaling: 40,
        ]
        #expect(Set(table.keys) == Set(NetworkServiceType.allCases))
        for (type, codePoint) in table { #expect(type.codePoint == codePoint) }
    }
}
