// SPDX-License-Identifier: MIT

import HTTPTypes
import SessionCore
import Synchronization
import Testing
import TransferModel
import TransferTesting

/// Decides on answers and redirects as a test says.
private final class Decider: Recorder, TransferResponseDelegate, TransferRedirectDelegate, @unchecked Sendable {
    // Sendable: adds only what never changes.

    typealias Answer<Value> = @Sendable (Value) -> Void
    let decide: @Sendable (HTTPResponse, @escaping Answer<ResponseDisposition>) -> Void
    let redirect: @Sendable (Redirect, @escaping Answer<Redirect?>) -> Void

    init(
        decide: @escaping @Sendable (HTTPResponse, @escaping Answer<ResponseDisposition>) -> Void = { $1(.allow) },
        redirect: @escaping @Sendable (Redirect, @escaping Answer<Redirect?>) -> Void = { $1($0) }
    ) {
        self.decide = decide
        self.redirect = redirect
    }

    func session(
        _ session: TransferSession, task: TransferTask, decideOn response: HTTPResponse,
        answer: @escaping @Sendable (ResponseDisposition) -> Void
    ) {
        note("decide \(response.status.code)")
        decide(response, answer)
    }

    func session(
        _ session: TransferSession, task: TransferTask, willFollow redirect: Redirect,
        answer: @escaping @Sendable (Redirect?) -> Void
    ) {
        note("redirect \(redirect.url)")
        self.redirect(redirect, answer)
    }
}

@Suite struct ResponseDispositionTests {
    private func stage(_ decider: Recorder) -> Stage {
        Stage(delegate: decider) { _, _ in .init(200, [.contentLength: "5", .eTag: "\"v\""], body: Array("hello".utf8))
        }
    }

    @Test func holdsTheBodyUntilAllowed() async throws {
        let later = Mutex<(@Sendable (ResponseDisposition) -> Void)?>(nil)
        let decider = Decider(decide: { _, answer in later.withLock { $0 = answer } })
        let stage = stage(decider)
        let task = stage.session.dataTask(with: try request())
        task.resume()
        #expect(await eventually { decider.calls == ["decide 200"] })
        await stage.drain()
        #expect(decider.calls == ["decide 200"])
        later.withLock { $0 }?(.allow)
        #expect(await eventually { decider.endCount(task) == 1 })
        #expect(decider.calls == ["decide 200", "response 200", "data 5", "metrics", "complete ok"])
    }

    @Test func cancelEndsTheTaskWithoutItsBody() async throws {
        let decider = Decider(decide: { $1(.cancel) })
        let stage = stage(decider)
        let task = stage.session.dataTask(with: try request())
        task.resume()
        #expect(await eventually { decider.endCount(task) == 1 })
        #expect(decider.error(task) == .cancelled)
        #expect(!decider.calls.contains("data 5"))
    }

    @Test func becomeDownloadWritesAFile() async throws {
        let decider = Decider(decide: { $1(.becomeDownload) })
        let stage = stage(decider)
        let task = stage.session.dataTask(with: try request())
        task.resume()
        #expect(await eventually { decider.endCount(task) == 1 })
        #expect(
            decider.calls == [
                "decide 200", "became download", "wrote 5", "finished download", "metrics", "complete ok",
            ])
    }

    @Test func repeatedAnswersCountOnce() async throws {
        let decider = Decider(decide: { _, answer in
            answer(.allow)
            answer(.cancel)
            answer(.becomeDownload)
        })
        let stage = stage(decider)
        let task = stage.session.dataTask(with: try request())
        task.resume()
        #expect(await eventually { decider.endCount(task) == 1 })
        #expect(decider.error(task) == nil)
        #expect(decider.calls.contains("data 5"))
    }

    /// The closure is let go unanswered.
    @Test func noAnswerIsTheDefault() async throws {
        let decider = Decider(decide: { _, _ in })
        let stage = stage(decider)
        let task = stage.session.dataTask(with: try request())
        task.resume()
        #expect(await eventually { decider.endCount(task) == 1 })
        #expect(decider.error(task) == nil)
    }

    @Test func cancelsAndTimesOutASilentDelegate() async throws {
        let kept = Mutex<[@Sendable (ResponseDisposition) -> Void]>([])
        let decider = Decider(decide: { _, answer in kept.withLock { $0.append(answer) } })
        let stage = stage(decider)
        let cancelled = stage.session.dataTask(with: try request())
        let late = stage.session.dataTask(with: try request { $0.resourceTimeout = 30 })
        cancelled.resume()
        late.resume()
        #expect(await eventually { kept.withLock { $0.count } == 2 })
        cancelled.cancel()
        stage.scheduler.advance(by: 31)
        #expect(await eventually { decider.endCount(cancelled) == 1 && decider.endCount(late) == 1 })
        #expect(decider.error(cancelled) == .cancelled)
        #expect(decider.error(late)?.code == .timedOut)
        kept.withLock { $0 }.forEach { $0(.allow) }
        await stage.drain()
        #expect(decider.endCounts == [1, 1])
    }

    @Test func cancelsInsideACallback() async throws {
        final class Canceller: Recorder, @unchecked Sendable {
            // Sendable: as its superclass.
            override func session(_ session: TransferSession, task: TransferTask, didReceive response: HTTPResponse) {
                task.cancel()
                super.session(session, task: task, didReceive: response)
            }
        }
        let canceller = Canceller()
        let stage = Stage(delegate: canceller) { _, _ in
            var answer = FakeTransport.Answer(200, body: [1])
            answer.stalls = true
            return answer
        }
        let task = stage.session.dataTask(with: try request())
        task.resume()
        #expect(await eventually { canceller.endCount(task) == 1 })
        #expect(canceller.error(task) == .cancelled)
    }
}

