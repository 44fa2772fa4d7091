// SPDX-License-Identifier: MIT

import Testing
import TransferModel

@testable import SessionCore

@Suite struct NetscapeCookiesTests {
    private func sent(_ text: String, to url: String) throws -> [String] {
        try NetscapeCookies(Array(text.utf8), now: 1_800_000_000).cookies(for: TransferURL(url)).map(\.name)
    }

    @Test(arguments: ["true", "TRUE", "True"]) func aSecureCookieIsNotSentOverHTTP(_ word: String) throws {
        let text = "a.test\t\(word)\t/\t\(word)\t0\tk\tv\n"
        #expect(try sent(text, to: "http://a.test/").isEmpty)
        #expect(try sent(text, to: "https://a.test/") == ["k"])
        #expect(try sent(text, to: "https://b.a.test/") == ["k"])
    }

    @Test func oddLinesOfOtherSitesAreIgnored() throws {
        let text =
            "\u{feff}# Netscape HTTP Cookie File\r\nno cookie\r\nb.test\tTRUE\t/\tTRUE\t0\ta\tb\tc\r\n\r\n"
            + "a.test\tFALSE\t/\tFALSE\t0\tk\r\na.test\tFALSE\t/\tFALSE\t1000\tpast\tx"
        let found = NetscapeCookies(Array(text.utf8), now: 1_800_000_000)
        #expect(found.oddLines == [2, 3])
        #expect(found.hasCookies)
        #expect(try found.cookies(for: TransferURL("http://a.test/")).map(\.name) == ["k"])
    }

    @Test func pathsAreOfWholeNames() throws {
        let text = "a.test\tFALSE\t/in\tFALSE\t0\tk\tv\n"
        #expect(try sent(text, to: "http://a.test/in/x") == ["k"])
        #expect(try sent(text, to: "http://a.test/inner").isEmpty)
    }
}
