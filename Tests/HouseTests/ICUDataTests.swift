// SPDX-License-Identifier: MIT

import Foundation
import Testing

/// `Sources/CICUData` replaces the table of the toolchain's ICU as long as that has the same version.
@Suite struct ICUDataTests {
    @Test func replacesTheTableOfTheToolchain() throws {
        let source = LayeringTests.root.appending(path: "Sources/CICUData/CICUData.c")
        let text = try String(contentsOf: source, encoding: .utf8)
        let symbol = try #require(try text.firstMatch(of: Regex("icudt[0-9]+_dat")).map { text[$0.range] })
        let archive = try Data(contentsOf: try Self.archive(), options: .alwaysMapped)
        // The archive begins with an index of its symbols; the table itself follows far behind.
        let index = archive.prefix(4 << 20)
        #expect(
            index.range(of: Data("\0\(symbol)\0".utf8)) != nil,
            "releases contain 34 MB of ICU's data: rename \(symbol) in CICUData.c")
    }

    /// Foundation's ICU, as releases link it.
    private static func archive() throws -> URL {
        struct Target: Decodable {
            struct Paths: Decodable { var runtimeResourcePath: String }
            var paths: Paths
        }
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["swiftc", "-print-target-info"]
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        let text = try output.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        let resources = try JSONDecoder().decode(Target.self, from: text).paths.runtimeResourcePath
        return URL(fileURLWithPath: resources).deletingLastPathComponent()
            .appending(path: "swift_static/linux/lib_FoundationICU.a")
    }
}
