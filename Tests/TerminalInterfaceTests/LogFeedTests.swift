// SPDX-License-Identifier: MIT

import Testing
import TransferControl
import TransferModel
import TransferTesting

@testable import TerminalInterface

/// The log of the queue on the screen.
struct LogFeedTests {
    private static let latest = LogQuery(limit: LogFeed.page)
    private static let one = TransferID(rawValue: 1)

    private func entry(
        _ sequence: Int64, _ name: TransferEvent.Name = .started, _ transfer: Transfer? = nil, isNew: Bool? = nil,
        at time: Double = 600
    ) -> LogEntry {
        LogEntry(
            sequence: sequence, time: time, name: name, isNew: isNew,
            transfer: transfer ?? Samples.transfer(1, .running, "a.iso"))
    }

    private func page(
        _ entries: [LogEntry], began: Double = 500, oldest: Int64 = 1, latest: Int64
    ) -> LogPage {
        LogPage(began: began, oldest: oldest, latest: latest, entries: entries)
    }

    private func page(_ numbers: ClosedRange<Int64>, latest: Int64 = 1000) -> LogPage {
        page(numbers.map { entry($0) }, latest: latest)
    }

    private func start(_ state: InterfaceState, _ time: Double) -> String {
        "The service began at \(state.setup.clock.text(time, now: state.now))"
    }

    private func texts(_ state: InterfaceState) -> [String] { state.log.entries.map(\.line) }

    /// With the last 500 of 1000 lines.
    private func loaded() -> InterfaceState {
        var state = Samples.state([Samples.transfer(1, .running, "a.iso")])
        state.resize(columns: 80, rows: 24)
        state.keys(.character("7"))
        _ = state.dueEffects()
        state.receive(page(501...1000), of: Self.latest)
        return state
    }

