// SPDX-License-Identifier: MIT

import Testing
import TransferModel

@testable import TerminalInterface
@testable import fileq

@Suite struct OwnViewSettingsTests {
    private func read(_ text: String) throws -> (titles: [String], mistakes: [String]) {
        let file = try ConfigurationFile(path: "config.toml", text: "[interface.views]\n" + text)
        try file.check(against: CommandInventory.program)
        let (views, mistakes) = file.ownViews(now: 0)
        return (views.map(\.title), mistakes.map(\.sentence))
    }

    @Test func viewsHaveTheOrderOfTheirLines() throws {
        let (titles, mistakes) = try read("large = 'size>1G'\n\"a view\" = 'host:*.example.org failed'\n")
        #expect(titles == ["large", "a view"] && mistakes.isEmpty)
    }

    @Test(arguments: [
        ("a = 1\n", "config.toml:2: view 'a': a view is a filter in quotes"),
        ("a = ''\n", "config.toml:2: view 'a': a view has a filter"),
        ("b = 'iso'\na = 'size>x'\n", "config.toml:3: view 'a': "),
        ("d = 'd'\nc = 'c'\nb = 'b'\na = 'a'\n", "config.toml:5: view 'a': there are keys for 3 views"),
        ("\"\" = 'iso'\n", "config.toml:2: view '': a view has a name"),
    ])
    func aMistakeCostsOnlyItsView(_ text: String, _ beginning: String) throws {
        let (titles, mistakes) = try read(text)
        #expect(titles.count == text.split(separator: "\n").count - 1 && !titles.contains("a"))
        #expect(mistakes.count == 1 && mistakes.first?.hasPrefix(beginning) == true, "\(mistakes)")
    }

    @Test func viewsAreATable() throws {
        let file = try ConfigurationFile(path: "config.toml", text: "[interface]\nviews = 'iso'\n")
        #expect(
            file.ownViews(now: 0).mistakes.map(\.sentence) == [
                "config.toml:2: 'views' is a table: use [interface.views]"
            ])
    }
}
