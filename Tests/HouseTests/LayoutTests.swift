// SPDX-License-Identifier: MIT

import Foundation
import Testing

/// The layout that `.swift-format` cannot enforce in strings and comments, and access levels.
@Suite struct LayoutTests {
    /// Modules that no product exports.
    static let internalModules = [
        "FileServer", "Listings", "Markup", "NetworkLab", "Platform", "RemoteControl", "ServerSupport",
        "TerminalInterface", "TransferControl", "TransferService", "TransferStore", "TransferTesting",
    ]

    @Test func linesHaveAtMost120Columns() throws {
        let files = try ["Sources", "Tests"].flatMap {
            try LayeringTests.swiftFiles(in: LayeringTests.root.appending(path: $0))
        }
        for file in files {
            let lines = try String(contentsOf: file, encoding: .utf8).split(
                separator: "\n", omittingEmptySubsequences: false)
            for (index, line) in lines.enumerated() where line.utf8.count > 120 {
                #expect(line.count <= 120, "\(file.lastPathComponent):\(index + 1)" as Comment)
            }
        }
    }

    @Test(arguments: internalModules) func internalModulesDeclareNothingPublic(_ module: String) throws {
        let folder = LayeringTests.root.appending(path: "Sources/\(module)")
        let pattern = try Regex(#"^\s*(@\w+(\([^)]*\))?\s+)*(public|open)\s+(?!import\b)[a-z@]"#)
            .anchorsMatchLineEndings()
        for file in try LayeringTests.swiftFiles(in: folder) {
            let text = try String(contentsOf: file, encoding: .utf8)
            #expect(text.firstMatch(of: pattern) == nil, "\(module)/\(file.lastPathComponent)")
        }
    }
}
