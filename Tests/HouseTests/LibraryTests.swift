// SPDX-License-Identifier: MIT

import Foundation
import Testing

/// What the library promises to other packages: everything public of its modules.
@Suite struct LibraryTests {
    static let modules = ["CurlTransport", "FileQTransfer", "NetworkPath", "SessionCore", "TransferModel"]

    /// A type that becomes public is a promise: `FILEQ_RECORD_GOLDENS=1` records it.
    @Test func publicTypesAreThoseOfTheRecord() throws {
        let record = LayeringTests.root.appending(path: "Tests/Goldens/library.txt")
        let types = try Self.modules.flatMap { module in
            try LayeringTests.swiftFiles(in: LayeringTests.root.appending(path: "Sources/\(module)")).flatMap { file in
                Self.publicTypes(try String(contentsOf: file, encoding: .utf8)).map { "\(module) \($0)" }
            }
        }
        let text = types.sorted().map { "\($0)\n" }.joined()
        if ProcessInfo.processInfo.environment["FILEQ_RECORD_GOLDENS"] != nil {
            try text.write(to: record, atomically: true, encoding: .utf8)
        }
        #expect(try String(contentsOf: record, encoding: .utf8) == text)
    }

    @Test func readsPublicTypes() {
        let text = """
            public struct A: Sendable {
                public enum B { case c }
                struct D {}
            }
            extension A.B {
                public final class E {}
            }
            /// public struct F
            package struct G {}
            public typealias H = Int
            """
        #expect(Self.publicTypes(text) == ["A", "A.B", "A.B.E", "H"])
    }

    /// docs/URLSession.md states how many lines change where a program for `URLSession` uses the library.
    @Test func portsChangeAsManyLinesAsStated() throws {
        let folder = LayeringTests.root.appending(path: "docs/comparison/porting")
        var (count, changed) = (0, 0)
        for name in ["Order", "PausedDownload", "Uploader"] {
            let versions = try ["urlsession", "fileq"].map {
                try String(contentsOf: folder.appending(path: "\($0)/\(name).swift"), encoding: .utf8)
                    .split(separator: "\n", omittingEmptySubsequences: false)
            }
            count += versions[0].count - 1
            changed += versions[1].difference(from: versions[0]).removals.count
        }
        #expect(try URLSessionTableTests.document().contains("\(changed) of \(count) lines"))
    }

    /// The names of the types that `text` declares public, with those of the types that they are in.
    private static func publicTypes(_ text: String) -> [String] {
        var outer: [(indent: Int, name: String)] = []
        var types: [String] = []
        let declaration =
            /^( *)((?:@\w+(?:\([^)]*\))? )*(?:\w+ )*)(?:struct|class|enum|protocol|actor|extension|typealias) ([\w.]+)/
        for line in text.split(separator: "\n") {
            guard let found = line.firstMatch(of: declaration) else { continue }
            outer.removeAll { $0.indent >= found.1.count }
            outer.append((found.1.count, String(found.3)))
            if found.2.split(separator: " ").contains("public") {
                types.append(outer.map(\.name).joined(separator: "."))
            }
        }
        return types
    }
}
