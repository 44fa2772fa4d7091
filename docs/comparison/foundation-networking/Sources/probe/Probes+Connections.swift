// SPDX-License-Identifier: MIT

import Foundation
import FoundationNetworking

/// Sends `count` requests at once and says how many connections the server saw, and how many at one time.
private func crowd(_ f: Findings, _ count: Int, _ session: URLSession) throws {
    let all = DispatchGroup()
    nonisolated(unsafe) var most = 0
    let lock = NSLock()
    for number in 0..<count {
        all.enter()
        session.dataTask(with: f.url("hold?for=0.4&number=\(number)")) { data, _, _ in
            lock.withLock { most = max(most, Int(words(data)) ?? 0) }
            all.leave()
        }.resume()
    }
    let isDone = all.wait(timeout: .now() + 9) == .success
    let connections = Set(try f.logged().map(\.client)).count
    f.say(
        "\(isDone ? "all done" : "not all done within 9 s"), at most \(most) at once, \(connections) connections for \(count) requests"
    )
}

let connectionProbes = [
    Probe("Connections", "`httpMaximumConnectionsPerHost = 2`, 8 requests at once") { f in
        try crowd(f, 8, makeSession { $0.httpMaximumConnectionsPerHost = 2 })
    },
    Probe("Connections", "`httpMaximumConnectionsPerHost` as it is by default, 12 requests at once") { f in
        try crowd(f, 12, makeSession())
    },
    Probe("Connections", "5 requests one after the other: connections used") { f in
        let session = makeSession()
        for _ in 0..<5 { _ = fetch(f.url("echo"), session) }
        f.say("\(Set(try f.logged().map(\.client)).count) connections for \(try f.logged().count) requests")
    },
    Probe("Connections", "a POST on a connection used before, which ends without an answer: is it sent again?") { f in
        let session = makeSession()
        _ = fetch(f.url("echo"), session)
        var request = URLRequest(url: f.url("vanish"))
        request.httpMethod = "POST"
        request.httpBody = Data("x".utf8)
        f.say("\(told(fetch(request, session))); the server saw \(try f.logged().count { $0.method == "POST" }) POSTs")
    },
    Probe("Proxies", "`connectionProxyDictionary` with `HTTPEnable`, `HTTPProxy`, `HTTPPort`") { f in
        let proxy = URL(string: f.address("PROXY"))!
        let session = makeSession {
            $0.connectionProxyDictionary = ["HTTPEnable": 1, "HTTPProxy": proxy.host!, "HTTPPort": proxy.port!]
        }
        let result = fetch(f.url("echo"), session)
        let seen = try f.logged().map(\.port)
        f.say(
            "\(told(result)); the request went \(seen == [proxy.port!] ? "through the proxy" : "to the server itself")")
    },
    Probe("Proxies", "the variable `http_proxy`") { f in
        let proxy = URL(string: f.address("PROXY"))!
        setenv("http_proxy", f.address("PROXY"), 1)
        let result = fetch(f.url("echo"), makeSession())
        let seen = try f.logged().map(\.port)
        f.say(
            "\(told(result)); the request went \(seen == [proxy.port!] ? "through the proxy" : "to the server itself")")
    },
    Probe("Errors", "nobody listens") { f in f.say(told(fetch(f.url("x", at: "REFUSED"), makeSession()))) },
    Probe("Errors", "a name that does not exist") { f in
        f.say("\(told(fetch(URL(string: "http://nonexistent.invalid/")!, makeSession()))) after \(f.seconds)")
    },
    Probe("Errors", "the connection ends in the middle of the body") { f in
        f.say(told(fetch(f.url("bytes?n=10000&stop=5000"), makeSession())))
    },
    Probe("Errors", "the connection ends without an answer") { f in
        f.say("\(told(fetch(f.url("vanish"), makeSession()))); the server saw \(try f.logged().count) requests")
    },
    Probe("Errors", "status 404 and a closure") { f in f.say(told(fetch(f.url("status?code=404"), makeSession()))) },
    Probe("Errors", "a URL without a scheme that is known") { f in
        f.say(told(fetch(URL(string: "gopher://127.0.0.1/")!, makeSession())))
    },
    Probe("Errors", "a URL without a host") { f in f.say(told(fetch(URL(string: "http:///x")!, makeSession()))) },
]

let cookieProbes = [
    Probe("Cookies", "`Set-Cookie` five ways, then a second request (`.ephemeral`)") { f in
        let session = makeSession()
        _ = fetch(f.url("cookies-set"), session)
        _ = fetch(f.url("echo"), session)
        f.say(
            "sent back: \(try f.logged().last?.field("Cookie") ?? "none") "
                + "(set: plain, lasting, secure over http, for another path, already over)")
    },
    Probe("Cookies", "`httpCookieAcceptPolicy = .never`") { f in
        let session = makeSession { $0.httpCookieAcceptPolicy = .never }
        _ = fetch(f.url("cookies-set"), session)
        _ = fetch(f.url("echo"), session)
        f.say("sent back: \(try f.logged().last?.field("Cookie") ?? "none")")
    },
    Probe("Cookies", "`httpShouldSetCookies = false`") { f in
        let session = makeSession { $0.httpShouldSetCookies = false }
        _ = fetch(f.url("cookies-set"), session)
        _ = fetch(f.url("echo"), session)
        f.say(
            "sent back: \(try f.logged().last?.field("Cookie") ?? "none"), "
                + "in the storage: \(session.configuration.httpCookieStorage?.cookies?.count ?? 0)")
    },
    Probe("Cookies", "`httpCookieStorage = nil`") { f in
        let session = makeSession { $0.httpCookieStorage = nil }
        _ = fetch(f.url("cookies-set"), session)
        _ = fetch(f.url("echo"), session)
        f.say("sent back: \(try f.logged().last?.field("Cookie") ?? "none")")
    },
    Probe("Cookies", "two `.ephemeral` sessions") { f in
        _ = fetch(f.url("cookies-set"), makeSession())
        _ = fetch(f.url("echo"), makeSession())
        f.say("the second one sends: \(try f.logged().last?.field("Cookie") ?? "none")")
    },
    Probe("Cookies", "a `Cookie` field of the request, and one in the storage") { f in
        let session = makeSession()
        _ = fetch(f.url("cookies-set"), session)
        var request = URLRequest(url: f.url("echo"))
        request.setValue("own=1", forHTTPHeaderField: "Cookie")
        _ = fetch(request, session)
        f.say("sent: \(try f.logged().last?.field("Cookie") ?? "none")")
    },
    Probe("Cookies", "cookies of a redirect's answer") { f in
        let session = makeSession()
        _ = fetch(f.url("redirect?to=/cookies-set"), session)
        _ = fetch(f.url("echo"), session)
        f.say("sent back: \(try f.logged().last?.field("Cookie") ?? "none")")
    },
    Probe("Cookies", "`.default`: what is on disk afterwards") { f in
        let session = URLSession(configuration: .default)
        _ = fetch(f.url("cookies-set"), session)
        let home = ProcessInfo.processInfo.environment["HOME"]!
        let files = FileManager.default.enumerator(atPath: home)?.compactMap { $0 as? String }.filter {
            $0.lowercased().contains("cookie")
        }
        f.say("files with cookies below the home: \(files.map { "\($0)" } ?? "none")")
    },
]

/// Fetches the same address twice and says what the server saw of the second.
private func twice(_ f: Findings, _ path: String, _ policy: URLRequest.CachePolicy, _ cache: URLCache?) throws {
    let recorder = Recorder()
    let session = makeSession(recorder) {
        $0.urlCache = cache
        $0.requestCachePolicy = policy
    }
    let url = f.url(path)
    for _ in 0..<2 {
        session.dataTask(with: url).resume()
        recorder.ends(f)
    }
    let seen = try f.logged()
    let conditional = seen.contains { $0.field("If-None-Match") != nil }
    f.say(
        "the server saw \(seen.count) of 2 requests\(conditional ? ", one with If-None-Match" : ""); "
            + "bodies: \(words(recorder.data)); \(recorder.calls); \(words(recorder.error))")
}

private func diskCache(_ name: String) -> URLCache {
    URLCache(memoryCapacity: 1 << 20, diskCapacity: 1 << 20, diskPath: "\(NSTemporaryDirectory())/\(name)")
}

let cacheProbes = [
    Probe("Cache", "`max-age=60`, twice, `useProtocolCachePolicy`, a cache in memory and on disk") { f in
        try twice(f, "cache?control=max-age=60", .useProtocolCachePolicy, diskCache(f.tag))
        let files =
            FileManager.default.enumerator(atPath: "\(NSTemporaryDirectory())/\(f.tag)")?.compactMap { $0 as? String }
            ?? []
        f.say("files of the cache: \(files.count)")
    },
    Probe("Cache", "the same with the `.ephemeral` cache") { f in
        try twice(f, "cache?control=max-age=60", .useProtocolCachePolicy, URLSessionConfiguration.ephemeral.urlCache)
    },
    Probe("Cache", "`no-cache` with an ETag, twice: revalidation") { f in
        try twice(f, "cache?control=no-cache", .useProtocolCachePolicy, diskCache(f.tag))
    },
    Probe("Cache", "`no-store`, twice") { f in
        try twice(f, "cache?control=no-store", .useProtocolCachePolicy, diskCache(f.tag))
    },
    Probe("Cache", "`reloadIgnoringLocalCacheData`, `max-age=60`, twice") { f in
        try twice(f, "cache?control=max-age=60", .reloadIgnoringLocalCacheData, diskCache(f.tag))
    },
    Probe("Cache", "`reloadRevalidatingCacheData`, `max-age=60`, twice") { f in
        try twice(f, "cache?control=max-age=60", .reloadRevalidatingCacheData, diskCache(f.tag))
    },
    Probe("Cache", "`returnCacheDataElseLoad`, `max-age=0`, twice") { f in
        try twice(f, "cache?control=max-age=0", .returnCacheDataElseLoad, diskCache(f.tag))
    },
    Probe("Cache", "`returnCacheDataElseLoad`, a response that was stored by hand") { f in
        let cache = diskCache(f.tag)
        let request = URLRequest(url: f.url("cache"))
        let response = HTTPURLResponse(
            url: request.url!, statusCode: 200, httpVersion: "HTTP/1.1", headerFields: ["Cache-Control": "max-age=60"])!
        cache.storeCachedResponse(CachedURLResponse(response: response, data: Data("stored".utf8)), for: request)
        let session = makeSession {
            $0.urlCache = cache
            $0.requestCachePolicy = .returnCacheDataElseLoad
        }
        let kept = cache.cachedResponse(for: request) != nil
        f.say(
            "the cache has it: \(kept); body: \(words(fetch(request, session)?.data)); the server saw \(try f.logged().count) requests"
        )
    },
    Probe("Cache", "`returnCacheDataDontLoad`, nothing in the cache") { f in
        try twice(f, "cache?control=max-age=60", .returnCacheDataDontLoad, diskCache(f.tag))
    },
]
