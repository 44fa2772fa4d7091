// SPDX-License-Identifier: MIT

import HTTPTypes
import SessionCore
import Synchronization
import Testing
import TransferModel
import TransferTesting

/// What a delegate says when the earliest begin of a task has come.
@Suite struct DelayTests {
    private final class Decider: Recorder, TransferDelayDelegate, @unchecked Sendable {
        // Sendable: as its superclass.
        private let verdict: @Sendable (TransferRequest) -> DelayedRequestDisposition?

        init(_ verdict: @escaping @Sendable (TransferRequest) -> DelayedRequestDisposition?) { self.verdict = verdict }

        func session(
            _ session: TransferSession, task: TransferTask, willBeginDelayed request: TransferRequest,
            answer: @escaping @Sendable (DelayedRequestDisposition) -> Void
        ) {
            note("will begin \(request.url.string)")
            if let verdict = verdict(request) { answer(verdict) }
        }
    }

    private func delayed(_ stage: Stage) throws -> DataTask {
        let task = stage.session.dataTask(
            with: try request("http://a.test/old") { $0.credential = Credential(user: "a", password: "b") })
        task.earliestBegin = stage.scheduler.wallNow + 100
        task.resume()
        return task
    }

    @Test func replacesADelayedRequest() async throws {
        let fresh = try request("http://b.test/new", .post) {
            $0.headers = [HTTPField(name: .accept, value: "text/plain")]
        }
        let decider = Decider { _ in .useNewRequest(fresh) }
        let stage = Stage(delegate: decider) { _, _ in .init(200) }
        let task = try delayed(stage)
        stage.scheduler.advance(by: 99)
        #expect(decider.calls.isEmpty)
        stage.scheduler.advance(by: 1)
        #expect(await eventually { decider.endCount(task) == 1 })
        #expect(decider.calls == ["will begin http://a.test/old", "response 200", "metrics", "complete ok"])
        let exchange = try #require(stage.transport.exchanges.first)
        #expect(stage.transport.exchanges.count == 1)
        #expect(
            exchange.url.string == "http://b.test/new" && exchange.method == .post
                && exchange.fields[.accept] == "text/plain")
        #expect(exchange.authentication == .none)
        #expect(task.originalRequest.url.string == "http://a.test/old")
        #expect(task.currentRequest.url.string == "http://b.test/new")
    }

    @Test(arguments: [true, false]) func cancelsOrContinuesADelayedRequest(_ isContinued: Bool) async throws {
        let decider = Decider { _ in isContinued ? .continueLoading : .cancel }
        let stage = Stage(delegate: decider) { _, _ in .init(200) }
        let task = try delayed(stage)
        stage.scheduler.advance(by: 100)
        #expect(await eventually { decider.endCount(task) == 1 })
        #expect(decider.error(task) == (isContinued ? nil : .cancelled))
        #expect(stage.transport.exchanges.map(\.url.string) == (isContinued ? ["http://a.test/old"] : []))
    }

    @Test func sendsADelayedRequestWithoutAnswer() async throws {
        let decider = Decider { _ in nil }
        let stage = Stage(delegate: decider) { _, _ in .init(200) }
        let task = try delayed(stage)
        stage.scheduler.advance(by: 100)
        #expect(await eventually { decider.endCount(task) == 1 })
        #expect(stage.transport.exchanges.map(\.url.string) == ["http://a.test/old"])
    }

    @Test func doesNotAskWithoutADelay() async throws {
        let decider = Decider { _ in .cancel }
        let stage = Stage(delegate: decider) { _, _ in .init(200) }
        let task = stage.session.dataTask(with: try request())
        task.earliestBegin = stage.scheduler.wallNow - 1
        task.resume()
        #expect(await eventually { decider.endCount(task) == 1 })
        #expect(decider.calls == ["response 200", "metrics", "complete ok"])
    }
}
