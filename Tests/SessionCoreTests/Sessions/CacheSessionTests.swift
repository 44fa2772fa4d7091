// SPDX-License-Identifier: MIT

import HTTPTypes
import SessionCore
import Synchronization
import Testing
import TransferModel
import TransferTesting

/// The cache as tasks use it.
@Suite struct CacheSessionTests {
    private func server(_ control: String) -> @Sendable (Exchange, Int) -> FakeTransport.Answer {
        { exchange, number in
            let fields: HTTPFields = [.cacheControl: control, .eTag: "\"v1\"", .contentLength: "4"]
            if exchange.fields[.ifNoneMatch] == "\"v1\"" {
                return .init(304, [.cacheControl: control, .eTag: "\"v1\""])
            }
            return .init(200, fields, body: Array("one\(number)".utf8))
        }
    }

    private func stage(_ control: String, delegate: (any TransferSessionDelegate)? = nil) -> Stage {
        Stage(delegate: delegate, { $0.cache = ResponseCache(diskCapacity: 0) }, answer: server(control))
    }

    private func text(_ stage: Stage, _ policy: CachePolicy? = nil) async throws -> String {
        let answer = try await stage.session.data(for: try request { $0.cachePolicy = policy })
        #expect(answer.response.status.code == 200)
        return String(decoding: answer.body, as: UTF8.self)
    }

    /// Storing happens beside the task's end.
    private func waitUntilStored(_ stage: Stage) async throws {
        let url = try request().url
        #expect(await eventually { stage.session.configuration.cache?.cachedResponse(for: url) != nil })
    }

    @Test func freshResponsesNeedNoExchange() async throws {
        let stage = stage("max-age=60")
        #expect(try await text(stage) == "one1")
        try await waitUntilStored(stage)
        let again = try await stage.session.data(for: try request())
        #expect(String(decoding: again.body, as: UTF8.self) == "one1")
        #expect(again.metrics.transactions.map(\.fetchType) == [.localCache])
        #expect(stage.transport.exchanges.count == 1)
    }

    @Test func revalidatesStaleResponses() async throws {
        let stage = stage("max-age=0")
        _ = try await text(stage)
        try await waitUntilStored(stage)
        #expect(try await text(stage) == "one1")
        #expect(stage.transport.exchanges.map { $0.fields[.ifNoneMatch] } == [nil, "\"v1\""])
    }

    @Test func respectsNoStore() async throws {
        let stage = stage("no-store")
        #expect(try await text(stage) == "one1")
        #expect(try await text(stage) == "one2")
    }

    @Test func policies() async throws {
        let stage = stage("max-age=60")
        _ = try await text(stage)
        try await waitUntilStored(stage)
        #expect(try await text(stage, .reloadIgnoringLocalCacheData) == "one2")
        stage.scheduler.advance(by: 120)
        #expect(try await text(stage, .returnCacheDataElseLoad).hasPrefix("one"))
        #expect(try await text(stage, .returnCacheDataDontLoad).hasPrefix("one"))
        #expect(stage.transport.exchanges.count == 2)
        let elsewhere = try request("http://a.test/other") { $0.cachePolicy = .returnCacheDataDontLoad }
        await #expect(throws: TransferError.self) { try await stage.session.data(for: elsewhere) }
        #expect(stage.transport.exchanges.count == 2)
    }

    @Test func theDelegateDecidesWhatIsStored() async throws {
        final class Miser: Recorder, TransferCacheDelegate, @unchecked Sendable {
            // Sendable: as its superclass.
            func session(
                _ session: TransferSession, task: TransferTask, willCache response: CachedResponse,
                answer: @escaping @Sendable (CachedResponse?) -> Void
            ) {
                note("will cache \(response.body.count)")
                answer(nil)
            }
        }
        let miser = Miser()
        let stage = stage("max-age=60", delegate: miser)
        let task = stage.session.dataTask(with: try request())
        task.resume()
        #expect(await eventually { miser.endCount(task) == 1 })
        #expect(miser.calls == ["response 200", "data 4", "will cache 4", "metrics", "complete ok"])
        #expect(try await text(stage) == "one2")
    }

    @Test func revalidatesACurrentDownload() async throws {
        let recorder = Recorder()
        let stage = Stage(delegate: recorder, answer: server("no-cache"))
        let task = stage.session.downloadTask(
            with: try request(), to: DownloadTarget(copy: Validator(entityTag: "\"v1\"")))
        task.resume()
        #expect(await eventually { recorder.endCount(task) == 1 })
        #expect(recorder.error(task) == nil)
        #expect(task.response?.status.code == 304)
        #expect(recorder.calls == ["metrics", "complete ok"])
    }

    @Test func receivesAndSendsCookies() async throws {
        let storage = CookieStorage(publicSuffixes: NoSuffixes())
        let stage = Stage(delegate: nil, { $0.cookieStorage = storage }) { exchange, _ in
            .init(200, [.setCookie: "sid=1; Path=/"], body: Array((exchange.fields[.cookie] ?? "none").utf8))
        }
        #expect(try await text(stage) == "none")
        #expect(try await text(stage) == "sid=1")
        let elsewhere = try await stage.session.data(for: try request("http://b.test/"))
        #expect(String(decoding: elsewhere.body, as: UTF8.self) == "none")
    }

    @Test func appliesHSTS() async throws {
        let stage = Stage(
            delegate: nil,
            {
                $0.transportSecurity = try? TransportSecurityStore(now: { 1_000_000 }, asciiHost: { _ in nil })
            }
        ) { _, _ in .init(200, [HTTPField.Name("Strict-Transport-Security")!: "max-age=1000"]) }
        _ = try await stage.session.data(for: try request("https://a.test/"))
        _ = try await stage.session.data(for: try request("http://a.test/x"))
        _ = try await stage.session.data(for: try request("http://b.test/x"))
        #expect(
            stage.transport.exchanges.map(\.url.string) == ["https://a.test/", "https://a.test/x", "http://b.test/x"])
    }
}

private struct NoSuffixes: PublicSuffixes {
    func isPublicSuffix(_ domain: String) -> Bool { !domain.contains(".") }
}
