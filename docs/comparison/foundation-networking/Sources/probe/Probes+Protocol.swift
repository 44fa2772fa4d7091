// SPDX-License-Identifier: MIT

import Foundation
import FoundationNetworking

private func summary(_ metrics: URLSessionTaskMetrics?) -> String {
    guard let metrics else { return "no metrics" }
    let transactions = metrics.transactionMetrics.map { one in
        let dates: [(String, Date?)] = [
            ("fetchStart", one.fetchStartDate), ("domainLookupStart", one.domainLookupStartDate),
            ("connectStart", one.connectStartDate),
            ("secureConnectionStart", one.secureConnectionStartDate), ("requestStart", one.requestStartDate),
            ("requestEnd", one.requestEndDate), ("responseStart", one.responseStartDate),
            ("responseEnd", one.responseEndDate),
        ]
        let there = dates.filter { $0.1 != nil }.map(\.0)
        return
            "dates: \(there.isEmpty ? "none" : there.joined(separator: " ")); protocol \(one.networkProtocolName ?? "nil"); "
            + "reused \(one.isReusedConnection); address \(one.remoteAddress ?? "nil"); body bytes \(one.countOfResponseBodyBytesReceived)"
    }
    return "\(metrics.transactionMetrics.count) transactions, \(metrics.redirectCount) redirects. "
        + transactions.joined(separator: " | ")
}

let protocolProbes = [
    Probe("Metrics", "`didFinishCollecting`, a plain GET") { f in
        let recorder = Recorder()
        makeSession(recorder).dataTask(with: f.url("bytes?n=1000")).resume()
        recorder.ends(f)
        f.say("\(recorder.count("didFinishCollecting")) calls; \(summary(recorder.metrics))")
    },
    Probe("Metrics", "the same, after a redirect and on a connection used again") { f in
        let recorder = Recorder()
        makeSession(recorder).dataTask(with: f.url("redirect?to=/echo")).resume()
        recorder.ends(f)
        f.say("\(recorder.count("didFinishCollecting")) calls; \(summary(recorder.metrics))")
    },
    Probe("Protocol", "103 Early Hints before 200") { f in
        let recorder = Recorder()
        let task = makeSession(recorder).dataTask(with: f.url("early"))
        task.resume()
        recorder.ends(f)
        f.say("\(status(task.response)), body \(words(recorder.data)), \(words(recorder.error)); \(recorder.calls)")
    },
    Probe("Protocol", "HTTP/2 against caddy over TLS: what the server saw", trustsServer: true) { f in
        guard ProcessInfo.processInfo.environment["PROBE_CADDY"] != nil else {
            return f.say("not tried: caddy is not installed")
        }
        let result = fetch(URL(string: f.address("CADDY"))!, makeSession())
        f.say("\(told(result)): \(words(result?.data))")
    },
    Probe("Protocol", "HTTP/3: a second request after `Alt-Svc: h3`", trustsServer: true) { f in
        guard ProcessInfo.processInfo.environment["PROBE_CADDY"] != nil else {
            return f.say("not tried: caddy is not installed")
        }
        let session = makeSession()
        let first = fetch(URL(string: f.address("CADDY"))!, session)
        let offer = (first?.response as? HTTPURLResponse)?.value(forHTTPHeaderField: "Alt-Svc") ?? "none"
        f.say(
            "offered: \(offer.contains("h3") ? "h3" : offer); the second: \(words(fetch(URL(string: f.address("CADDY"))!, session)?.data))"
        )
    },
]

let asynchronousProbes = [
    Probe("async", "`data(for:)`, `data(from:)`") { f in
        let url = f.url("bytes?n=1000")
        f.wait {
            do {
                let (one, response) = try await makeSession().data(for: URLRequest(url: url))
                let (two, _) = try await makeSession().data(from: url)
                f.say("\(status(response)), \(one.count) and \(two.count) bytes")
            } catch {
                f.say("fails with \(words(error))")
            }
        }
    },
    Probe("async", "`download(for:)`: the file after the call has returned") { f in
        let url = f.url("bytes?n=1000")
        f.wait {
            do {
                let (place, _) = try await makeSession().download(for: URLRequest(url: url))
                f.say("\((try? Data(contentsOf: place))?.count ?? 0) bytes in the file")
            } catch {
                f.say("fails with \(words(error))")
            }
        }
    },
    Probe("async", "`upload(for:from:)`, `upload(for:fromFile:)`") { f in
        var request = URLRequest(url: f.url("echo"))
        request.httpMethod = "PUT"
        let source = URL(fileURLWithPath: "\(NSTemporaryDirectory())/source")
        try Data(count: 2000).write(to: source)
        let put = request
        f.wait {
            do {
                let (_, one) = try await makeSession().upload(for: put, from: Data(count: 1000))
                let (_, two) = try await makeSession().upload(for: put, fromFile: source)
                f.say("\(status(one)), \(status(two))")
            } catch {
                f.say("fails with \(words(error))")
            }
        }
        f.say(
            "lengths at the server: \(try f.logged().map { $0.field("Content-Length") ?? "none" }.joined(separator: ", "))"
        )
    },
    Probe("async", "`data(for:delegate:)`: calls of the task's own delegate, with a redirect") { f in
        let recorder = Recorder()
        let url = f.url("redirect?to=/echo")
        f.wait {
            do {
                let (_, response) = try await makeSession().data(for: URLRequest(url: url), delegate: recorder)
                f.say(status(response))
            } catch {
                f.say("fails with \(words(error))")
            }
        }
        Thread.sleep(forTimeInterval: 0.5)
        f.say("calls: \(recorder.calls.isEmpty ? "none" : recorder.calls)")
    },
    Probe("async", "`data(for:delegate:)`: a Basic challenge for the task's own delegate") { f in
        let recorder = Recorder()
        recorder.answerChallenge = { _ in
            (.useCredential, URLCredential(user: "user", password: "secret", persistence: .none))
        }
        let url = f.url("basic")
        f.wait {
            do {
                let (_, response) = try await makeSession().data(for: URLRequest(url: url), delegate: recorder)
                f.say(status(response))
            } catch {
                f.say("fails with \(words(error))")
            }
        }
        f.say("calls: \(recorder.calls.isEmpty ? "none" : recorder.calls)")
    },
    Probe("async", "the calling task is cancelled after 0.5 s, the answer would take 4 s") { f in
        let url = f.url("head-late?after=4")
        f.wait {
            let caller = Task { try await makeSession().data(from: url) }
            try? await Task.sleep(for: .milliseconds(500))
            caller.cancel()
            do {
                _ = try await caller.value
                f.say("it ends with an answer after \(f.seconds)")
            } catch {
                f.say("\(words(error)) after \(f.seconds)")
            }
        }
    },
    Probe("async", "a task that is cancelled before the call") { f in
        let url = f.url("echo")
        f.wait {
            let caller = Task {
                while !Task.isCancelled { await Task.yield() }
                return try await makeSession().data(from: url)
            }
            caller.cancel()
            do {
                _ = try await caller.value
                f.say("it ends with an answer")
            } catch {
                f.say(words(error))
            }
        }
        f.say("the server saw \(try f.logged().count) requests")
    },
    Probe("async", "status 404") { f in
        let url = f.url("status?code=404")
        f.wait {
            do {
                let (_, response) = try await makeSession().data(from: url)
                f.say("no error, \(status(response))")
            } catch {
                f.say(words(error))
            }
        }
    },
]
