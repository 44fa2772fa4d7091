// SPDX-License-Identifier: MIT

import ArgumentParser
import NetworkLab
import Testing
import TransferModel

@testable import FileQLab

/// Which timer must fire when, as a table.
@Suite struct TimeoutExpectationTests {
    private static let unset = TimeoutSettings(connect: 30, request: 60, resource: 1000)
    private static let late = TransferCourse(connects: 0, moves: [0, 5], ends: 5)
    private static let lost = TransferCourse(connects: nil, moves: [], ends: nil)
    private static let steady = TransferCourse(connects: 0, moves: [0, 1, 2, 3, 4], ends: 5)
    private static let stuck = TransferCourse(connects: 0.5, moves: [0.5, 1], ends: nil)

    private static func set(
        _ connect: Double = 30, _ request: Double = 60, _ resource: Double = 1000
    ) -> TimeoutSettings {
        TimeoutSettings(connect: connect, request: request, resource: resource)
    }

    /// The body of the request takes a second.
    private static let sent = TransferCourse(connects: 0, moves: [0, 1], sent: 1, head: 5, ends: 5)

    private static func answering(_ response: Double, request: Double = 60) -> TimeoutSettings {
        TimeoutSettings(connect: 30, request: request, response: response, resource: 1000)
    }

    static let rows: [(TimeoutSettings, TransferCourse, TimeoutExpectation)] = [
        (unset, late, .completes(after: 5)),
        (set(1), late, .completes(after: 5)),
        (set(30, 1), late, .fires(.request, after: 1)),
        (set(30, 60, 1), late, .fires(.resource, after: 1)),
        (set(30, 5), late, .completes(after: 5)),
        (unset, lost, .continues(past: 20)),
        (set(1), lost, .fires(.connect, after: 1)),
        (set(30, 1), lost, .fires(.request, after: 1)),
        (set(30, 60, 1), lost, .fires(.resource, after: 1)),
        (set(1, 1, 1), lost, .fires(.connect, after: 1)),
        (set(30, 1.5), steady, .completes(after: 5)),
        (set(30, 1.5, 2.5), steady, .fires(.resource, after: 2.5)),
        (set(30, 0.5), steady, .fires(.request, after: 0.5)),
        (set(30, 2), stuck, .fires(.request, after: 3)),
        (set(0.4, 2), stuck, .fires(.connect, after: 0.4)),
        (set(30, 2, 2.5), stuck, .fires(.resource, after: 2.5)),
        (unset, stuck, .continues(past: 20)),
        (unset, TransferCourse(connects: 0, moves: [0], ends: 30), .continues(past: 20)),
        (set(0.013), lost, .fires(.connect, after: 0.013)),
        (answering(2), sent, .fires(.response, after: 3)),
        (answering(5), sent, .completes(after: 5)),
        (answering(2), late, .completes(after: 5)),
        (answering(60, request: 2), sent, .completes(after: 5)),
        (answering(0.5), TransferCourse(connects: 0, moves: [0, 1], sent: 0, head: 0, ends: 2), .completes(after: 2)),
    ]

    @Test(arguments: rows.indices) func ordersByTime(_ index: Int) {
        let (settings, course, expected) = Self.rows[index]
        #expect(TimeoutExpectation(settings, course, horizon: 20) == expected)
    }

    @Test func allowsLateNotEarly() {
        let expected = TimeoutExpectation.fires(.request, after: 1)
        for (time, isAllowed) in [(0.98, false), (0.995, true), (1, true), (1.3, true), (1.36, false)] {
            #expect(expected.allows(.fires(.request, after: time)) == isAllowed, "\(time)")
        }
        #expect(!expected.allows(.fires(.resource, after: 1)))
        #expect(!expected.allows(.completes(after: 1)))
        #expect(!expected.allows(.continues(past: 1)))
        #expect(TimeoutExpectation.continues(past: 1).allows(.continues(past: 1)))
    }

