// SPDX-License-Identifier: MIT

import Foundation
import Testing
import TransferModel
import TransferTesting

@testable import fileq

@Suite struct ServiceLogTests {
    private func lines(_ path: String) -> [String] {
        (try? String(contentsOfFile: path, encoding: .utf8))?.split(separator: "\n").map(String.init) ?? []
    }

    @Test func linesAreATimeAndText() throws {
        let folder = try TemporaryFolder()
        let log = try ServiceLog(path: folder.file("log"))
        log.write("one")
        log.write("two\nlines \u{1b}[31m")
        let lines = lines(folder.file("log"))
        #expect(lines.count == 2)
        for line in lines { #expect(line.wholeMatch(of: /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z .+/) != nil) }
        #expect(lines[0].hasSuffix("Z one"))
        #expect(!lines[1].contains("\u{1b}"))
        let mode = try FileManager.default.attributesOfItem(atPath: folder.file("log"))[.posixPermissions] as? Int
        #expect(mode == 0o600)
    }

    @Test func appendsToAnExistingLog() throws {
        let folder = try TemporaryFolder()
        for word in ["one", "two"] { try ServiceLog(path: folder.file("log")).write(word) }
        #expect(lines(folder.file("log")).count == 2)
    }

    /// A full disk ends a line early.
    @Test(arguments: [("2026-11-27T03:00:00.000Z comp", 2), ("whole\n", 2), ("", 1)])
    func beginsALineAfterAPartialOne(_ earlier: String, _ count: Int) throws {
        let folder = try TemporaryFolder()
        try Data(earlier.utf8).write(to: URL(fileURLWithPath: folder.file("log")))
        let log = try ServiceLog(path: folder.file("log"))
        log.write("next")
        log.write("last")
        let text = try String(contentsOfFile: folder.file("log"), encoding: .utf8)
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        #expect(lines.count == count + 2 && lines.last == "")
        #expect(lines.dropLast(2).last?.hasSuffix("Z next") == true)
    }

    @Test func rotatesAtItsMaximumSize() throws {
        let folder = try TemporaryFolder()
        let path = folder.file("log")
        let log = try ServiceLog(path: path, maximum: 1000)
        for number in 0..<100 { log.write("entry \(number)") }
        #expect(folder.names == ["log", "log.1"])
        for name in folder.names { #expect(try folder.read(name).count <= 1000) }
        // No entry is lost between the two files.
        let last = (lines(path + ".1") + lines(path)).compactMap { $0.split(separator: " ").last.flatMap { Int($0) } }
        #expect(last == Array((100 - last.count)..<100))
        #expect(last.count > 20)
    }

    @Test func reportsAMissingFolder() {
        let error = #expect(throws: TransferError.self) { try ServiceLog(path: "/proc/no/log") }
        #expect(error?.code == .cannotWrite)
    }

    /// Addresses may hold secrets in their queries.
    @Test(arguments: TransferEvent.Name.allCases) func noAddressIsLogged(_ name: TransferEvent.Name) {
        var transfer = Transfer(
            id: TransferID(rawValue: 7), kind: .download, url: "https://example.org/a?token=secret",
            file: "/home/user/a", state: .running)
        transfer.edit { ($0.state, $0.error) = (.failed, TransferError(.httpStatus, "example.org returned 404")) }
        let entry = ServiceProcess.entry(of: TransferEvent(time: 0, name: name, transfer: transfer))
        #expect(entry?.contains("secret") != true)
        if let entry { #expect(entry.hasPrefix("\(name.rawValue) 7 download /home/user/a")) }
        if name == .failed { #expect(entry?.hasSuffix(": example.org returned 404") == true) }
        if name == .progress { #expect(entry == nil) }
    }
}