@Suite struct RedirectDelegateTests {
    private func stage(_ decider: Recorder, to location: String = "http://b.test/next") -> Stage {
        Stage(delegate: decider) { exchange, number in
            number == 1
                ? .init(302, [.location: location, .contentLength: "4"], body: Array("over".utf8))
                : .init(200, body: Array(exchange.url.string.utf8))
        }
    }

    @Test func followsUnchanged() async throws {
        let decider = Decider()
        let stage = stage(decider)
        let task = stage.session.dataTask(with: try request())
        task.resume()
        #expect(await eventually { decider.endCount(task) == 1 })
        #expect(decider.calls.first == "redirect http://b.test/next")
        #expect(task.currentURL.string == "http://b.test/next")
        #expect(task.response?.status.code == 200)
    }

    @Test func followsTheDelegatesRequest() async throws {
        let decider = Decider(redirect: { redirect, answer in
            var other = redirect
            other.url = try! TransferURL("http://c.test/elsewhere")
            other.additionalFields[.accept] = "text/plain"
            answer(other)
        })
        let stage = stage(decider)
        let task = stage.session.dataTask(with: try request())
        task.resume()
        #expect(await eventually { decider.endCount(task) == 1 })
        #expect(stage.transport.exchanges.last?.url.string == "http://c.test/elsewhere")
        #expect(stage.transport.exchanges.last?.fields[.accept] == "text/plain")
    }

    /// What a host has said of TLS holds for addresses of the delegate too.
    @Test func changedURLsFollowHSTS() async throws {
        let security = try TransportSecurityStore(now: { 1_000_000 }, asciiHost: { _ in nil })
        security.note(
            [HTTPField.Name("Strict-Transport-Security")!: "max-age=1000"], from: try TransferURL("https://c.test/"))
        let decider = Decider(redirect: { redirect, answer in
            var other = redirect
            other.url = try! TransferURL("http://c.test/elsewhere")
            answer(other)
        })
        let stage = Stage(delegate: decider, { $0.transportSecurity = security }) { exchange, number in
            number == 1 ? .init(302, [.location: "http://b.test/next"]) : .init(200)
        }
        let task = stage.session.dataTask(with: try request())
        task.resume()
        #expect(await eventually { decider.endCount(task) == 1 })
        #expect(stage.transport.exchanges.last?.url.string == "https://c.test/elsewhere")
    }

    @Test func aRefusedRedirectIsTheResponse() async throws {
        let decider = Decider(redirect: { $1(nil) })
        let stage = stage(decider)
        let task = stage.session.dataTask(with: try request())
        task.resume()
        #expect(await eventually { decider.endCount(task) == 1 })
        #expect(decider.error(task) == nil)
        #expect(decider.calls.contains("response 302"))
        #expect(decider.calls.contains("data 4"))
        #expect(stage.transport.exchanges.count == 1)
    }

    @Test func sendsNoSecretsToAnotherOrigin() async throws {
        let decider = Decider()
        let stage = stage(decider)
        let task = stage.session.dataTask(
            with: try request("https://a.test/file") { options in
                options.credential = Credential(user: "u", password: "secret")
                options.cookies = [try! Cookie(name: "sid", value: "secret")]
                options.headers = [
                    HTTPField(name: .authorization, value: "Bearer secret"),
                    HTTPField(name: HTTPField.Name("X-Api-Key")!, value: "secret"),
                ]
            })
        task.resume()
        #expect(await eventually { decider.endCount(task) == 1 })
        let (first, second) = (stage.transport.exchanges[0], stage.transport.exchanges[1])
        #expect(first.authentication == .basic(Credential(user: "u", password: "secret")))
        #expect(first.fields[.cookie] == "sid=secret")
        #expect(second.authentication == .none)
        #expect(!second.fields.contains { $0.value.contains("secret") })
    }

    @Test func followsWithoutADelegate() async throws {
        let stage = stage(Recorder())
        let answer = try await stage.session.data(for: try request())
        #expect(answer.response.status.code == 200)
        #expect(String(decoding: answer.body, as: UTF8.self) == "http://b.test/next")
    }
}
