// SPDX-License-Identifier: MIT

import Foundation
import Testing
import TransferTesting

/// Some files of a module, read by the compiler beside the modules that were built for the tests.
enum TypeCheck {
    /// What the compiler reports; empty if the files need no others.
    static func errors(of files: [URL], as module: String) throws -> String {
        let products = URL(fileURLWithPath: Binary.lab).deletingLastPathComponent().resolvingSymlinksInPath()
        let scratch = products.deletingLastPathComponent().deletingLastPathComponent()
        let sqlite = scratch.appending(path: "checkouts/GRDB.swift/Sources/GRDBSQLite/module.modulemap")
        let maps = try FileManager.default.contentsOfDirectory(atPath: products.path)
            .map { products.appending(path: $0).appending(path: "module.modulemap") }
            .filter { FileManager.default.fileExists(atPath: $0.path) }
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments =
            [
                "swiftc", "-typecheck", "-swift-version", "6", "-enable-testing", "-module-name", module,
                "-package-name", try packageName(scratch), "-I", products.appending(path: "Modules").path,
                "-enable-upcoming-feature", "ExistentialAny", "-enable-upcoming-feature", "MemberImportVisibility",
                "-enable-upcoming-feature", "InternalImportsByDefault",
            ] + (maps + [sqlite]).flatMap { ["-Xcc", "-fmodule-map-file=\($0.path)"] } + files.map(\.path)
        let output = Pipe()
        process.standardOutput = output
        process.standardError = output
        try process.run()
        let text = try output.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        return process.terminationStatus == 0 ? "" : String(decoding: text, as: UTF8.self)
    }

    /// The name by which `package` declarations are known, from the plan of the build: SwiftPM makes it of the
    /// folder's.
    private static func packageName(_ scratch: URL) throws -> String {
        let plan = try Data(contentsOf: scratch.appending(path: "debug.yaml"))
        let module = try #require(plan.range(of: Data(#""-module-name","FileServer""#.utf8))).upperBound
        let option = Data(#""-package-name",""#.utf8)
        let start = try #require(plan.range(of: option, in: module..<plan.endIndex)).upperBound
        let end = try #require(plan[start...].firstIndex(of: UInt8(ascii: "\"")))
        return String(decoding: plan[start..<end], as: UTF8.self)
    }
}
