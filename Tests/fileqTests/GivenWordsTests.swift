// SPDX-License-Identifier: MIT

import Testing
import TransferModel

@testable import fileq

@Suite struct GivenWordsTests {
    @Test(arguments: ["", "-o", "a b", "名前", "a\u{FFFD}b"]) func takesText(_ word: String) throws {
        try GivenWords.check(Array(word.utf8))
    }

    @Test func refusesOtherBytes() throws {
        let error = #expect(throws: TransferError.self) { try GivenWords.check([0x61, 0xff, 0x62]) }
        #expect(error?.code == .usage && error?.message.hasPrefix(#"'a\xffb' is not UTF-8"#) == true)
    }
}
