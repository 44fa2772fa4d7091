// SPDX-License-Identifier: MIT

import Testing
import TransferModel
import TransferService

@testable import fileq

@Suite struct HookSettingsTests {
    private func read(_ text: String) throws -> HookCommands {
        let file = try ConfigurationFile(path: "config.toml", text: text)
        try file.check(against: CommandInventory.program)
        return try file.hookCommands()
    }

    @Test(arguments: [
        ("retry = 1\n", HookCommands()), ("[hooks]\n", HookCommands()),
        (
            "[hooks]\non-complete = [\"notify-send\", \"two words\", \"$HOME\"]\ntimeout = 5\n",
            HookCommands([.complete: ["notify-send", "two words", "$HOME"]], timeout: 5)
        ),
        (
            "[hooks]\non-error = \"  /opt/x  a 'b  c'd \\\"\\\" ; rm * \"\non-idle = 'true'\n",
            HookCommands([.error: ["/opt/x", "a", "b  cd", "", ";", "rm", "*"], .idle: ["true"]])
        ),
        (
            "[hooks]\non-start = ['a']\non-pause = ['b']\ntimeout = 0.5\n",
            HookCommands([.start: ["a"], .pause: ["b"]], timeout: 0.5)
        ),
    ])
    func parsesPrograms(text: String, expected: HookCommands) throws { #expect(try read(text) == expected) }

    @Test(arguments: [
        ("hooks = 1\n", "config.toml:1: 'hooks' is a table"),
        (
            "[hooks]\non-finish = 'x'\n",
            "config.toml:2: unknown key 'on-finish' in [hooks]; known keys: on-start, on-complete,"
        ),
        ("[hooks]\non-error = 5\n", "config.toml:2: 'on-error' is a program and its arguments"),
        ("[hooks]\non-error = ['a', 5]\n", "config.toml:2: 'on-error' is a program and its arguments"),
        ("[hooks]\non-error = []\n", "config.toml:2: 'on-error' is empty"),
        ("[hooks]\n\non-error = ' '\n", "config.toml:3: 'on-error' is empty"),
        ("[hooks]\non-error = \"a 'b\"\n", "config.toml:2: 'on-error' opens a quote"),
        ("[hooks]\ntimeout = 0\n", "config.toml:2: 'timeout' is a number of seconds"),
        ("[hooks]\ntimeout = '5'\n", "config.toml:2: 'timeout' is a number of seconds"),
    ])
    func errorsHaveTheirLine(text: String, beginning: String) {
        let error = #expect(throws: TransferError.self) { try read(text) }
        #expect(error?.code == .usage)
        #expect(error?.message.hasPrefix(beginning) == true, "\(error?.message ?? "")")
    }
}
