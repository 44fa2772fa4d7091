// SPDX-License-Identifier: MIT

import Testing
import TransferControl
import TransferModel

@testable import fileq

@Suite struct NotifySettingsTests {
    private func read(_ text: String) throws -> NotifySettings {
        let file = try ConfigurationFile(path: "config.toml", text: text)
        try file.check(against: CommandInventory.program)
        return try file.notifySettings()
    }

    @Test func readsTheTable() throws {
        #expect(try read("retry = 1\n") == NotifySettings())
        let settings = try read(
            "[notify]\nwhen = 'always'\nway = 'osc-777'\nmin-size = '10M'\nmin-duration = 60\n")
        #expect(settings.when == .always && settings.way == .osc777)
        #expect(settings.leastSize == 10 << 20 && settings.leastDuration == 60)
    }

    @Test(arguments: [
        ("notify = 1\n", "config.toml:1: 'notify' is a table"),
        ("[notify]\nsize = 1\n", "config.toml:2: unknown key 'size' in [notify]; known keys: when, way,"),
        ("[notify]\nwhen = 'now'\n", "config.toml:2: 'when' is one of never, unfocused, always"),
        ("[notify]\nway = 7\n", "config.toml:2: 'way' is one of auto, terminal, desktop, osc-9, osc-99, osc-777"),
        ("[notify]\nmin-size = 'big'\n", "config.toml:2: 'min-size' is a number of bytes"),
        ("[notify]\nmin-size = -1\n", "config.toml:2: 'min-size' is a number of bytes"),
        ("[notify]\nmin-duration = '5'\n", "config.toml:2: 'min-duration' is a number of seconds"),
    ])
    func errorsHaveTheirLine(text: String, beginning: String) {
        let error = #expect(throws: TransferError.self) { try read(text) }
        #expect(error?.code == .usage)
        #expect(error?.message.hasPrefix(beginning) == true, "\(error?.message ?? "")")
    }
}
