// SPDX-License-Identifier: MIT

import Testing

@testable import Platform

@Suite struct ProcessUmaskTests {
    @Test(arguments: [
        ("Name:\tfileq\nUmask:\t0022\nState:\tR (running)\n", 0o022), ("Name:\tUmask:\\t07\nUmask:\t0077\n", 0o077),
        ("Umask:\t0000\n", 0), ("Name:\tfileq\nState:\tR\n", nil), ("Umask:\t9\n", nil), ("", nil),
    ] as [(String, UInt32?)])
    func isALineOfTheStatus(text: String, mask: UInt32?) {
        #expect(ProcessUmask.find(in: Array(text.utf8)) == mask)
    }

    @Test func isThatOfThisProcess() throws {
        let mask = try #require(ProcessUmask.read())
        #expect(mask <= 0o777)
    }
}
