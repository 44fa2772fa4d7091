// SPDX-License-Identifier: MIT

import Foundation
import Testing

/// Packages that build some of the sources a second time have manifests of their own, which must say what Package.swift
/// says.
@Suite struct SidePackageTests {
    @Test(arguments: ["Tests/Sanitizers", "Tests/Fuzzing", "Benchmarks/tasks"]) func targetsDependOnTheSame(
        _ package: String
    ) throws {
        let folder = LayeringTests.root.appending(path: package)
        let manifest = try LayeringTests.manifest(folder)
        let linked = try FileManager.default.contentsOfDirectory(atPath: folder.appending(path: "Sources").path)
            .filter { LayeringTests.table[$0] != nil }
        #expect(!linked.isEmpty)
        for target in linked.sorted() {
            let start = try #require(manifest.range(of: ".target(name: \"\(target)\", dependencies: ["), "\(target)")
                .upperBound
            let end = try #require(manifest.range(of: "]", range: start..<manifest.endIndex)).lowerBound
            let list = manifest[start..<end].replacing(/package: "[^"]*"/, with: "")
            let declared = Set(
                LayeringTests.quotedNames(in: list) + (list.contains(/\bhttpTypes\b/) ? ["HTTPTypes"] : []))
            #expect(try declared == LayeringTests.declaredDependencies(of: target), "\(target)")
        }
    }
}
