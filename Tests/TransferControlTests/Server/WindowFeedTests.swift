// SPDX-License-Identifier: MIT

import Testing
import TransferModel
import TransferTesting

@testable import TransferControl

@Suite struct WindowFeedTests {
    private static func transfer(_ id: Int, _ state: TransferState = .running, rate: Double = 1) -> Transfer {
        var transfer = Transfer(
            id: TransferID(rawValue: id), kind: .download, url: "https://a.example/\(id)", file: "/tmp/\(id)",
            state: state)
        transfer.edit { $0.rate = rate }
        return transfer
    }

    private static func rows(_ ids: Int...) -> [ListRow] { ids.map { .transfer(TransferID(rawValue: $0)) } }

    private static func event(_ transfer: Transfer) -> QueueUpdate {
        .events([TransferEvent(time: 0, name: .progress, transfer: transfer)])
    }

    private static func feed(_ clock: ManualScheduler, _ request: WindowRequest = WindowRequest()) -> WindowFeed {
        WindowFeed(
            request, reason: { _ in nil },
            clock: CallClock(now: { clock.now }, schedule: { clock.schedule(at: clock.now + $0, $1) }),
            wallClock: { 1000 + clock.now })
    }

    @Test func theFirstChangeGoesAtOnceAndOthersFourTimesASecond() {
        var pace = WindowPace()
        #expect(pace.plan(at: 10) == 10)
        #expect(pace.plan(at: 10) == nil)
        pace.sent(at: 10)
        #expect(pace.plan(at: 10.125) == 10.25)
        #expect(pace.plan(at: 10.2) == nil)
        pace.sent(at: 10.25)
        #expect(pace.plan(at: 11) == 11)
    }

    /// Else each sort would leave a timer behind, whose message comes between those of the others.
    @Test func anEarlierMessageTakesThePlaceOfALaterOne() {
        var pace = WindowPace()
        pace.sent(at: 10)
        #expect(pace.plan(at: 10, due: 11) == 11)
        #expect(pace.isPlanned(for: 11))
        #expect(pace.plan(at: 10.125) == 10.25)
        #expect(pace.isPlanned(for: 10.25) && !pace.isPlanned(for: 11))
        pace.sent(at: 10.25)
        #expect(!pace.isPlanned(for: 10.25))
        #expect(pace.plan(at: 10.25, due: 11) == 11)
        #expect(pace.plan(at: 10.875) == 10.875)
    }

    /// A queue that changes nine times a second, and a list that is sorted once a second.
    @Test func messagesKeepTheirDistance() {
        var pace = WindowPace()
        var (timers, sent): ([Double], [Double]) = ([], [])
        for step in 0..<1280 {
            let now = 10 + Double(step) / 64
            var isDue = timers.contains { $0 <= now && pace.isPlanned(for: $0) }
            timers.removeAll { $0 <= now }
            if step % 7 == 0, let time = pace.plan(at: now) {
                if time <= now { isDue = true } else { timers.append(time) }
            }
            guard isDue else { continue }
            pace.sent(at: now)
            sent.append(now)
            if let time = pace.plan(at: now, due: now.rounded(.down) + 1.125) { timers.append(time) }
        }
        #expect(sent.count > 60 && zip(sent, sent.dropFirst()).allSatisfy { $1 - $0 >= WindowPace.interval })
    }

    @Test func nothingIsTakenBeforeTheQueueIsKnown() {
        let clock = ManualScheduler()
        let feed = Self.feed(clock)
        #expect(feed.take() == nil)
        feed.receive(.snapshot(QueueSnapshot()))
        #expect(feed.take() == WindowUpdate(first: 0, count: 0, anchor: nil, sums: ListingSums()))
        #expect(feed.take() == nil)
        feed.receive(.limits(QueueLimits()))
        #expect(feed.take() == nil)
    }

