// SPDX-License-Identifier: MIT

import Testing
import TransferModel

@testable import fileq

@Suite struct HelpTopicsTests {
    @Test func versionIsTheFirstLineAndTheLoadedLibcurlTheSecond() throws {
        let lines = try #require(try HelpTopics.answer(to: ["--version"])).split(separator: "\n")
        #expect(lines.count == 2)
        #expect(lines.first == Substring(ProgramVersion.current))
        #expect(try lines.last?.wholeMatch(of: Regex(#"libcurl [78]\.[0-9.]+: \S+/[0-9].*"#)) != nil)
    }
}
