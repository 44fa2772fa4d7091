// SPDX-License-Identifier: MIT

import ArgumentParser
import Foundation
import HTTPTypes
import SessionCore
import TransferModel

/// `fileq-lab table`
struct LabTableCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "table",
        abstract: "Check every timeout against every wait.",
        discussion: """
            Four timers ask four questions: connect, whether the server can be reached at all; request, whether \
            bytes have stopped moving, either way; response, whether the server is silent although it has the whole \
            body of the request; resource, whether the whole has taken too long. The table runs each \
            of them, unset and short, against a server that waits before it accepts, before the head, before the first \
            and the second line of the answer, and against a port where no connection stands; then against answers and \
            uploads that are slow but move.

            Expected beside measured, a line each; with --json one object a line. A timer may be late by 250 ms and a \
            tenth. The exit code is 1 where anything differs.
            """
    )

    @Flag(help: "One JSON object a line.")
    var json = false

    @Option(help: ArgumentHelp("Stretch all waits and timers; at 1 it takes three seconds.", valueName: "factor"))
    var scale = 1.0

    mutating func run() async throws {
        guard scale.isFinite, scale >= 0.2, scale <= 100 else {
            throw TransferError(.usage, "--scale: write a number from 0.2 to 100")
        }
        let standard = TransferConfiguration()
        let trials = TimeoutTrials(
            scale: scale,
            unset: TimeoutSettings(
                connect: standard.connectTimeout, request: standard.requestTimeout, response: standard.responseTimeout,
                resource: standard.resourceTimeout))
        let stage = try await TimeoutStage(trials: trials)
        let lines = await Self.run(trials, on: stage)
        await stage.strike()
        print(json ? lines.map { $0.json() }.joined(separator: "\n") : TimeoutTableText.table(lines))
        let differing = lines.filter { !$0.agrees }.count
        guard differing == 0 else {
            throw TransferError(.other, "\(differing) of \(lines.count) lines differ from what is expected")
        }
    }

    /// All at once: each has its own connection and timers.
    private static func run(_ trials: TimeoutTrials, on stage: TimeoutStage) async -> [TimeoutLine] {
        let horizon = trials.horizon
        return await withTaskGroup(of: (Int, TimeoutLine).self) { group in
            for (index, row) in trials.rows.enumerated() {
                group.addTask {
                    (
                        index,
                        TimeoutLine(
                            row: row, expected: row.expectation(horizon: horizon),
                            result: await stage.run(row, horizon: horizon))
                    )
                }
            }
            return await group.reduce(into: []) { $0.append($1) }.sorted { $0.0 < $1.0 }.map(\.1)
        }
    }
}

/// One line of the table.
struct TimeoutLine: Sendable {
    var row: TimeoutRow
    var expected: TimeoutExpectation
    var result: TimeoutStage.Result

    var agrees: Bool {
        if case .ended(let measured) = result { expected.allows(measured) } else { false }
    }

    /// One JSON object.
    func json() -> String {
        let object = Object(
            setting: row.setting, wait: row.situation, method: row.method.rawValue, expected: Outcome(expected),
            measured: Outcome(result), agrees: agrees)
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return (try? encoder.encode(object)).map { String(decoding: $0, as: UTF8.self) } ?? "{}"
    }

    private struct Object: Encodable {
        var setting: String
        var wait: String
        var method: String
        var expected: Outcome
        var measured: Outcome
        var agrees: Bool
    }

    fileprivate struct Outcome: Encodable {
        var outcome: String
        var timer: String?
        var message: String?
        /// Rounded to thousandths.
        var seconds: Double
    }
}

extension TimeoutLine.Outcome {
    init(_ expectation: TimeoutExpectation) {
        switch expectation {
        case .completes(let time): self.init(outcome: "completes", seconds: Self.rounded(time))
        case .fires(let timer, let time):
            self.init(outcome: "timeout", timer: timer.rawValue, seconds: Self.rounded(time))
        case .continues(let time): self.init(outcome: "goes-on", seconds: Self.rounded(time))
        }
    }

    init(_ result: TimeoutStage.Result) {
        switch result {
        case .ended(let expectation): self.init(expectation)
        case .failed(let message, let time): self.init(outcome: "failed", message: message, seconds: Self.rounded(time))
        }
    }

    private static func rounded(_ time: Double) -> Double { (time * 1000).rounded() / 1000 }
}

/// The table for people.
enum TimeoutTableText {
    static func table(_ lines: [TimeoutLine]) -> String {
        let heads = ["setting", "wait", "method", "expected", "measured", ""]
        let cells = lines.map { line in
            [
                line.row.setting, line.row.situation, line.row.method.rawValue, words(.ended(line.expected)),
                words(line.result),
                line.agrees ? "" : "DIFFERS",
            ]
        }
        let widths = heads.indices.map { column in ([heads] + cells).map { $0[column].count }.max() ?? 0 }
        return ([heads] + cells).map { row in
            var line = ""
            for (cell, width) in zip(row, widths) {
                line += cell + String(repeating: " ", count: width - cell.count + 2)
            }
            while line.last == " " { line.removeLast() }
            return line
        }.joined(separator: "\n")
    }

    private static func words(_ result: TimeoutStage.Result) -> String {
        switch result {
        case .ended(.completes(let time)): "response after \(TimeoutTrials.text(time))"
        case .ended(.fires(let timer, let time)): "\(timer.rawValue) timeout after \(TimeoutTrials.text(time))"
        case .ended(.continues(let time)): "nothing in \(TimeoutTrials.text(time))"
        case .failed(let message, let time): "\(message) after \(TimeoutTrials.text(time))"
        }
    }
}
