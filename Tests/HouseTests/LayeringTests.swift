// SPDX-License-Identifier: MIT

import Foundation
import Testing

/// Which modules each target may import: docs/dev/Map.md, Package.swift and every import line keep to the table.
@Suite struct LayeringTests {
    /// Modules of the house and of packages that each target may import.
    static let table: [String: Set<String>] = [
        "Markup": ["CExpat", "TransferModel"],
        "Listings": ["Markup", "TransferModel", "HTTPTypes"],
        "Platform": ["CLinux"],
        "TransferModel": ["HTTPTypes", "StructuredFieldValues"],
        "SessionCore": ["Platform", "TransferModel", "HTTPTypes"],
        "CurlTransport": [
            "CCurl", "CLinux", "CPublicSuffix", "Platform", "SessionCore", "TransferModel", "Crypto", "HTTPTypes",
            "SwiftASN1",
        ],
        "FileQTransfer": [
            "CurlTransport", "NetworkPath", "Platform", "SessionCore", "TransferControl", "TransferModel", "HTTPTypes",
        ],
        "NetworkPath": ["CLinux", "Platform", "SessionCore", "TransferModel"],
        "TransferStore": ["CLinux", "Platform", "TransferModel", "GRDB"],
        "TransferControl": ["Platform", "TransferModel"],
        "TransferService": [
            "CLinux", "Markup", "Platform", "SessionCore", "TransferControl", "TransferModel", "TransferStore",
            "Crypto", "HTTPTypes",
        ],
        "ServerSupport": ["NIOCore", "NIOSSL"],
        "FileServer": [
            "ServerSupport", "Platform", "TransferModel", "Crypto", "HTTPTypes", "HummingbirdCore", "HummingbirdTLS",
            "NIOCore", "NIOHTTP1", "NIOPosix", "NIOSSL",
        ],
        "RemoteControl": [
            "ServerSupport", "TransferControl", "TransferModel", "HTTPTypes", "NIOCore", "NIOHTTP1", "NIOPosix",
            "NIOSSL", "NIOWebSocket",
        ],
        "NetworkLab": ["ServerSupport", "TransferModel", "NIOCore", "NIOHTTP1", "NIOPosix", "NIOSSL", "Crypto"],
        "TerminalInterface": ["CTerminal", "Platform", "TransferControl", "TransferModel"],
        "fileq": [
            "ArgumentParser", "CICUData", "CStandardStreams", "CurlTransport", "FileServer",
            "HTTPTypes", "Listings", "NetworkPath", "Platform", "RemoteControl", "SessionCore", "TOMLKit",
            "TerminalInterface", "TransferControl", "TransferModel", "TransferService", "TransferStore",
        ],
        "FileQLab": ["ArgumentParser", "CurlTransport", "HTTPTypes", "NetworkLab", "SessionCore", "TransferModel"],
        "TransferSimulator": [
            "CLinux", "CSimulation", "Platform", "SessionCore", "TransferControl", "TransferModel", "TransferService",
            "TransferStore", "TransferTesting", "Crypto", "HTTPTypes",
        ],
        "TransferTesting": [
            "Platform", "SessionCore", "TransferControl", "TransferModel", "HTTPTypes", "FileServer",
            "TerminalInterface",
        ],
    ]

    /// Open to every Swift target.
    static let open: Set<String> = [
        "Foundation", "FoundationEssentials", "Glibc", "Dispatch", "Synchronization", "Logging",
    ]

    static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    @Test func tableHasEveryTarget() throws {
        let folders = try FileManager.default.contentsOfDirectory(atPath: Self.root.appending(path: "Sources").path)
        let swift = folders.filter {
            ![
                "CCurl", "CExpat", "CICUData", "CLinux", "CPublicSuffix", "CSimulation", "CStandardStreams",
                "CTerminal",
            ].contains($0) && !$0.hasPrefix(".")
        }
        #expect(Set(swift) == Set(Self.table.keys))
    }

    @Test(arguments: table.keys.sorted()) func importsFollowTheTable(_ target: String) throws {
        let allowed = try #require(Self.table[target]).union(Self.open)
        let files = try Self.swiftFiles(in: Self.root.appending(path: "Sources/\(target)"))
        #expect(!files.isEmpty)
        for file in files {
            for module in Self.imports(try String(contentsOf: file, encoding: .utf8)) {
                #expect(allowed.contains(module), "\(target)/\(file.lastPathComponent) imports \(module)")
            }
        }
    }

    @Test(arguments: table.keys.sorted()) func packageMatchesTheTable(_ target: String) throws {
        let allowed = try #require(Self.table[target]).union(Self.open)
        let declared = try Self.declaredDependencies(of: target)
        #expect(declared.isSubset(of: allowed), "\(declared.subtracting(allowed).sorted())")
    }

