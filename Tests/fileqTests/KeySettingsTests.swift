// SPDX-License-Identifier: MIT

import Foundation
import Synchronization
import TerminalInterface
import Testing
import TransferModel
import TransferTesting

@testable import fileq

@Suite struct KeySettingsTests {
    private func read(_ text: String) throws -> (map: KeyMap, mistakes: [String]) {
        let file = try ConfigurationFile(path: "config.toml", text: text)
        try file.check(against: CommandInventory.program)
        let (map, mistakes) = file.keyMap()
        return (map, mistakes.map(\.sentence))
    }

    private func keys(_ action: String, _ map: KeyMap) -> [String]? { map.help.first { $0.action == action }?.keys }

    @Test func aKeyAListOrNone() throws {
        let (map, mistakes) = try read(
            """
            [interface]
            theme = "nord"
            [interface.keys]   # mine
            pause = "F5"
            cancel = ["C", "Delete"]
            redraw = "none"
            suspend = []
            page-down = 'pagedown'
            [get]
            limit = "1M"
            """)
        #expect(mistakes.isEmpty)
        #expect(keys("pause", map) == ["F5"] && keys("cancel", map) == ["C", "Del"] && keys("redraw", map) == [])
        #expect(keys("suspend", map) == [])
        #expect(map.help.filter(\.isChanged).map(\.action) == ["pause", "cancel", "page-down", "redraw", "suspend"])
    }

    @Test func withoutATableTheDefaults() throws {
        for text in [
            "", "retry = 1\n", "[interface]\ntheme = 'nord'\n", "[interface.keys]\n[interface]\nwatch = true\n",
        ] {
            let (map, mistakes) = try read(text)
            #expect(mistakes.isEmpty && map.help == KeyMap.standard.help)
        }
    }

    @Test(arguments: [
        (
            "[interface.keys]\npuase = 'p'\n",
            ["config.toml:2: unknown action 'puase'; did you mean 'pause'?"]
        ),
        (
            "[interface.keys]\n\nlaunch-rockets = 'p'\n",
            ["config.toml:3: unknown action 'launch-rockets'; 'fileq keys' lists the actions"]
        ),
        (
            "[interface.keys]\npause = 5\n",
            ["config.toml:2: 'pause' takes a key or a list of keys, in quotes: \"p\" or [\"p\", \"F5\"]"]
        ),
        (
            "[interface.keys]\npause = ['p', true]\nview-all = 1.5\n",
            [
                "config.toml:2: 'pause' takes a key or a list of keys, in quotes: \"p\" or [\"p\", \"F5\"]",
                "config.toml:3: 'view-all' takes a key or a list of keys, in quotes: \"p\" or [\"p\", \"F5\"]",
            ]
        ),
        (
            "[get]\n[interface.keys]\npause = 'x'\n",
            [
                "config.toml:3: x is the key of 'cancel'; set other keys for that action, too, or \"none\""
            ]
        ),
        (
            "[interface.keys]\npause = 'F5'\ncancel = 'f5'\n",
            ["config.toml:3: F5 is set for 'pause', too; a key has one action"]
        ),
        ("[interface.keys]\nquit = []\n", ["config.toml:2: 'quit' needs a key"]),
        ("[interface]\nkeys = 'vi'\n", ["config.toml:2: 'keys' is a table: use [interface.keys]"]),
    ])
    func mistakesHaveTheirLine(_ text: String, _ expected: [String]) throws {
        let (map, mistakes) = try read(text)
        #expect(mistakes == expected)
        for action in ["cancel", "quit", "view-all"] {
            #expect(map.help.first { $0.action == action }?.isChanged == false, "it keeps its default keys")
        }
    }