    @Test func queueLinesReplaceThoseOfUpdates() {
        var state = Samples.state([Samples.transfer(1, .running, "a.iso")])
        let paused = Samples.transfer(1, .paused, "a.iso")
        #expect(state.dueEffects().isEmpty)
        state.keys(.character("7"))
        #expect(state.dueEffects() == [.log(Self.latest)])
        #expect(state.dueEffects().isEmpty)
        state.log.add(.command, "fileq pause 1", of: Self.one, at: 650)
        state.receive(.events([TransferEvent(time: 1000, name: .paused, transfer: paused)]))
        #expect(texts(state) == ["fileq pause 1", "1 a.iso: paused"])
        let entries = [
            entry(1, .queued, Samples.transfer(1, .queued, "a.iso"), isNew: true),
            entry(2, at: 700), entry(3, .paused, paused, at: 1000),
        ]
        state.receive(page(entries, latest: 3), of: Self.latest)
        #expect(
            texts(state) == [
                start(state, 500), "1 a.iso: added", "fileq pause 1", "1 a.iso: started", "1 a.iso: paused",
            ])
        // The update may be newer than the reply.
        let following = LogQuery(after: 3, limit: LogQuery.maximumLimit)
        #expect(state.dueEffects() == [.log(following)])
        state.receive(page([], latest: 3), of: following)
        #expect(state.dueEffects().isEmpty && texts(state).count == 5)
        // A page that comes twice adds nothing.
        state.receive(page(entries, latest: 3), of: Self.latest)
        #expect(texts(state).count == 5)
    }

    @Test func saysWhatEachEventWas() {
        var state = Samples.state([Samples.transfer(1, .running, "a.iso")])
        var again = Samples.transfer(1, .running, "a.iso", bytes: 2048, total: 4096)
        again.attempt = 2
        var failed = Samples.transfer(1, .failed, "a.iso")
        failed.edit { $0.error = TransferError(.httpStatus, "example.org: 404 Not Found") }
        let entries = [
            entry(1, .queued, Samples.transfer(1, .queued, "a.iso")), entry(2, .resumed, again),
            entry(3, .started, again), entry(4, .restarted, again), entry(5, .failed, failed),
            entry(6, .paused, Samples.transfer(1, .paused, "a.iso"), isNew: true),
        ]
        state.receive(page(entries, latest: 6), of: Self.latest)
        #expect(state.log.entries.dropFirst().allSatisfy { $0.title == "1 a.iso" })
        #expect(
            state.log.entries.dropFirst().map(\.text) == [
                "queued again", "continues from 2.00K", "started, attempt 2", "starts again", "404 Not Found",
                "added, paused",
            ])
        #expect(state.log.entries.filter { $0.kind == .failure }.count == 1)
    }

    /// The line begins with it.
    @Test func theEndOfATransferHasNoSecondTime() {
        var done = Samples.transfer(1, .completed, "a.iso", bytes: 5, total: 5)
        done.status = .completed(.init(at: 600, duration: 2))
        var state = Samples.state([Samples.transfer(1, .running, "a.iso")])
        state.receive(page([entry(1, .completed, done)], latest: 1), of: Self.latest)
        #expect(texts(state).last == "1 a.iso: done in 2.0 s")
    }

    /// The note says that it starts again. In the details it is whole, on as many lines as it needs.
    @Test func aRestartHasItsCauseWhole() {
        var again = Samples.transfer(1, .running, "a.iso")
        again.status = .running(nil, .restarted(.noValidator))
        var state = Samples.state([again])
        state.resize(columns: 80, rows: 24)
        state.receive(page([entry(1, .restarted, again)], latest: 1), of: Self.latest)
        let text =
            "1 a.iso: started from the first byte: the bytes that are here cannot be resumed: their server gave no "
            + "strong validator"
        #expect(texts(state).last == text)
        state.keys(.enter)
        state.details.tab = .log
        let lines = DetailView.lines(of: state).map { $0.spans.map(\.text).joined() }
        let shown = lines.dropFirst()
        #expect(lines[0].hasSuffix("  1 a.iso") && CellWidth.of(lines[0]) == 80)
        #expect(shown.count == 2 && shown.allSatisfy { CellWidth.of($0) <= 80 }, "\(lines)")
        let words = shown.flatMap { $0.dropFirst(10).split(separator: " ") }.joined(separator: " ")
        #expect(words == "↓ " + text.replacing("1 a.iso: ", with: ""), "\(lines)")
        // The title of a pane has ID and name, too.
        let pane = DetailView.lines(of: state, columns: 79, inPane: true).map { $0.spans.map(\.text).joined() }
        #expect(pane.first?.dropFirst(10).hasPrefix("↓ started from the first byte: ") == true, "\(pane)")
        // It had another one before.
        again.file = "/home/user/b.iso"
        state.receive(.events([TransferEvent(time: 0, name: .changed, transfer: again)]))
        let renamed = DetailView.lines(of: state, columns: 79, inPane: true).map { $0.spans.map(\.text).joined() }
        #expect(renamed.first?.contains(#/↓    1 a.iso +started/#) == true, "\(renamed)")
    }

    @Test func loadsEarlierPagesWhereTheyAreNeeded() {
        var state = loaded()
        #expect(state.dueEffects().isEmpty)
        let earlier = LogQuery(before: 501, limit: LogFeed.page)
        state.keys(.character("g"))
        #expect(state.dueEffects() == [.log(earlier)])
        state.receive(page(1...500), of: earlier)
        #expect(state.log.entries.compactMap(\.source.number) == Array(1...1000))
        state.keys(.character("g"))
        #expect(state.dueEffects().isEmpty)
    }

    @Test func aSearchLoadsAll() {
        var state = loaded()
        state.keys(.character("/"))
        state.type("iso")
        let earlier = LogQuery(before: 501, limit: LogFeed.page)
        #expect(state.dueEffects() == [.log(earlier)])
        // What is no longer kept ends it.
        state.receive(page((400...500).map { entry($0) }, oldest: 400, latest: 1000), of: earlier)
        #expect(state.dueEffects().isEmpty)
    }

    @Test func theLogOfOneTransferIsWhole() {
        var state = Samples.state([Samples.transfer(1, .running, "a.iso")])
        state.keys(.enter)
        state.open(.log)
        #expect(state.dueEffects() == [.log(Self.latest)])
        state.receive(page(501...1000), of: Self.latest)
        let own = LogQuery(before: 501, id: Self.one, limit: LogQuery.maximumLimit)
        #expect(state.dueEffects() == [.log(own)])
        state.receive(page([entry(7), entry(90)], latest: 1000), of: own)
        #expect(state.dueEffects().isEmpty)
        #expect(state.log.entries.compactMap(\.source.number).prefix(3) == [7, 90, 501])
    }

    @Test func anotherServiceBeginsAnotherLog() {
        var state = loaded()
        let count = state.log.entries.count
        state.now = 2200
        state.reconnected()
        let following = LogQuery(after: 1000, limit: LogQuery.maximumLimit)
        #expect(state.dueEffects() == [.log(following)])
        // Its numbers mean other events.
        let entries = [entry(1001, at: 2100)]
        state.receive(page(entries, began: 2000, latest: 1001), of: following)
        #expect(state.log.entries.count == count + 1)
        #expect(state.dueEffects() == [.log(Self.latest)])
        state.receive(page([entry(1, at: 2100)], began: 2000, latest: 1), of: Self.latest)
        #expect(
            texts(state).suffix(3) == [
                start(state, 2000), "1 a.iso: started", "The service is back; the list is the present one",
            ])
        #expect(state.log.entries.count == count + 3 && state.dueEffects().isEmpty)
    }

    @Test func aQueueWithoutALogIsNotAskedAgain() {
        var state = Samples.state([Samples.transfer(1, .running, "a.iso")])
        state.keys(.character("7"))
        #expect(state.dueEffects() == [.log(Self.latest)])
        state.log.feed.failed(isFinal: true)
        state.receive(
            .events([TransferEvent(time: 0, name: .paused, transfer: Samples.transfer(1, .paused, "a.iso"))]))
        #expect(state.dueEffects().isEmpty && texts(state) == ["1 a.iso: paused"])
        state.reconnected()
        #expect(state.dueEffects() == [.log(Self.latest)])
        // A lost connection is no refusal.
        state.log.feed.failed(isFinal: false)
        #expect(state.dueEffects().isEmpty)
        state.receive(
            .events([TransferEvent(time: 0, name: .resumed, transfer: Samples.transfer(1, .running, "a.iso"))]))
        #expect(state.dueEffects() == [.log(Self.latest)])
    }

    /// A service that is away is not asked in a loop, and nothing counts as loaded.
    @Test(arguments: [nil, one] as [TransferID?]) func aFailedRequestIsRepeatedWithTheNextEvent(_ item: TransferID?) {
        var feed = LogFeed()
        let demand = LogFeed.Demand(isShown: true, needsEarlier: item == nil, item: item)
        #expect(feed.request(demand) == Self.latest)
        #expect(feed.receive(page(501...1000), of: Self.latest) == .begins)
        let earlier = LogQuery(before: 501, id: item, limit: item == nil ? LogFeed.page : LogQuery.maximumLimit)
        #expect(feed.request(demand) == earlier)
        feed.failed(isFinal: false)
        #expect(feed.request(demand) == nil)
        feed.becomesStale()
        let following = LogQuery(after: 1000, limit: LogQuery.maximumLimit)
        #expect(feed.request(demand) == following)
        #expect(feed.receive(page([], latest: 1000), of: following) == .continues)
        #expect(feed.request(demand) == earlier)
        #expect(feed.receive(page([entry(7)], latest: 1000), of: earlier) == .continues)
        #expect(feed.request(demand) == nil)
    }

    @Test func followsInPages() {
        var feed = LogFeed()
        var demand = LogFeed.Demand()
        #expect(feed.request(demand) == nil)
        demand.isShown = true
        #expect(feed.request(demand) == Self.latest)
        #expect(feed.receive(page([entry(5)], latest: 5), of: Self.latest) == .begins)
        feed.becomesStale()
        let query = feed.request(demand)
        #expect(query == LogQuery(after: 5, limit: LogQuery.maximumLimit))
        #expect(feed.receive(page(6...8, latest: 20), of: query ?? Self.latest) == .continues)
        #expect(feed.request(demand) == LogQuery(after: 8, limit: LogQuery.maximumLimit))
        #expect(feed.receive(page(9...20, latest: 20), of: LogQuery(after: 8)) == .continues)
        #expect(feed.request(demand) == nil)
        // Shown again, it may be behind.
        demand.isShown = false
        #expect(feed.request(demand) == nil)
        demand.isShown = true
        #expect(feed.request(demand) == LogQuery(after: 20, limit: LogQuery.maximumLimit))
    }
}