    @Test(arguments: table.keys.sorted()) func documentMatchesTheTable(_ target: String) throws {
        let text = try String(contentsOf: Self.root.appending(path: "docs/dev/Map.md"), encoding: .utf8)
        let rows = text.split(separator: "\n").map { line in
            line.split(separator: "|", omittingEmptySubsequences: false).map { $0.trimmingCharacters(in: .whitespaces) }
        }
        // Name, content, targets, packages.
        let row = try #require(rows.first { $0.count == 6 && $0[1] == "`\(target)`" })
        let names = "\(row[3]),\(row[4])".split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) }
        #expect(Set(names.filter { !$0.isEmpty }) == Self.table[target])
    }

    /// SwiftPM fetches a package for users of the library unless each use of it has the condition.
    @Test func onlyPackagesOfTheLibraryHaveNoCondition() throws {
        let products = try Self.manifest(Self.root).matches(of: /= product\(name: "(\w+)"/).map { String($0.1) }
        #expect(Set(products) == Self.packageModules(below: "FileQTransfer"))
    }

    /// The modules of packages that a target and those it depends on may import.
    private static func packageModules(below target: String) -> Set<String> {
        let ofTheHouse = { (module: String) in
            FileManager.default.fileExists(atPath: root.appending(path: "Sources/\(module)").path)
        }
        return table[target, default: []].reduce(into: []) { modules, module in
            if ofTheHouse(module) {
                modules.formUnion(packageModules(below: module))
            } else {
                modules.insert(module)
            }
        }
    }

    /// Another reader of the configuration's language replaces one file.
    @Test func oneFileImportsTOMLKit() throws {
        let files = try Self.swiftFiles(in: Self.root.appending(path: "Sources"))
            .filter { Self.imports(try String(contentsOf: $0, encoding: .utf8)).contains("TOMLKit") }
        #expect(files.map(\.lastPathComponent) == ["TOMLReader.swift"])
    }

    @Test func nothingImportsFoundationNetworking() throws {
        for folder in ["Sources", "Tests"] {
            for file in try Self.swiftFiles(in: Self.root.appending(path: folder)) {
                let modules = Self.imports(try String(contentsOf: file, encoding: .utf8))
                #expect(!modules.contains("Foundation" + "Networking"), "\(file.path)")
            }
        }
    }

    @Test(arguments: [
        ("import A", ["A"]), ("  public import B\n@testable import C", ["B", "C"]),
        ("import struct D.Thing", ["D"]), ("// import E", []), ("important = 1", []),
    ])
    func importsAreRead(_ text: String, _ expected: [String]) {
        #expect(Self.imports(text) == expected)
    }

    /// The modules that the lines of `text` import.
    static func imports(_ text: String) -> [String] {
        let kinds: Set<Substring> = ["struct", "class", "enum", "protocol", "func", "var", "let", "typealias"]
        return text.split(separator: "\n").compactMap { line in
            var words = line.split(separator: " ")[...]
            while let first = words.first,
                first.hasPrefix("@") || ["public", "internal", "package", "private", "fileprivate"].contains(first)
            {
                words = words.dropFirst()
            }
            guard words.first == "import", words.count >= 2 else { return nil }
            words = words.dropFirst()
            if let first = words.first, kinds.contains(first) { words = words.dropFirst() }
            return words.first?.split(separator: ".").first.map(String.init)
        }
    }

    static func swiftFiles(in folder: URL) throws -> [URL] {
        let walk = try #require(FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil))
        return walk.compactMap { $0 as? URL }.filter { $0.pathExtension == "swift" }
    }

    /// The names in the dependency list of one target's declaration.
    static func declaredDependencies(of target: String) throws -> Set<String> {
        let manifest = try manifest(root)
        let names = [
            "argumentParser": "ArgumentParser", "asn1": "SwiftASN1", "crypto": "Crypto", "grdb": "GRDB",
            "httpTypes": "HTTPTypes", "logging": "Logging", "nioSSL": "NIOSSL",
            "structuredFields": "StructuredFieldValues", "toml": "TOMLKit",
        ]
        let isProgram = ["fileq", "FileQLab", "TransferSimulator"].contains(target)
        let opening = isProgram ? ".executableTarget(name: \"\(target)\", dependencies: [" : "house(\"\(target)\", ["
        let start = try #require(manifest.range(of: opening)).upperBound
        let end = try #require(manifest.range(of: "]", range: start..<manifest.endIndex)).lowerBound
        let list = manifest[start..<end].replacing(/package: "[^"]*"/, with: "")
        let quoted = quotedNames(in: list)
        let short = list.matches(of: /(?:^|[ ,\[])\.([a-z][A-Za-z0-9]*)(?=[,\s\]]|$)/).compactMap {
            names[String($0.1)]
        }
        return Set(quoted + short)
    }

    /// The manifest of a package, with line breaks and spaces behind brackets and commas as if each declaration stood
    /// in one line.
    static func manifest(_ folder: URL) throws -> String {
        try String(contentsOf: folder.appending(path: "Package.swift"), encoding: .utf8)
            .replacing(/([(\[])\s+/) { String($0.1) }
            .replacing(/,\s+/, with: ", ")
    }

    static func quotedNames(in list: some StringProtocol) -> [String] {
        String(list).matches(of: /"([^"]+)"/).map { String($0.1) }
    }
}
