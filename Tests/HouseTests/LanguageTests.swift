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

    /// Files that translate texts which have no code: of version 1, of TLS libraries, of the parser of arguments.
    private static let translators: Set<String> = [
        "ConnectionWatch.swift", "ExchangeFailure+Curl.swift", "TransferError+Coding.swift", "Settings.swift",
    ]

    /// Failures, notes and waits have codes; a sentence may change, and be in another language.
    @Test func nothingDecidesByText() throws {
        #expect(try Self.decidesByText(#"if error.message.contains("refused") { retry() }"#))
        #expect(try Self.decidesByText(#"guard error.message == "cancelled" else { return }"#))
        #expect(try Self.decidesByText("if known.contains(transfer.reason) { return }"))
        #expect(try !Self.decidesByText("guard fields.reason != nil else { return }"))
        for file in try LayeringTests.swiftFiles(in: LayeringTests.root.appending(path: "Sources"))
        where !Self.translators.contains(file.lastPathComponent) {
            let text = try String(contentsOf: file, encoding: .utf8)
            for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
                #expect(
                    try !Self.decidesByText(line), "\(file.lastPathComponent):\(index + 1): \(line)" as Comment)
            }
        }
    }

    private static let sentences = [
        "message", "reason", "advice", "remedy", "summary", "description", "Description", "errorMessage",
    ]
    private static let comparisons = ["==", "!=", "contains", "Prefix", "Suffix", "starts", "first", "lowercased"]

    private static func decidesByText(_ line: some StringProtocol) throws -> Bool {
        // Regexes are slow: most lines have no such name.
        guard sentences.contains(where: line.contains), comparisons.contains(where: line.contains),
            !line.drop(while: { $0 == " " }).hasPrefix("//")
        else { return false }
        let sentence = #"\b(message|reason|advice|remedy|summary|description|localizedDescription|errorMessage)\b"#
        let line = String(line)
        return try [
            sentence + #"\)?[?!]? (==|!=) (?!nil)"#,
            sentence + #"\)?[?!]?\.(contains|hasPrefix|hasSuffix|starts|firstMatch|firstRange|lowercased)\b"#,
            #"(contains|hasPrefix|hasSuffix)\([^()]*\.(message|reason|advice|summary)\b"#,
        ].contains { line.firstMatch(of: try Regex($0)) != nil }
    }

    /// Private words and their replacements, in sources and documentation.
    private static let replacements: [(pattern: String, instead: String)] = [
        (#"[Ww]hoever"#, "the subject's name"),
        (#"[Ss]omebody"#, "user, caller, peer"),
        (#"\bby itself\b"#, "automatically"),
        (#"\bfor good\b"#, "permanently"),
        (#"\banew\b"#, "again"),
        (#"\bg(o|oes|oing|one) on\b(?! (a|the) )"#, "continue, resume"),
        (#"\bin passing\b"#, "transient"),
        (#"\b(the|of the) other end\b"#, "peer, server"),
        (#"\bwhat is there\b"#, "existing files"),
        (#"\bhears\b"#, "receives"),
        (#"\btells\b"#, "reports"),
        (#"\bbears\b"#, "has"),
        (#"\bparted\b"#, "split"),
        (#"\bmade fit\b"#, "sanitized"),
    ]

    /// Files outside of Sources that are written in the language of the field, too.
    private static let documents = [
        "README.md", "CONTRIBUTING.md", "SECURITY.md", "CHANGELOG.md", "Benchmarks/README.md", "docs/Architecture.md",
        "docs/Background.md", "docs/FileQ.md", "docs/Lab.md", "docs/Network.md", "docs/Uploads.md", "assets/man/fileq.1",
    ]

    /// STYLE: one word for one thing, the terms of the HTTP RFCs, no private dialect.
    @Test func usesTheTermsOfTheField() throws {
        let root = LayeringTests.root
        var files = Self.documents.map { root.appending(path: $0) }
        for module in Self.modules {
            files += try LayeringTests.swiftFiles(in: root.appending(path: "Sources/\(module)"))
        }
        let patterns = try Self.replacements.map { (try Regex($0.pattern), $0.instead) }
        for file in files {
            let text = try String(contentsOf: file, encoding: .utf8)
            for (pattern, instead) in patterns {
                guard let match = text.firstMatch(of: pattern) else { continue }
                let line = text[..<match.range.lowerBound].count { $0 == "\n" } + 1
                Issue.record("\(file.lastPathComponent):\(line): '\(text[match.range])', instead: \(instead)")
            }
        }
    }

    private static let modules = [
        "CurlTransport", "FileQLab", "FileQTransfer", "FileServer", "NetworkLab", "NetworkPath", "Platform",
        "TerminalInterface", "TransferControl", "TransferModel", "TransferTesting", "fileq",
    ]
}
