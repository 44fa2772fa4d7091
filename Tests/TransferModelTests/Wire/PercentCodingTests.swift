// SPDX-License-Identifier: MIT

import Testing
import TransferModel

struct PercentCodingTests {
    @Test(arguments: [
        ("", ""), ("a-b_c.d~e", "a-b_c.d~e"), ("a b/c", "a%20b%2Fc"), ("写", "%E5%86%99"), ("100%", "100%25"),
    ])
    func encodesAndDecodes(text: String, encoded: String) {
        #expect(PercentCoding.encode(text) == encoded)
        #expect(PercentCoding.decode(encoded) == text)
    }

    @Test(arguments: ["%", "%1", "%zz", "%00", "a%ff", "%C0%AF", "%ED%A0%80"])
    func refusesToDecode(text: String) { #expect(PercentCoding.decode(text) == nil) }

    @Test func pathsAndTargets() {
        #expect(PercentCoding.encodePath("a b/写") == "a%20b/%E5%86%99")
        #expect(PercentCoding.escapeForTarget("/a b%20写?q=\"x\"") == "/a%20b%20%E5%86%99?q=%22x%22")
        #expect(PercentCoding.decode("a+b") == "a+b")
        #expect(PercentCoding.decode("写") == "写")
    }
}
