// SPDX-License-Identifier: MIT

import HTTPTypes
@testable import SessionCore
import Testing
import TransferModel
import TransferTesting

/// What a server says of where else it can be had (RFC 7838), from one task to the next.
@Suite struct AlternativeTests {
    private static let field = HTTPField.Name("Alt-Svc")!

    private func stage(
        _ store: AlternativeServiceStore, _ recorder: Recorder,
        failure: ExchangeFailure = .init(.transport(.cannotConnect, errno: 111))
    ) -> Stage {
        Stage(delegate: recorder) {
            $0.alternativeServices = store
        } answer: { exchange, _ in
            exchange.alternative == nil ? .init(200, [Self.field: "h3=\"alt.test:8443\""]) : .init(failure: failure)
        }
    }

    private func end(
        _ stage: Stage, _ recorder: Recorder, _ method: HTTPRequest.Method = .get
    ) async throws -> TransferError? {
        let task = stage.session.dataTask(
            with: try request("https://a.test/file", method), body: method == .post ? [1, 2] : nil)
        task.resume()
        #expect(await eventually { recorder.endCount(task) == 1 })
        return recorder.error(task)
    }

    @Test(
        arguments: [
            ExchangeFailure(.transport(.cannotConnect, errno: 111)), .init(.transport(.hostNotResolved)),
            .init(.transport(.certificateUntrusted)),
            .init(.connectTimeout(seconds: 1)), .init(.certificatePinMismatch),
        ], [HTTPRequest.Method.get, .post])
    func skipsUnreachableHosts(_ failure: ExchangeFailure, _ method: HTTPRequest.Method) async throws {
        let recorder = Recorder()
        let time = ManualScheduler()
        let store = AlternativeServiceStore(now: { time.now })
        let stage = stage(store, recorder, failure: failure)
        #expect(try await end(stage, recorder, method) == nil)
        #expect(try await end(stage, recorder, method) == nil)
        #expect(stage.transport.exchanges.map(\.alternative) == [nil, .init(host: "alt.test", port: 8443), nil])
        // It is not tried again at once, but later.
        #expect(try await end(stage, recorder, method) == nil)
        #expect(stage.transport.exchanges.last?.alternative == nil)
        #expect(stage.transport.exchanges.count == 4)
        time.advance(by: 301)
        #expect(try await end(stage, recorder, method) == nil)
        #expect(stage.transport.exchanges.count == 6)
    }

    /// A cancelled task and an expired timer do not fall back to the origin.
    @Test(arguments: [ExchangeFailure(.requestTimeout(seconds: 1)), .init(.cannotWrite(errno: 28))])
    func otherFailuresEndTheTask(_ failure: ExchangeFailure) async throws {
        let recorder = Recorder()
        let stage = stage(AlternativeServiceStore(now: { 0 }), recorder, failure: failure)
        _ = try await end(stage, recorder)
        #expect(try await end(stage, recorder) != nil)
        #expect(stage.transport.exchanges.count == 2)
    }

    @Test func evaluatesThePathToTheProxy() async throws {
        let recorder = Recorder()
        let store = AlternativeServiceStore(now: { 0 })
        store.note([Self.field: "h3=\":8443\""], from: try TransferURL("https://a.test/"))
        let stage = Stage(delegate: recorder) {
            $0.alternativeServices = store
            $0.proxy = .servers(http: nil, https: ProxyServer(host: "proxy.test", port: 1), bypass: [])
        } answer: { _, _ in
            .init(200)
        }
        #expect(try await end(stage, recorder) == nil)
        #expect(stage.transport.exchanges.map(\.alternative) == [nil])
    }

    @Test func writesTheFileAfterChanges() throws {
        let folder = try TemporaryFolder()
        let path = folder.file("state/fileq/alternatives")
        let store = AlternativeServiceStore(file: path, now: { 0 })
        try store.save()
        #expect(folder.names.isEmpty)
        let url = try TransferURL("https://a.test/")
        store.note([Self.field: "h3=\":8443\"; persist=1"], from: url)
        try store.save()
        let other = AlternativeServiceStore(file: path, now: { 0 })
        #expect(other.alternative(for: url)?.port == 8443)
        other.networkChanged()
        #expect(other.alternative(for: url)?.port == 8443)
    }
}
