// SPDX-License-Identifier: MIT

import FoundationEssentials
import Testing

@testable import fileq

@Suite struct GeneratedFilesTests {
    private static let assets = #filePath.split(separator: "/").dropLast(3).reduce("") { "\($0)/\($1)" } + "/assets"

    @Test func manPageAndCompletionsAreCurrent() {
        for file in GeneratedFiles.all() {
            let kept = FileManager.default.contents(atPath: "\(Self.assets)/\(file.path)")
            #expect(kept == Data(file.text.utf8), "assets/\(file.path) is old: run 'fileq generate assets'")
        }
    }

    @Test func manualPagesHaveEveryOptionAndExitCode() throws {
        let text = ManualPage.all().map(\.text).joined()
        for name in CommandInventory.program.settableNamesOfAll {
            #expect(text.contains("Fl Fl \(name)"), "--\(name)")
        }
        #expect(text.utf8.allSatisfy { $0 < 0x80 })
        let overview = try #require(ManualPage.all().first { $0.name == "fileq" }).text
        for entry in ExitStatus.table { #expect(overview.contains(".It \(entry.number)\n")) }
    }

    @Test func eachCommandHasAPageWithExamples() throws {
        let pages = ManualPage.all()
        let overview = try #require(pages.first { $0.name == "fileq" }).text
        for command in CommandInventory.program.subcommands ?? [] where command.shouldDisplay != false {
            guard command.commandName != "help" else { continue }
            let page = try #require(pages.first { $0.name == "fileq-\(command.commandName)" })
            #expect(page.text.contains(".Sh EXAMPLES\n.Bd -literal\nfileq "), "\(page.name)")
            #expect(!page.text.contains("Examples:"), "\(page.name)")
            #expect(overview.contains("Xr \(page.name) 1\n"), "\(page.name)")
        }
    }

    @Test(arguments: ["header", "limit", "checksum", "output", "mirror", "recursive", "share", "paused", "priority"])
    func optionsOfTransfersAreDescribedOnce(_ name: String) {
        let pages = ManualPage.all().filter {
            ["fileq-get", "fileq-put", "fileq-add", "fileq-options"].contains($0.name)
        }
        let entries = pages.flatMap { $0.text.split(separator: "\n") }.filter {
            $0.hasPrefix(".It ") && $0.split(separator: " ").contains(Substring(name))
        }
        #expect(entries.count == 1, "\(entries)")
    }
}
