// SPDX-License-Identifier: MIT

import Foundation
import FoundationNetworking

let configurationProbes = [
    Probe("Timeouts", "`timeoutIntervalForRequest = 1`, head of the answer after 4 s") { f in
        let session = makeSession { $0.timeoutIntervalForRequest = 1 }
        f.say("\(told(fetch(f.url("head-late?after=4"), session))) after \(f.seconds)")
    },
    Probe("Timeouts", "the same, POST") { f in
        var request = URLRequest(url: f.url("head-late?after=4"))
        request.httpMethod = "POST"
        request.httpBody = Data("body".utf8)
        // A request has a limit of its own, 60 s unless it is set.
        f.say("\(told(fetch(request, makeSession { $0.timeoutIntervalForRequest = 1 }))) after \(f.seconds)")
    },
    Probe("Timeouts", "`timeoutIntervalForRequest = 1`, the body stops for 5 s in the middle") { f in
        let session = makeSession { $0.timeoutIntervalForRequest = 1 }
        f.say("\(told(fetch(f.url("bytes?n=10000&stop=5000&stall=5"), session))) after \(f.seconds)")
    },
    Probe("Timeouts", "`timeoutIntervalForRequest = 1`, bytes arrive every 0.3 s for 4 s") { f in
        let session = makeSession { $0.timeoutIntervalForRequest = 1 }
        f.say("\(told(fetch(f.url("bytes?n=13000&interval=0.3"), session))) after \(f.seconds)")
    },
    Probe("Timeouts", "`timeoutIntervalForRequest = 1`, 20 MB up that the server takes 4 s to read") { f in
        var request = URLRequest(url: f.url("echo?slowly=4"))
        request.httpMethod = "PUT"
        let end = DispatchSemaphore(value: 0)
        let session = makeSession { $0.timeoutIntervalForRequest = 1 }
        session.uploadTask(with: request, from: Data(count: 20_000_000)) { data, response, error in
            f.say("\(told((data, response, error))) after \(f.seconds)")
            end.signal()
        }.resume()
        if end.wait(timeout: .now() + 9) == .timedOut { f.say("the closure was not called within 9 s") }
    },
    Probe("Timeouts", "`timeoutIntervalForRequest = 1`, a port that takes no connections") { f in
        f.say(
            "\(told(fetch(f.url("x", at: "FULL"), makeSession { $0.timeoutIntervalForRequest = 1 }))) after \(f.seconds)"
        )
    },
    Probe("Timeouts", "`timeoutIntervalForResource = 2`, bytes arrive for 6 s") { f in
        let session = makeSession { $0.timeoutIntervalForResource = 2 }
        f.say("\(told(fetch(f.url("bytes?n=20000&interval=0.3"), session, within: 9))) after \(f.seconds)")
    },
    Probe("Timeouts", "`URLRequest.timeoutInterval = 1`, configuration 30 s, head after 4 s") { f in
        var request = URLRequest(url: f.url("head-late?after=4"))
        request.timeoutInterval = 1
        f.say("\(told(fetch(request, makeSession()))) after \(f.seconds)")
    },
    Probe("Timeouts", "a suspended task and `timeoutIntervalForRequest = 1`: suspended for 3 s after its first bytes") {
        f in
        let recorder = Recorder()
        let session = makeSession(recorder) { $0.timeoutIntervalForRequest = 1 }
        let task = session.dataTask(with: f.url("bytes?n=13000&interval=0.2"))
        var isFirst = true
        recorder.onData = { _, task in
            guard isFirst else { return }
            isFirst = false
            task.suspend()
            DispatchQueue.global().asyncAfter(deadline: .now() + 3) { task.resume() }
        }
        task.resume()
        recorder.ends(f, within: 9)
        f.say("\(words(recorder.error)), \(recorder.data.count) of 13000 bytes, after \(f.seconds)")
    },

    Probe("Network", "`allowsCellularAccess`: value, and a transfer over loopback with `false`") { f in
        let session = makeSession { $0.allowsCellularAccess = false }
        f.say("kept as \(session.configuration.allowsCellularAccess); \(told(fetch(f.url("echo"), session)))")
    },
    Probe("Network", "`isDiscretionary = true`") { f in
        let session = makeSession { $0.isDiscretionary = true }
        f.say(
            "kept as \(session.configuration.isDiscretionary); \(told(fetch(f.url("echo"), session))) after \(f.seconds)"
        )
    },
    Probe("Network", "`networkServiceType = .background`") { f in
        let session = makeSession { $0.networkServiceType = .background }
        f.say(
            "kept as \(session.configuration.networkServiceType == .background); \(told(fetch(f.url("echo"), session)))"
        )
    },
    Probe("Network", "nobody listens: whether the task waits") { f in
        f.say("\(told(fetch(f.url("x", at: "REFUSED"), makeSession()))) after \(f.seconds)")
    },
    Probe("Configuration", "the session's configuration is a copy") { f in
        let configuration = URLSessionConfiguration.ephemeral
        configuration.timeoutIntervalForRequest = 5
        let session = URLSession(configuration: configuration)
        configuration.timeoutIntervalForRequest = 7
        f.say("after a change from 5 to 7 outside: \(session.configuration.timeoutIntervalForRequest)")
        session.configuration.timeoutIntervalForRequest = 9
        f.say("after a change to 9 through the session: \(session.configuration.timeoutIntervalForRequest)")
    },
    Probe("Configuration", "defaults of `.default`") { f in
        let c = URLSessionConfiguration.default
        f.say(
            "request \(c.timeoutIntervalForRequest) s, resource \(c.timeoutIntervalForResource) s, "
                + "connections \(c.httpMaximumConnectionsPerHost), cookies \(c.httpCookieStorage != nil), cache \(c.urlCache != nil), "
                + "credentials \(c.urlCredentialStorage != nil)")
    },
    Probe("Configuration", "`.ephemeral`: storages apart from the shared ones") { f in
        let c = URLSessionConfiguration.ephemeral
        f.say(
            "cookies shared: \(c.httpCookieStorage === HTTPCookieStorage.shared), cache shared: \(c.urlCache === URLCache.shared), "
                + "cache's disk capacity: \(c.urlCache.map { "\($0.diskCapacity)" } ?? "no cache")")
    },
    Probe("Configuration", "`httpAdditionalHeaders`; a request's own field of the same name") { f in
        let session = makeSession { $0.httpAdditionalHeaders = ["X-One": "configuration", "X-Two": "configuration"] }
        var request = URLRequest(url: f.url("echo"))
        request.setValue("request", forHTTPHeaderField: "X-Two")
        _ = fetch(request, session)
        let seen = try f.logged().first
        f.say("X-One: \(seen?.field("X-One") ?? "absent"), X-Two: \(seen?.field("X-Two") ?? "absent")")
    },
    Probe("Configuration", "fields of a plain GET") { f in
        _ = fetch(f.url("echo"), makeSession())
        f.say(
            try f.logged().first?.headers.map { "\($0.key): \($0.value)" }.sorted().joined(separator: "; ")
                ?? "no request")
    },
    Probe("Configuration", "`httpShouldUsePipelining = true`") { f in
        f.say(told(fetch(f.url("echo"), makeSession { $0.httpShouldUsePipelining = true })))
    },
    Probe("Configuration", "`protocolClasses` with an own `URLProtocol`") { f in
        let session = makeSession { $0.protocolClasses = [OwnProtocol.self] }
        f.say("\(told(fetch(URL(string: "own://host/x")!, session))): \(OwnProtocol.content)")
    },
]

/// Answers `own:` addresses by itself.
final class OwnProtocol: URLProtocol {
    static let content = "own answer"
    override class func canInit(with request: URLRequest) -> Bool { request.url?.scheme == "own" }
    override class func canonicalRequest(for request: URLRequest) -> URLRequest { request }
    override func startLoading() {
        let response = HTTPURLResponse(url: request.url!, statusCode: 200, httpVersion: "HTTP/1.1", headerFields: [:])!
        client?.urlProtocol(self, didReceive: response, cacheStoragePolicy: .notAllowed)
        client?.urlProtocol(self, didLoad: Data(Self.content.utf8))
        client?.urlProtocolDidFinishLoading(self)
    }
    override func stopLoading() {}
}
