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

    /// Of some modules the fuzzers have the files that read what others wrote, and what these need: no build of
    /// Package.swift shows that one is missing.
    @Test(arguments: [
        ("FileServer", "Sources/ServerFiles"), ("TransferService", "Sources/ServiceFiles"),
        ("fileq", "Sources/CommandFiles"), ("RemoteControl", "Sources/RemoteFiles"),
    ])
    func filesAreEnough(_ target: String, _ folder: String) throws {
        let manifest = try LayeringTests.manifest(LayeringTests.root.appending(path: "Tests/Fuzzing"))
        let start = try #require(manifest.range(of: "path: \"\(folder)\", sources: [")).upperBound
        let end = try #require(manifest.range(of: "]", range: start..<manifest.endIndex)).lowerBound
        let sources = LayeringTests.root.appending(path: "Sources/\(target)")
        let files = try LayeringTests.quotedNames(in: manifest[start..<end]).flatMap { name in
            let file = sources.appending(path: name)
            return file.pathExtension == "swift" ? [file] : try LayeringTests.swiftFiles(in: file)
        }
        #expect(files.count > 1)
        let found = try TypeCheck.errors(of: files, as: target)
        #expect(found.isEmpty, "\(found)")
    }

    @Test func missingFilesAreSeen() throws {
        let file = LayeringTests.root.appending(path: "Sources/FileServer/Uploads/UploadResource.swift")
        #expect(try TypeCheck.errors(of: [file], as: "FileServer").contains("error:"))
    }
}
