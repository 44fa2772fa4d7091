// SPDX-License-Identifier: MIT

import Foundation
import Testing

/// docs/URLSession.md and URLSessionHTTP.md say which test shows a counterpart; both must stay true.
@Suite struct URLSessionTableTests {
    struct Row: Equatable {
        var call: String
        var answer: String
        var tests: String
        var elsewhere: String
    }

    static func document() throws -> String {
        try ["URLSession.md", "URLSessionHTTP.md"].map {
            try String(contentsOf: LayeringTests.root.appending(path: "docs/\($0)"), encoding: .utf8)
        }.joined()
    }

    @Test func everyRowHasAStatusAndTests() throws {
        let rows = Self.rows(try Self.document())
        #expect(rows.count > 150)
        let names = try Self.testNames()
        for row in rows {
            let kind = Self.kind(of: row.answer)
            #expect(kind != nil, "\(row.call): begins with none of the three answers")
            #expect(!row.elsewhere.isEmpty, "\(row.call): nothing is said of FoundationNetworking")
            let tests = Self.references(in: row.tests)
            if kind == "here" { #expect(!tests.isEmpty, "\(row.call): names no test") }
            for test in tests { #expect(names.contains(test), "\(row.call): there is no test \(test)") }
        }
    }

    /// A property that is added needs a row.
    @Test func everyPropertyOfTheConfigurationIsNamed() throws {
        let text = try Self.document()
        let source = try String(
            contentsOf: LayeringTests.root.appending(path: "Sources/SessionCore/TransferConfiguration.swift"),
            encoding: .utf8)
        let properties = source.matches(of: /public var (\w+)/).map { String($0.1) }
        #expect(properties.count > 20)
        for property in properties { #expect(text.contains("`\(property)`"), "\(property)") }
    }

    @Test func parsesRows() {
        let text =
            "| `a` \\| `b` | **here** `c` | `T.x` | – |\n|---|---|---|---|\n| URLSession | here | shown by | "
            + "FoundationNetworking |\nplain"
        #expect(Self.rows(text) == [Row(call: "`a` | `b`", answer: "**here** `c`", tests: "`T.x`", elsewhere: "–")])
        #expect(Self.references(in: "`A.b`, `C.d`; `e`") == ["A.b", "C.d"])
    }

    @Test(arguments: [
        ("**here** x", "here"), ("**differs**: x", "differs"), ("**not on Linux**: x", "not on Linux"),
        ("**there**", nil),
        ("here", nil), ("**differs**", nil),
    ])
    func decodesReplies(_ text: String, _ kind: String?) { #expect(Self.kind(of: text) == kind) }

    /// The first word of an answer. Those that are no "here" must give a reason behind it.
    private static func kind(of answer: String) -> String? {
        if answer.hasPrefix("**here**") { return "here" }
        for word in ["differs", "not on Linux"] where answer.hasPrefix("**\(word)**:") && answer.count > word.count + 6
        { return word }
        return nil
    }

    /// The rows of all tables, without their heads.
    private static func rows(_ text: String) -> [Row] {
        text.split(separator: "\n").filter { $0.hasPrefix("| ") }.compactMap { line in
            let cells = line.replacing("\\|", with: "\u{1}").split(separator: "|", omittingEmptySubsequences: false)
                .dropFirst().dropLast()
                .map { $0.trimmingCharacters(in: .whitespaces).replacing("\u{1}", with: "|") }
            guard cells.count == 4, cells[1] != "here" else { return nil }
            return Row(call: cells[0], answer: cells[1], tests: cells[2], elsewhere: cells[3])
        }
    }

    private static func references(in cell: String) -> [String] {
        cell.matches(of: /`(\w+\.\w+)`/).map { String($0.1) }
    }

    /// `File.function` of every test; of a file's name without what follows `+`.
    private static func testNames() throws -> Set<String> {
        let folder = LayeringTests.root.appending(path: "Tests")
        let walk = try #require(FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil))
        var names: Set<String> = []
        for case let file as URL in walk where file.pathExtension == "swift" {
            let text = try String(contentsOf: file, encoding: .utf8)
            let base = file.deletingPathExtension().lastPathComponent.prefix { $0 != "+" }
            for piece in text.components(separatedBy: "@Test").dropFirst() {
                // The first function behind the attribute is the one it marks.
                if let found = piece.firstMatch(of: /\bfunc (\w+)\(/) { names.insert("\(base).\(found.1)") }
            }
        }
        return names
    }
}
