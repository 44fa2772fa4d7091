// SPDX-License-Identifier: MIT

import Foundation
import Testing

/// Only the program speaks of its commands and options: sentences of the layers below also reach users of the library.
@Suite struct LanguageTests {
    /// Programs with interfaces of their own.
    private static let programs: Set<String> = [
        "fileq", "FileQLab", "NetworkLab", "RemoteControl", "TransferSimulator",
    ]
    /// Arguments of programs, which no user reads.
    private static let arguments = [
        #"["busctl", "--system", "--json=short", "--auto-start=no", "--timeout=2", "--"]"#,
        #"["service", "run", "--on-demand"]"#,
        "exec fileq control --stdio", #"command += " --no-start""#,
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
                    // A row of a table has no quotation marks.
                    let text = file.lastPathComponent.hasPrefix("Sentences") ? "\"\(line)\"" : String(line)
                    #expect(
                        isArgument || text.firstMatch(of: pattern) == nil,
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

    /// As a character, a slash with a combining mark behind it is no slash. TransferModel/Slashes.swift reads bytes.
    @Test func pathsAreNotReadByCharacters() throws {
        let pattern = try Regex(
            #"(\.split\(separator: "/"|Index\(of: "/"\)|\.has(Prefix|Suffix)\("/"\)|\.contains\("/"\))"#)
        #expect(#"path.split(separator: "/")"#.firstMatch(of: pattern) != nil)
        for file in try LayeringTests.swiftFiles(in: LayeringTests.root.appending(path: "Sources")) {
            let text = try String(contentsOf: file, encoding: .utf8)
            guard text.contains(#""/""#) else { continue }
            for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated()
            where line.contains(#""/""#) && !line.contains("///") {
                #expect(
                    line.firstMatch(of: pattern) == nil, "\(file.lastPathComponent):\(index + 1): \(line)" as Comment)
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
        ].contains {
            // Otherwise `error.message` is one word (Unicode Standard Annex 29).
            line.firstMatch(of: try Regex($0).wordBoundaryKind(.simple)) != nil
        }
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
        (#"\b[Hh]ears\b"#, "receives"),
        (#"\b[Tt](ells|old)\b"#, "reports, notified"),
        (#"\bbears\b"#, "has"),
        (#"\bparted\b"#, "split"),
        (#"\bmade fit\b"#, "sanitized"),
        (#"\b[Ss]ettle[sd]?\b"#, "flush, commit, merge, clamp, await"),
        (#"\b([Ee]rrands?|[Ss]hel(f|ves))\b"#, "task, cache"),
        (#"\b[Jj]udge[sd]?\b"#, "check, evaluate"),
        (#"[a-z](Told|Hears|Tells|Anew|Shelf|Errand|GoOn|GoesOn)\b"#, "the standard term"),
        (#"\b(letGo|goOn|goesOn|KeptFiles?|WaitingRoom|CredentialBook)\b"#, "the standard term"),
    ]

    /// Documents outside of Sources and Tests, but those of the folder docs.
    private static let documents = [
        "README.md", "CONTRIBUTING.md", "SECURITY.md", "CHANGELOG.md", "Benchmarks/README.md",
    ]

    /// One word for one thing, the terms of the HTTP RFCs, no private dialect. This file lists the words.
    @Test func usesTheTermsOfTheField() throws {
        let root = LayeringTests.root
        var files = Self.documents.map { root.appending(path: $0) } + (try DocumentTests.pages())
        files += try FileManager.default.contentsOfDirectory(
            at: root.appending(path: "assets/man"), includingPropertiesForKeys: nil)
        for folder in ["Sources", "Tests", "docs/examples"] {
            files += try LayeringTests.swiftFiles(in: root.appending(path: folder))
        }
        files.removeAll { $0.lastPathComponent == "LanguageTests.swift" }
        #expect(files.count > 500)
        // Swift's own regular expressions take a minute for all of that.
        let all = try NSRegularExpression(pattern: Self.replacements.map { "(?:\($0.pattern))" }.joined(separator: "|"))
        let patterns = try Self.replacements.map { (try Regex($0.pattern), $0.instead) }
        for file in files {
            let text = try String(contentsOf: file, encoding: .utf8)
            guard let match = all.firstMatch(in: text, range: NSRange(text.startIndex..., in: text)),
                let found = Range(match.range, in: text)
            else { continue }
            let line = text[..<found.lowerBound].count { $0 == "\n" } + 1
            let instead = patterns.first { text[found].firstMatch(of: $0.0) != nil }?.1 ?? "the standard term"
            Issue.record("\(file.lastPathComponent):\(line): '\(text[found])', instead: \(instead)")
        }
    }
}
