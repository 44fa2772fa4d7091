// SPDX-License-Identifier: MIT

import Foundation
import Testing

/// Only the program speaks of its commands and options: sentences of the layers below also reach users of the library.
@Suite struct LanguageTests {
    /// Programs with interfaces of their own.
    private static let programs: Set<String> = ["fileq", "FileQLab", "NetworkLab"]
    /// Arguments of programs that are run, which nobody reads.
    private static let arguments = [
        #"["busctl", "--system", "--json=short", "--auto-start=no", "--timeout=2", "--"]"#,
        #"["service", "run", "--on-demand"]"#,
    ]

    @Test func layersBelowNameNoOptionOrCommand() throws {
        let sources = LayeringTests.root.appending(path: "Sources")
        let pattern = try Regex(#""[^"]*(fileq |'fileq|--[a-z])[^"]*""#)
        for target in try FileManager.default.contentsOfDirectory(atPath: sources.path)
        where !Self.programs.contains(target) {
            for file in try LayeringTests.swiftFiles(in: sources.appending(path: target)) {
                let lines = try String(contentsOf: file, encoding: .utf8).split(
                    separator: "\n", omittingEmptySubsequences: false)
                for (index, line) in lines.enumerated() where line.contains("fileq") || line.contains("--") {
                    if line.drop(while: { $0 == " " }).hasPrefix("//") { continue }
                    let isArgument = Self.arguments.contains { line.contains($0) }
                    #expect(
                        isArgument || line.firstMatch(of: pattern) == nil,
                        "\(target)/\(file.lastPathComponent):\(index + 1)" as Comment)
                }
            }
        }
    }
}