    @Test func changesBetweenTwoMessagesAreMerged() throws {
        let clock = ManualScheduler()
        let feed = Self.feed(clock)
        feed.receive(.snapshot(QueueSnapshot(transfers: (1...3).map { Self.transfer($0) })))
        var held = QueueWindow()
        held.apply(try #require(feed.take()))
        for rate in 2...9 { feed.receive(Self.event(Self.transfer(2, rate: Double(rate)))) }
        feed.receive(.removed([TransferID(rawValue: 1)]))
        let update = try #require(feed.take())
        #expect(update.transfers?.map(\.id.rawValue) == [2] && update.transfers?.first?.rate == 9)
        held.apply(update)
        #expect(held.rows == Self.rows(2, 3) && held.transfers.count == 2)
        #expect(held.sums.download == 10)
    }

    /// A change outside of the window costs the sums alone.
    @Test func rowsOutsideAreNotSent() throws {
        let clock = ManualScheduler()
        var request = WindowRequest()
        request.after = 1
        let feed = Self.feed(clock, request)
        feed.receive(.snapshot(QueueSnapshot(transfers: (1...3).map { Self.transfer($0) })))
        _ = feed.take()
        feed.receive(Self.event(Self.transfer(2, rate: 5)))
        let update = try #require(feed.take())
        #expect(update.transfers == nil && update.rows == nil && update.sums?.download == 7)
    }

    @Test func aSortedListIsSortedOnceASecond() throws {
        let clock = ManualScheduler()
        var request = WindowRequest()
        request.spec.order = ListOrder(key: .rate)
        let feed = Self.feed(clock, request)
        feed.receive(.snapshot(QueueSnapshot(transfers: [Self.transfer(1, rate: 5), Self.transfer(2, rate: 3)])))
        _ = feed.take()
        feed.receive(Self.event(Self.transfer(2, rate: 9)))
        // The first sort is due at once, the next one a second later.
        #expect(feed.take()?.rows?.first == .transfer(TransferID(rawValue: 2)))
        feed.receive(Self.event(Self.transfer(1, rate: 20)))
        let update = try #require(feed.take())
        #expect(update.rows == nil && update.transfers?.map(\.id.rawValue) == [1])
        clock.advance(by: 1)
        #expect(feed.take()?.rows?.first == .transfer(TransferID(rawValue: 1)))
    }

    @Test func theAnchorStaysWhereItIs() throws {
        let clock = ManualScheduler()
        var request = WindowRequest()
        request.anchor = .transfer(TransferID(rawValue: 3))
        (request.index, request.before, request.after) = (2, 1, 1)
        let feed = Self.feed(clock, request)
        feed.receive(.snapshot(QueueSnapshot(transfers: (1...5).map { Self.transfer($0) })))
        #expect(feed.take()?.rows == Self.rows(2, 3))
        feed.receive(.removed([TransferID(rawValue: 1)]))
        var update = try #require(feed.take())
        #expect(update.anchor == 1 && update.first == 0 && update.rows == nil)
        feed.receive(.removed([TransferID(rawValue: 3)]))
        update = try #require(feed.take())
        #expect(update.anchor == 1 && update.rows == Self.rows(2, 4))
        // It follows the one that took its place.
        feed.receive(.order([4, 2, 5].map { TransferID(rawValue: $0) }))
        update = try #require(feed.take())
        #expect(update.anchor == 0 && update.rows == Self.rows(4))
    }

    @Test func agesCountAgainAfterTenSeconds() throws {
        let clock = ManualScheduler()
        var request = WindowRequest()
        request.spec.counted = ["added<1h"]
        let feed = Self.feed(clock, request)
        var transfer = Self.transfer(1, .paused)
        transfer.addedAt = 1000 + clock.now - 3595
        feed.receive(.snapshot(QueueSnapshot(transfers: [transfer])))
        #expect(feed.take()?.counts == [1])
        clock.advance(by: 10)
        #expect(feed.take()?.counts == [0])
    }

    /// Over the socket, with the client's own messages.
    @Test func aClientFollowsAWindowAndMovesIt() async throws {
        try await onStage(queue: .sample(more: 20)) { stage in
            let client = try await stage.client()
            defer { client.close() }
            var request = WindowRequest()
            request.after = 4
            let once = try await client.window(request)
            #expect(once.count == 22 && once.rows.count == 4 && once.sums[.queued] == 20)
            let followed = client.follow(request)
            var updates = followed.updates.makeAsyncIterator()
            var held = QueueWindow()
            var update = await updates.next()
            held.apply(try #require(update))
            #expect(held == once)
            stage.testQueue.progress(to: 2000)
            update = await updates.next()
            held.apply(try #require(update))
            #expect(held.transfers[TransferID(rawValue: 1)]?.bytes == 2000)
            request.anchor = .transfer(TransferID(rawValue: 20))
            followed.move(request)
            update = await updates.next()
            held.apply(try #require(update))
            #expect(held.anchor == 19 && held.rows.count == 3 && held.transfers.count == 3)
            stage.testQueue.end()
            update = await updates.next()
            #expect(update == nil)
        }
    }

    @Test func aConnectionHasFewWindows() async throws {
        try await onStage(change: { $0.maximumWindows = 1 }) { stage in
            let peer = try await stage.peer()
            let (first, second) = (#"{"subscription":1,"window":{}}"#, #"{"subscription":2,"window":{}}"#)
            #expect(await peer.ask("subscribe", first, id: 1)?["result"] != nil)
            #expect(await peer.ask("subscribe", second, id: 2)?["error"]?["code"] == .number(-32602))
            #expect(await peer.ask("subscribe", #"{"subscription":2}"#, id: 3)?["result"] != nil)
            #expect(await peer.ask("unsubscribe", #"{"subscription":1}"#, id: 4)?["result"] != nil)
            #expect(await peer.ask("subscribe", first, id: 5)?["result"] != nil)
        }
    }

    @Test func refusesWhatIsNoWindow() async throws {
        try await onStage { stage in
            let peer = try await stage.peer()
            #expect(await peer.ask("window", #"{"subscription":1}"#, id: 1)?["error"]?["code"] == .number(-32602))
            let both = #"{"session":"s","window":{}}"#
            #expect(await peer.ask("subscribe", both, id: 2)?["error"]?["code"] == .number(-32602))
            #expect(await peer.ask("subscribe", id: 3)?["result"] != nil)
            #expect(await peer.ask("window", #"{"subscription":1}"#, id: 4)?["error"]?["code"] == .number(-32602))
        }
    }
}

extension WindowUpdate {
    fileprivate init(first: Int, count: Int, anchor: Int?, sums: ListingSums) {
        self.init(first: first, count: count, anchor: anchor)
        self.sums = sums
        rows = []
    }
}
