// SPDX-License-Identifier: MIT

import Foundation
import Testing

/// The figures in the documentation are those of the newest results; `Benchmarks/figures` writes them.
@Suite struct FiguresTests {
    /// A table between the marks, with the file that it comes from.
    struct Section {
        var title: String
        var time: String
        var file: String
        /// Cells, without those of the header.
        var rows: [[String]] = []
        /// Why rows fall short, one line for those with the same reason.
        var reasons: [String] = []
    }

    static let results = LayeringTests.root.appending(path: "Benchmarks/results")

    @Test func figuresAreThoseOfTheirFiles() throws {
        let sections = try Self.sections(Self.block("docs/Figures.md"))
        #expect(sections.count >= 3)
        for section in sections {
            let text = try String(contentsOf: Self.results.appending(path: section.file), encoding: .utf8)
            let lines = text.split(separator: "\n").map(String.init)
            #expect(lines[0].hasSuffix(", \(section.time)"), "\(section.title): another date than \(section.file)")
            #expect(!section.rows.isEmpty, "\(section.title): no rows")
            for row in section.rows {
                #expect(Self.has(lines, row), "\(section.title): \(section.file) has no row \(row)")
            }
        }
    }

    /// No result of the same measurements is newer.
    @Test func noResultIsNewer() throws {
        let results = try FileManager.default.contentsOfDirectory(atPath: Self.results.path)
            .filter {
                $0.hasSuffix(".txt") && $0.firstMatch(of: /-outage|-size-\d+[A-Za-z]|-(files|items)-\d{2}/) == nil
            }
            .map { name -> (name: String, order: String, rows: [[String]]) in
                let text = try String(contentsOf: Self.results.appending(path: name), encoding: .utf8)
                return (name, try Self.order(name), Self.rows(of: text))
            }
        for section in try Self.sections(Self.block("docs/Figures.md")) {
            let shown = try Self.order(section.file)
            for case0 in Set(section.rows.compactMap({ $0.first(where: { !$0.isEmpty }) })) {
                let measured = Self.words(case0)
                for result in results where result.rows.contains(where: { $0.starts(with: measured) }) {
                    #expect(
                        result.order <= shown,
                        "\(case0): \(result.name) is newer than the table: Benchmarks/figures writes it")
                }
            }
        }
    }

    /// Each ratio in the README's sentences is one of a table, rounded.
    @Test func theSentencesOfTheReadmeHaveTheRatiosOfTheTables() throws {
        let cells = try Self.sections(Self.block("docs/Figures.md")).flatMap(\.rows).flatMap { $0 }
        let rounded = Set(cells.compactMap { Double($0) }.map { String(format: "%.2f", $0) })
        let text = try Self.block("README.md")
        let ratios = text.matches(of: /\b\d\.\d\d\b(?! (?:ms|MB))/).map { String($0.0) }
        #expect(ratios.count >= 8)
        for ratio in ratios { #expect(rounded.contains(ratio), "\(ratio)") }
        let measured = text.matches(of: /\b[\d.]+ (?:ms|MB)\b/).map { String($0.0) }
        #expect(measured.count >= 4)
        for value in measured { #expect(cells.contains(value), "\(value)") }
    }

    /// The reasons are those of `Benchmarks/reasons.py`.
    @Test func rowsThatFallShortHaveReasons() throws {
        for section in try Self.sections(Self.block("docs/Figures.md")) {
            let short = section.rows.filter { $0.last == "falls short" }
            #expect(short.isEmpty == section.reasons.isEmpty, "\(section.title): rows and reasons do not match")
            let unknown = section.reasons.filter { $0.contains("not explained yet") }
            #expect(unknown.isEmpty, "\(section.title): rows without a reason")
        }
    }

    @Test func findsAWrongFigure() throws {
        let lines = ["1 GiB down, plain    nginx   wall   1.448 s  0.971 s  0.671  0.671  1.10  meets"]
        #expect(
            Self.has(lines, ["1 GiB down, plain", "nginx", "wall", "1.448 s", "0.971 s", "0.671", "1.10", "meets"]))
        #expect(
            !Self.has(lines, ["1 GiB down, plain", "nginx", "wall", "1.448 s", "0.970 s", "0.671", "1.10", "meets"]))
    }

    // MARK: Reading

    static func block(_ document: String) throws -> Substring {
        let text = try String(contentsOf: LayeringTests.root.appending(path: document), encoding: .utf8)
        let begin = try #require(text.range(of: "<!-- figures: begin -->\n"))
        let end = try #require(text.range(of: "<!-- figures: end -->\n"))
        return text[begin.upperBound..<end.lowerBound]
    }

    static func sections(_ block: Substring) throws -> [Section] {
        var sections: [Section] = []
        for line in block.split(separator: "\n") {
            if let found = line.firstMatch(of: /^\*\*(.+)\*\*: ([^,]+), .*[(\/]Benchmarks\/results\/(.+)\)\)$/) {
                sections.append(Section(title: String(found.1), time: String(found.2), file: String(found.3)))
            } else if line.hasPrefix("| "), !line.hasPrefix("| case "), !sections.isEmpty {
                let cells = line.dropFirst(2).dropLast(2).components(separatedBy: " | ")
                sections[sections.count - 1].rows.append(
                    cells.map { $0.replacing("*", with: "").trimmingCharacters(in: .whitespaces) })
            } else if line.hasPrefix("- "), !sections.isEmpty {
                sections[sections.count - 1].reasons.append(String(line))
            }
        }
        return sections
    }

    /// Whether the cells stand on one line, in order; the case's name and server may stand on an earlier one.
    static func has(_ lines: [String], _ row: [String]) -> Bool {
        var isInCase = false
        for line in lines {
            let words = words(line)
            if !line.hasPrefix(" ") || line.hasPrefix("  fileq to") {
                isInCase = words.starts(with: Self.words(row[0]))
            }
            guard isInCase else { continue }
            let cells = row.dropFirst().map { Self.words($0) }
            var rest = words[...]
            let isThere = cells.enumerated().allSatisfy { index, cell in
                // A server is named once a case.
                if index == 0, row.count == 8 { return true }
                guard !cell.isEmpty else { return true }
                while rest.count >= cell.count {
                    if rest.starts(with: cell) {
                        rest = rest.dropFirst(cell.count)
                        return true
                    }
                    rest = rest.dropFirst()
                }
                return false
            }
            if isThere { return true }
        }
        return false
    }

    /// The words of each row with a verdict: rows of reduced runs have none.
    private static func rows(of text: String) -> [[String]] {
        text.split(separator: "\n").map(String.init)
            .filter { $0.contains(" meets") || $0.contains(" falls short") }
            .map(words)
    }

    private static func words(_ text: String) -> [String] {
        text.split(separator: " ").map(String.init)
    }

    /// The time of the heading, and the number of a further file of the same name.
    private static func order(_ name: String) throws -> String {
        let text = try String(contentsOf: results.appending(path: name), encoding: .utf8)
        let first = text.prefix { $0 != "\n" }
        let time = first[(first.lastIndex(of: ",") ?? first.startIndex)...].dropFirst(2)
        let further = name.firstMatch(of: /-(\d+)\.txt$/).flatMap { Int($0.1) } ?? 1
        return "\(time) \(String(format: "%04d", further)) \(name)"
    }
}
