// SPDX-License-Identifier: MIT

import Foundation
import SessionCore
import Testing
import TransferControl
import TransferModel
import TransferService
import TransferTesting

@testable import fileq

/// A file that changes under a running service.
@Suite struct ConfigurationWatchTests {
    private let folder: TemporaryFolder
    private var path: String { folder.file("config.toml") }

    init() throws { folder = try TemporaryFolder() }

    /// Each time of another length, so that two changes within one tick of the file system's clock differ.
    private func write(_ text: String, lines: Int) throws {
        _ = try folder.write(Array((text + String(repeating: "\n", count: lines)).utf8), to: "config.toml")
    }

    private func check(_ watch: ConfigurationWatch) -> (reported: [String], applied: [ConfigurationWatch.Values]) {
        var reported: [String] = []
        var applied: [ConfigurationWatch.Values] = []
        watch.check(report: { reported.append($0) }, apply: { applied.append($0) })
        return (reported, applied)
    }

    @Test func appliesAChange() throws {
        let watch = try ConfigurationWatch(path: path)
        #expect(watch.summary.modifiedAt == nil && watch.summary.hooks.isEmpty)
        #expect(check(watch).reported.isEmpty)
        try write(
            "inhibit-sleep = false\n[hooks]\non-complete = ['notify-send', 'secret']\n"
                + "[network.interface.wwan0]\nexpensive = true", lines: 1)
        let (reported, applied) = check(watch)
        #expect(reported == ["the configuration file was reloaded"])
        #expect(applied.first?.hooks == HookCommands([.complete: ["notify-send", "secret"]]))
        #expect(applied.first?.pathOverrides.interfaces["wwan0"]?.isExpensive == true)
        #expect(applied.first?.inhibitsSleep == false)
        #expect(watch.summary.hooks == ["on-complete": "notify-send"])
        #expect(watch.summary.interfaces == ["wwan0"])
        #expect(watch.summary.modifiedAt != nil)
        #expect(check(watch).reported.isEmpty)
        try FileManager.default.removeItem(atPath: path)
        #expect(check(watch).applied == [ConfigurationWatch.Values()])
        #expect(watch.summary.modifiedAt == nil)
    }

    @Test func brokenFilesChangeNothing() throws {
        try write("[hooks]\non-error = 'mail'", lines: 1)
        let watch = try ConfigurationWatch(path: path)
        let before = watch.summary
        try write("[hooks]\non-eror = 'mail'", lines: 2)
        let (reported, applied) = check(watch)
        #expect(applied.isEmpty)
        #expect(reported.count == 1 && reported[0].contains("is not in force") && reported[0].contains(":2:"))
        #expect(watch.summary.hooks == before.hooks)
        #expect(watch.summary.modifiedAt == before.modifiedAt)
        #expect(watch.summary.problem?.contains("on-eror") == true)
        #expect(check(watch).reported.isEmpty)
        try write("[hooks]\non-error = 'mail'", lines: 3)
        #expect(check(watch).applied.isEmpty)
        #expect(watch.summary.problem == nil)
    }
}
