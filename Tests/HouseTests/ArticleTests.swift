// SPDX-License-Identifier: MIT

import Foundation
import Testing

/// The library's articles show the examples that `make test` builds.
@Suite struct ArticleTests {
    @Test(arguments: [("Downloading", "Download"), ("BackgroundTransfers", "Background")])
    func articlesShowTheirExamples(_ article: String, _ example: String) throws {
        func text(_ path: String) throws -> String {
            try String(contentsOf: LayeringTests.root.appending(path: path), encoding: .utf8)
        }
        let parts = try text("Sources/FileQTransfer/FileQTransfer.docc/\(article).md").components(separatedBy: "```")
        try #require(parts.count == 3)
        let source = try text("docs/examples/\(example)/Sources/main.swift")
        // Without the licence, and the line that says what the program is called with.
        let code = source.split(separator: "\n", omittingEmptySubsequences: false).dropFirst(2).joined(separator: "\n")
        #expect(parts[1] == "swift\n" + code)
    }
}