    @Test func aMistakeLeavesTheOtherChanges() throws {
        let (map, mistakes) = try read(
            """
            [interface.keys]
            pause = "F5"
            rocket = "z"
            cancel = 5
            help = "q"
            redraw = "none"
            """)
        #expect(
            mistakes == [
                "config.toml:4: 'cancel' takes a key or a list of keys, in quotes: \"p\" or [\"p\", \"F5\"]",
                "config.toml:3: unknown action 'rocket'; 'fileq keys' lists the actions",
                "config.toml:5: q is the key of 'quit'; set other keys for that action, too, or \"none\"",
            ])
        #expect(map.help.filter(\.isChanged).map(\.action) == ["pause", "redraw"])
    }

    @Test func unknownKeysAreNamed() throws {
        let (_, mistakes) = try read("[interface.keys]\npause = 'Ctrl-Enter'\n")
        #expect(mistakes.count == 1)
        #expect(
            mistakes.first?.hasPrefix("config.toml:2: 'Ctrl-Enter' is no key; a key is a character, Ctrl-x") == true)
    }

    /// The parser gives up on these, or they are no tables of this program.
    @Test(arguments: [
        "[interface.keys]\npause = 'p'\npause = 'x'\n", "[interface.keyz]\n", "[get.keys]\npause = 'p'\n",
        "[interface.keys.pause]\n", "[keys]\npause = 'p'\n", "[[interface.keys]]\n",
        "interface = 1\n[interface.keys]\n", "[interface]\nkeys = 1\n[interface.keys]\n", "[interface.keys\n",
    ])
    func otherTablesAreRefused(_ text: String) {
        let error = #expect(throws: TransferError.self) { try read(text) }
        #expect(error?.code == .usage && error?.message.hasPrefix("config.toml:") == true, "\(error?.message ?? "")")
    }
}

@Suite struct KeysCommandTests {
    private func output(_ map: KeyMap, columns: Int? = nil, json: Bool = false) throws -> [String] {
        let written = Mutex("")
        var context = QueueContext(connect: { _ throws(TransferError) in
            throw TransferError(.usage, "printing keys needs no service")
        })
        context.output = FileOutput { text in written.withLock { $0 += text } }
        context.screen = columns.map {
            QueueScreen(columns: $0, traits: TerminalTraits(isTerminal: true, environment: { ["LANG": "C"][$0] }))
        }
        try KeysCommand.write(map, in: context, json: json)
        return written.withLock { $0 }.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    }

    private func changed() -> KeyMap {
        let (map, mistakes) = KeyMap.changed(["pause": ["F5", "Ctrl-P"], "redraw": []])
        #expect(mistakes.isEmpty)
        return map
    }

    @Test func aTableMarksChangedKeys() throws {
        let lines = try output(changed(), columns: 100)
        #expect(lines.first == "  ACTION            KEYS          DOES")
        #expect(lines.contains("* pause             F5, Ctrl-P    pause; resume if paused (default: p)"))
        #expect(lines.contains("* redraw            none          redraw the screen (default: Ctrl-L)"))
        #expect(
            lines.contains(
                "  undo              U             undo the last command: pause, cancel, remove, move, priority,"))
        #expect(lines.count { $0.hasPrefix("* ") } == 2)
        for group in ActionGroup.allCases { #expect(lines.contains(group.rawValue)) }
    }

    @Test func aTableFitsTheTerminal() throws {
        for columns in [20, 24, 30, 40, 53, 54, 55, 60, 80, 132] {
            for line in try output(changed(), columns: columns) {
                #expect(CellWidth.of(line) <= columns)
                #expect(line.last != " ")
            }
        }
    }

    @Test func aNarrowTableHasDescriptionsBelow() throws {
        let lines = try output(changed(), columns: 40)
        #expect(lines.first == "  ACTION            KEYS")
        let index = try #require(lines.firstIndex(of: "* pause             F5, Ctrl-P"))
        #expect(lines[index + 1] == "      pause; resume if paused (default:")
        #expect(lines[index + 2] == "      p)")
        #expect(lines.contains("* redraw            none"))
    }

    @Test func programsGetFields() throws {
        let lines = try output(changed()).dropLast()
        #expect(lines.count == KeyMap.actionNames.count)
        #expect(lines.contains("pause\tF5, Ctrl-P\tp\tpause; resume if paused"))
        #expect(lines.contains("redraw\tnone\tCtrl-L\tredraw the screen"))
        #expect(lines.contains("down\tj, Down\tj, Down\tnext transfer"))
    }

    @Test func programsGetObjects() throws {
        let lines = try output(changed(), json: true).dropLast()
        #expect(lines.count == KeyMap.actionNames.count)
        let redraw =
            #"{"action":"redraw","keys":[],"defaults":["Ctrl-L"],"changed":true,"group":"Show","#
            + #""help":"redraw the screen"}"#
        #expect(lines.contains(redraw))
        for line in lines {
            let object = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
            #expect(object?.count == 6)
        }
    }
}
