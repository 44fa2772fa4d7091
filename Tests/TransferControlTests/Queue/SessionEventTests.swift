// SPDX-License-Identifier: MIT

import Testing
import TransferModel
import TransferTesting

@testable import TransferControl

@Suite struct SessionEventTests {
    private static func transfer(_ id: Int = 3, session: String? = "s") -> Transfer {
        var transfer = Transfer(
            id: TransferID(rawValue: id), kind: .download, url: "https://example.org/a", file: "/a", state: .failed)
        transfer.status = .failed(.init(at: .infinity), TransferError(.httpStatus, "not found"))
        (transfer.httpStatus, transfer.session) = (404, session)
        return transfer
    }

    @Test func readsStoredEvents() throws {
        let event = SessionEvent(
            sequence: 0, time: 5.5, transfer: Self.transfer(), responseFields: [.init(name: "ETag", value: "\"1\"")])
        var expected = event
        expected.sequence = 12
        #expect(try SessionEvent(decoding: event.encoded(), sequence: 12) == expected)
        #expect(!String(decoding: event.encoded(), as: UTF8.self).contains("sequence"))
    }

    @Test(arguments: [("", TransferError.Code.other), ("{}", .other), ("[1]", .other)])
    func rejectsInvalidValues(_ text: String, _ code: TransferError.Code) {
        let error = #expect(throws: TransferError.self) { try SessionEvent(decoding: Array(text.utf8), sequence: 1) }
        #expect(error?.code == code)
    }

    @Test func reportsANewerVersion() throws {
        let text = String(
            decoding: SessionEvent(sequence: 1, time: 0, transfer: Self.transfer()).encoded(), as: UTF8.self)
        let newer = text.replacing("\"version\":1", with: "\"version\":2")
        #expect(newer != text)
        let error = #expect(throws: TransferError.self) { try SessionEvent(decoding: Array(newer.utf8), sequence: 1) }
        #expect(error?.code == .usage)
    }

    @Test func omitsCookiesAndLongFields() {
        let long = String(repeating: "x", count: 20 << 10)
        let event = SessionEvent(
            sequence: 1, time: 0, transfer: Self.transfer(),
            responseFields: [
                .init(name: "Set-Cookie", value: "secret=1"), .init(name: "A", value: long),
                .init(name: "set-cookie2", value: "x"),
                .init(name: "B", value: "2"), .init(name: "C", value: long), .init(name: "D", value: "4"),
            ])
        #expect(event.responseFields.map(\.name) == ["A", "B"])
    }

    @Test func updatesOfOneSession() {
        let (own, other) = (Self.transfer(1), Self.transfer(2, session: nil))
        func event(_ transfer: Transfer) -> TransferEvent {
            TransferEvent(time: 1, name: .failed, transfer: transfer)
        }
        let limits = QueueLimits(concurrent: 2)
        let table: [(QueueUpdate, QueueUpdate?)] = [
            (
                .snapshot(QueueSnapshot(transfers: [other, own], limits: limits)),
                .snapshot(QueueSnapshot(transfers: [own], limits: limits))
            ),
            (.snapshot(QueueSnapshot(transfers: [other])), .snapshot(QueueSnapshot())),
            (.events([event(own), event(other)]), .events([event(own)])), (.events([event(other)]), nil),
            (.removed([own.id, other.id]), .removed([own.id, other.id])), (.order([own.id]), nil),
            (.limits(limits), nil),
        ]
        for (update, expected) in table { #expect(update.concerning(session: "s") == expected) }
    }

    @Test func deliversEventsUntilAcknowledged() async throws {
        try await onStage { stage in
            let client = try await stage.client()
            let first = try await client.sessionEvents(of: FakeQueue.session, limit: 5)
            #expect(first.map(\.sequence) == [7])
            #expect(first == (try await client.sessionEvents(of: FakeQueue.session, limit: 5)))
            #expect(try await client.sessionEvents(of: "another", limit: 5).isEmpty)
            try await client.acknowledgeSessionEvents(of: "another", upTo: 9)
            try await client.acknowledgeSessionEvents(of: FakeQueue.session, upTo: 6)
            #expect(try await client.sessionEvents(of: FakeQueue.session, limit: 5).count == 1)
            try await client.acknowledgeSessionEvents(of: FakeQueue.session, upTo: 7)
            #expect(try await client.sessionEvents(of: FakeQueue.session, limit: 5).isEmpty)
            for limit in [0, SessionEvent.maximumLimit + 1] {
                let error = await #expect(throws: TransferError.self) {
                    try await client.sessionEvents(of: "s", limit: limit)
                }
                #expect(error?.code == .usage)
            }
        }
    }

    @Test func sessionStreamsReportOnlyTheirSession() async throws {
        try await onStage { stage in
            let client = try await stage.client()
            var updates = client.updates(of: "s").makeAsyncIterator()
            #expect(await updates.next() == .snapshot(QueueSnapshot(limits: QueueLimits())))
            stage.testQueue.progress(to: 2000)
            stage.testQueue.post(.events([TransferEvent(time: 1, name: .failed, transfer: Self.transfer())]))
            guard case .events(let events)? = await updates.next() else { return #expect(Bool(false)) }
            #expect(events.map(\.transfer.session) == ["s"])
        }
    }
}
