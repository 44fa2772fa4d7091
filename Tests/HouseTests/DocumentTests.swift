// SPDX-License-Identifier: MIT

import Foundation
import Testing

/// Pages are short, their links lead somewhere, and the map leads to each page about the code.
@Suite struct DocumentTests {
    /// References, which are looked up rather than read, and generated tables.
    static let longer: Set<String> = [
        "Control.md", "Figures.md", "Interface.md", "Simulation.md", "URLSession.md", "Uploads.md",
    ]

    @Test func pagesAreShort() throws {
        for page in try Self.pages() {
            let isReference = Self.longer.contains(page.lastPathComponent) && !page.path.contains("/dev/")
            let lines = try Self.text(page).count { $0 == "\n" }
            #expect(lines <= (isReference ? 250 : 150), "\(page.lastPathComponent)")
        }
        for name in ["README.md", "CHANGELOG.md"] {
            #expect(try Self.text(LayeringTests.root.appending(path: name)).count { $0 == "\n" } <= 150, "\(name)")
        }
    }

    @Test func linksLeadToFilesAndHeadings() throws {
        let others = ["README.md", "CONTRIBUTING.md", "SECURITY.md", "Benchmarks/README.md"]
        for page in try Self.pages() + others.map({ LayeringTests.root.appending(path: $0) }) {
            for link in Self.links(try Self.text(page)) {
                let parts = link.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
                let target =
                    parts[0].isEmpty ? page : page.deletingLastPathComponent().appending(path: parts[0]).standardized
                #expect(
                    FileManager.default.fileExists(atPath: target.path), "\(page.lastPathComponent): \(link)")
                guard parts.count == 2, target.pathExtension == "md" else { continue }
                let anchors = Self.anchors(try Self.text(target))
                #expect(anchors.contains(parts[1]), "\(page.lastPathComponent): \(link)")
            }
        }
    }

    @Test func theMapLeadsToEachPageAboutTheCode() throws {
        let folder = LayeringTests.root.appending(path: "docs/dev")
        let linked = Set(Self.links(try Self.text(folder.appending(path: "Map.md"))))
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        #expect(names.count > 10)
        for name in names where name != "Map.md" { #expect(linked.contains(name), "\(name)") }
    }

    /// Names as in `Task/TaskMachine.swift`, and `+Start.swift` after the name of the type.
    @Test func namedSourcesExist() throws {
        let files = try ["Sources", "Tests"].flatMap {
            try LayeringTests.swiftFiles(in: LayeringTests.root.appending(path: $0))
        }.map(\.path)
        for page in try Self.pages() where page.path.contains("/dev/") {
            for name in try Self.text(page).matches(of: /`([\w+.\/-]+\.swift)`/).map({ String($0.1) }) {
                let end = name.hasPrefix("+") ? name : "/" + name
                #expect(files.contains { $0.hasSuffix(end) }, "\(page.lastPathComponent): \(name)")
            }
        }
    }

    @Test func readsLinksAndHeadings() {
        #expect(Self.links("[a](b.md#c) `[x](y)` ![p](q.svg) [w](https://example.org)") == ["b.md#c", "q.svg"])
        #expect(Self.anchors("# The `a`-b, C\n## Two  \nno # three") == ["the-a-b-c", "two"])
    }

    // MARK: Reading

    /// All pages of the folder docs, but the results of comparisons.
    static func pages() throws -> [URL] {
        let folder = LayeringTests.root.appending(path: "docs")
        let walk = try #require(FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil))
        return walk.compactMap { $0 as? URL }
            .filter { $0.pathExtension == "md" && !$0.path.contains("/comparison/") }
    }

    private static func text(_ file: URL) throws -> String { try String(contentsOf: file, encoding: .utf8) }

    /// The targets of relative links, outside of code.
    private static func links(_ text: String) -> [String] {
        text.replacing(/```[^`]*```/, with: "").replacing(/`[^`\n]*`/, with: "")
            .matches(of: /\]\(([^)\s]+)\)/).map { String($0.1) }.filter { !$0.contains("://") }
    }

    /// The anchors of headings, as GitHub makes them.
    private static func anchors(_ text: String) -> Set<String> {
        Set(
            text.split(separator: "\n").filter { $0.hasPrefix("#") }.map { line in
                line.drop { $0 == "#" }.trimmingCharacters(in: .whitespaces).lowercased()
                    .replacing(" ", with: "-").filter { $0.isLetter || $0.isNumber || $0 == "-" || $0 == "_" }
            })
    }
}
