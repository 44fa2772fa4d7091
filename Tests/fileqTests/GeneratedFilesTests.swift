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

    @Test func manPageHasEveryOptionAndExitCode() {
        let text = ManualPage(of: CommandInventory.program).text
        for name in CommandInventory.program.settableNamesOfAll {
            #expect(text.contains("Fl Fl \(name)"), "--\(name)")
        }
        #expect(text.utf8.allSatisfy { $0 < 0x80 })
    }
}
