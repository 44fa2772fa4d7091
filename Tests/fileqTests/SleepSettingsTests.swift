// SPDX-License-Identifier: MIT

import Testing
import TransferControl
import TransferModel

@testable import fileq

@Suite struct SleepSettingsTests {
    private func read(_ text: String) throws -> Bool {
        let file = try ConfigurationFile(path: "config.toml", text: text)
        try file.check(against: CommandInventory.program)
        return try file.inhibitsSleep()
    }

    @Test(arguments: [("retry = 1\n", true), ("inhibit-sleep = true\n", true), ("inhibit-sleep = false\n", false)])
    func readsTheKey(text: String, expected: Bool) throws { #expect(try read(text) == expected) }

    @Test(arguments: [
        ("inhibit-sleep = 1\n", "config.toml:1: 'inhibit-sleep' must be true or false"),
        ("[get]\ninhibit-sleep = false\n", "config.toml:2: unknown option 'inhibit-sleep' in [get]"),
    ])
    func errorsHaveTheirLine(text: String, beginning: String) {
        let error = #expect(throws: TransferError.self) { try read(text) }
        #expect(error?.code == .usage)
        #expect(error?.message.hasPrefix(beginning) == true, "\(error?.message ?? "")")
    }

    @Test(
        arguments: [
            (SleepStatus(enabled: true, prevented: true), "prevented now, as transfers run"),
            (SleepStatus(enabled: true, prevented: false), "prevented while transfers run"),
            (SleepStatus(enabled: true, prevented: false, problem: "x is not there"), "not prevented: x is not there"),
            (SleepStatus(enabled: false, prevented: false), "not prevented: inhibit-sleep = false"),
        ])
    func theStatusHasALine(_ sleep: SleepStatus, _ words: String) {
        var status = ServiceStatus(
            pid: 12, version: "0.1.0", protocol: 1, socket: nil, startedAt: 0, clients: 1, transfers: [:])
        status.configuration = ServiceConfiguration(file: "/c.toml")
        status.configuration?.sleep = sleep
        let lines = ServiceStatusCommand.text(status, log: "/l").split(separator: "\n")
        #expect(lines.last.map(String.init) == "sleep      \(words)")
    }

    @Test func theStatusAsJSON() {
        var status = ServiceStatus(
            pid: 12, version: "0.1.0", protocol: 1, socket: nil, startedAt: 0, clients: 1, transfers: [:])
        status.configuration = ServiceConfiguration(file: "/c.toml")
        status.configuration?.sleep = SleepStatus(enabled: true, prevented: false, problem: "x is not there")
        let tail = #""sleep":{"enabled":true,"prevented":false,"problem":"x is not there"}}}"#
        #expect(ServiceStatusCommand.object(status, log: "/l").hasSuffix(tail))
    }
}
