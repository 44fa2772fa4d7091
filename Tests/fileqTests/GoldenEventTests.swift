// SPDX-License-Identifier: MIT

import Foundation
import Testing
import TransferModel
import TransferTesting

@testable import fileq

/// The lines of `--json`: programs read them, so that members may come, and none may go or change.
@Suite struct GoldenEventTests {
    static let time = 1_790_000_000.25

    private static func snapshot(_ state: TransferState) throws -> Transfer {
        var transfer = Transfer(
            id: TransferID(rawValue: 7), kind: .download, url: "https://host.test/a?token=x&b=c", file: "/d/ä b",
            state: state)
        (transfer.bytes, transfer.total, transfer.confirmed) = (100, 5000, 50)
        transfer.attempt = 2
        return transfer
    }

    static func events() throws -> [TransferEvent] {
        var events: [TransferEvent] = []
        func add(
            _ name: TransferEvent.Name, _ state: TransferState,
            _ change: (inout TransferForm) throws -> Void = { _ in }
        ) throws {
            var transfer = try snapshot(state)
            try transfer.edit(change)
            events.append(TransferEvent(time: time + Double(events.count), name: name, transfer: transfer))
        }
        try add(.queued, .queued)
        try add(.started, .running)
        try add(.progress, .running) { ($0.rate, $0.eta) = (1234.5, 3.5) }
        try add(.waiting, .waiting) {
            ($0.reason, $0.waitingSince, $0.unavailableReason) = ("no network", time, "expensive")
        }
        try add(.retrying, .retrying) {
            ($0.reason, $0.retryAt, $0.error) = ("refused", time + 60, TransferError(.cannotConnect, "refused"))
        }
        try add(.paused, .paused) { transfer in
            transfer.question = .login(
                .init(host: "host.test", port: 443, scheme: "https", realm: "r", method: "Basic"))
        }
        try add(.verifying, .verifying)
        try add(.completed, .completed) { transfer in
            var metrics = TransferMetrics()
            (metrics.connect, metrics.exchanges, metrics.redirects) = (0.25, 1, 0)
            var transaction = TransactionMetrics(method: "GET", url: try TransferURL("https://host.test/a"))
            (transaction.status, transaction.fetchStart, transaction.protocolName) = (200, time, "h2")
            metrics.transactions = [transaction]
            (transfer.metrics, transfer.status) = (metrics, 200)
        }
        try add(.failed, .failed) {
            ($0.error, $0.status) = (TransferError(.httpStatus, "host.test: not found (404)"), 404)
        }
        try add(.cancelled, .cancelled)
        return events
    }

    static func lines() throws -> String {
        var events = JSONEvents()
        return try Self.events().reduce(into: "") { $0 += events.line(for: $1) ?? "" }
    }

    @Test func formatsItsLines() throws { #expect(try Self.lines() == Golden.text("events.ndjson")) }
}
