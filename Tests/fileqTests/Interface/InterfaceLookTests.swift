// SPDX-License-Identifier: MIT

import TerminalInterface
import Testing
import TransferControl
import TransferModel
import TransferTesting

@testable import fileq

/// Theme, columns and grouping: a mistake in the configuration stops nothing and has a line.
struct InterfaceLookTests {
    private func file(_ text: String) throws -> ConfigurationFile {
        try ConfigurationFile(path: "/etc/config.toml", text: text)
    }

    @Test func takesWhatIsRight() throws {
        let look = try InterfaceLook(theme: "nord", columns: "name,size", grouping: "folder", file: nil)
        #expect(look.theme == .nord && look.columns?.text == "name,size" && look.grouping == .folder)
        #expect(try InterfaceLook(theme: "auto", columns: nil, grouping: "none", file: nil).grouping == nil)
    }

    @Test func thePaneHasAPlace() throws {
        #expect(try InterfaceLook(theme: "auto", columns: nil, grouping: nil, pane: "right", file: nil).pane == .right)
        let file = try file("[interface]\npane = \"left\"\n")
        let look = try InterfaceLook(theme: "auto", columns: nil, grouping: nil, pane: "left", file: file)
        #expect(look.pane == .auto)
        #expect(
            look.mistakes.map(\.sentence) == [
                "/etc/config.toml:2: pane: 'left' is no place; there are auto, right, bottom; the default is used"
            ])
    }

    @Test func mistakesInTheFileHaveALine() throws {
        let file = try file(
            "# mine\n[interface]\ntheme = \"pink\"\nlist-columns = \"size\"\ngroup = \"colour\"\n")
        let look = try InterfaceLook(theme: "pink", columns: "size", grouping: "colour", file: file)
        #expect(look.theme == .auto && look.columns == nil && look.grouping == nil)
        #expect(
            look.mistakes.map(\.sentence) == [
                "/etc/config.toml:3: theme: 'pink' is no theme; there are auto, dark, light, high-contrast, "
                    + "monochrome, gruvbox, nord; the default is used",
                "/etc/config.toml:4: list-columns: 'name' must be one of the columns; the default is used",
                "/etc/config.toml:5: group: 'colour' is no grouping; there are none, server, folder, place, batch; "
                    + "the default is used",
            ])
    }

    /// Options of all commands stand above the tables.
    @Test func aMistakeAboveTheTablesHasALine() throws {
        let file = try file("# mine\ntheme = \"pink\"\n[interface]\ngroup = \"server\"\n")
        let look = try InterfaceLook(theme: "pink", columns: nil, grouping: "server", file: file)
        #expect(look.theme == .auto && look.grouping == .server)
        #expect(look.mistakes.first?.place == "/etc/config.toml:2" && look.mistakes.count == 1)
        // The table has the value in force, so that this one was typed.
        let both = try self.file("theme = \"pink\"\n[interface]\ntheme = \"nord\"\n")
        #expect(throws: TransferError.self) {
            try InterfaceLook(theme: "pink", columns: nil, grouping: nil, file: both)
        }
    }

    @Test func theScreenNamesTheFileWithoutItsFolder() throws {
        let file = try file("[interface]\ngroup = \"colour\"\n")
        let look = try InterfaceLook(theme: "auto", columns: nil, grouping: "colour", file: file)
        #expect(look.mistakes.map(\.brief).first?.hasPrefix("config.toml:2: group: 'colour' is no grouping") == true)
    }

    @Test func typedMistakesAreErrors() throws {
        let file = try file("[interface]\ntheme = \"nord\"\n")
        for look in [("pink", "name", "none"), ("auto", "x", "none"), ("auto", "name", "x")] {
            let error = #expect(throws: TransferError.self) {
                try InterfaceLook(theme: look.0, columns: look.1, grouping: look.2, file: file)
            }
            #expect(error?.code == .usage && error?.fields.option != nil)
        }
    }
}