    @Test(arguments: [0.2, 1, 100]) func combinesEveryTimerAndDelay(_ scale: Double) {
        let trials = TimeoutTrials(scale: scale, unset: Self.unset)
        let pairs = Set(trials.rows.map { "\($0.setting.split(separator: " ")[0]) \($0.situation) \($0.method)" })
        for timer in ["none", "connect", "request", "resource"] {
            for wait in ["before accept", "before head", "before first line", "before second line", "no connection"] {
                for method in ["GET", "POST", "PUT"] { #expect(pairs.contains("\(timer) \(wait) \(method)")) }
            }
        }
        for row in trials.rows {
            var behaviour = LabBehaviour()
            #expect(throws: Never.self) { try behaviour.apply(query: row.query) }
            #expect(row.course.moves == row.course.moves.sorted())
        }
    }

    @Test func tableShowsDifferences() {
        let trials = TimeoutTrials(scale: 1, unset: Self.unset)
        let rows = trials.rows.prefix(3).map { row in
            TimeoutLine(row: row, expected: .completes(after: 1.2), result: .ended(.completes(after: 1.25)))
        }
        var lines = Array(rows)
        lines[1].result = .ended(.fires(.request, after: 0.5))
        lines[2].result = .failed("127.0.0.1: connection refused", after: 0)
        #expect(lines.map(\.agrees) == [true, false, false])
        let text = TimeoutTableText.table(lines).split(separator: "\n")
        #expect(text.count == 4)
        #expect(text.map { $0.hasSuffix("  DIFFERS") } == [false, false, true, true])
        #expect(text[1].hasSuffix("response after 1.2 s  response after 1.25 s"))
        #expect(text[2].contains("request timeout after 0.5 s  "))
        #expect(lines[1].json().contains(#""measured":{"outcome":"timeout","seconds":0.5,"timer":"request"}"#))
        #expect(lines[1].json().contains(#""agrees":false"#))
        #expect(lines[2].json().contains(#""message":"127.0.0.1: connection refused","outcome":"failed""#))
    }
}

/// What the lab's commands make of their options.
@Suite struct LabOptionTests {
    @Test(arguments: [("2", 2.0), ("0.5", 0.5), ("10s", 10), ("500ms", 0.5), ("2m", 120), ("0", 0)])
    func durations(_ text: String, _ seconds: Double) throws {
        #expect(try LabDuration.parse(text, option: "--down") == seconds)
    }

    @Test(arguments: ["", "s", "-1", "1h", "1e3", "ten", "1.2.3", "100000", "nan"]) func wrongDurations(_ text: String)
    {
        let error = #expect(throws: TransferError.self) { try LabDuration.parse(text, option: "--down") }
        #expect(error?.code == .usage)
        #expect(error?.message.hasPrefix("--down: ") == true)
    }

    @Test(arguments: [
        ("127.0.0.1:80", "127.0.0.1", 80), ("host.example:8080", "host.example", 8080), ("[::1]:443", "::1", 443),
    ])
    func targets(_ text: String, _ host: String, _ port: Int) throws {
        let target = try LabLinkCommand.target(text)
        #expect(target.host == host && target.port == port)
    }

    @Test(arguments: ["", "host", ":80", "host:", "host:0", "host:65536", "::1:80", "http://host:80", "ho st:80"])
    func wrongTargets(_ text: String) {
        let error = #expect(throws: TransferError.self) { try LabLinkCommand.target(text) }
        #expect(error?.code == .usage)
    }

    private func link(_ words: String...) throws -> LinkProxy.Configuration {
        let command = try LabCommand.parseAsRoot(["link", "--to", "127.0.0.1:80"] + words)
        return try #require(command as? LabLinkCommand).settings()
    }

    @Test func linksTakeTheirOptions() throws {
        let settings = try link(
            "--profile", "3g", "--down", "10s", "--every", "1m", "--outage", "refuse", "--port", "9")
        #expect(settings.profile.name == "3g")
        #expect(settings.outages == OutageSchedule(down: 10, every: 60))
        #expect(settings.outage == .refuse)
        #expect(settings.port == 9)
        for (words, says) in [
            (["--profile", "5g"], "3g, lte, edge"), (["--profile", "3g", "--down", "1"], "--every"),
            (["--profile", "3g", "--down", "2", "--every", "1"], "--down must be"),
            (["--profile", "3g", "--outage", "none"], "--outage"), (["--profile", "3g", "--port", "70000"], "--port"),
        ] {
            let command = try #require(
                LabCommand.parseAsRoot(["link", "--to", "127.0.0.1:80"] + words) as? LabLinkCommand)
            let error = #expect(throws: TransferError.self) { _ = try command.settings() }
            #expect(error?.code == .usage)
            #expect(error?.message.contains(says) == true, "\(error?.message ?? "")")
        }
    }

    @Test func serversTakeTheirOptions() throws {
        let words = [
            "serve", "--wait-accept", "500ms", "--wait-head", "0.5", "--fault", "stall", "--at", "1k", "--size", "1M",
        ]
        let settings = try #require(LabCommand.parseAsRoot(words) as? LabServeCommand).settings()
        #expect(settings.waitAccept == 0.5)
        #expect(settings.defaults.waitHead == 0.5)
        #expect(settings.defaults.fault == .stall)
        #expect(settings.defaults.place == .bytes(1024))
        #expect(settings.defaults.size == 1 << 20)
        for (words, says) in [
            (["--fault", "none-such"], "--fault: there is no fault"), (["--wait-head", "soon"], "--wait-head"),
            (["--tls-cert", "x"], "--tls-key"), (["--wait-accept", "x"], "--wait-accept"),
            (["--port", "70000"], "--port"),
        ] {
            let command = try LabCommand.parseAsRoot(["serve"] + words)
            let error = #expect(throws: TransferError.self) { _ = try (command as? LabServeCommand)?.settings() }
            #expect(error?.code == .usage)
            #expect(error?.message.contains(says) == true, "\(error?.message ?? "")")
        }
    }
}
