// SPDX-License-Identifier: MIT

import Foundation
import FoundationNetworking

private func follow(_ f: Findings, _ status: Int, _ method: String) throws -> String {
    let at = Findings()
    var request = URLRequest(url: at.url("redirect?status=\(status)&to=/echo?tag=\(at.tag)"))
    request.httpMethod = method
    if method != "GET" { request.httpBody = Data("a=b".utf8) }
    let result = fetch(request, makeSession(), within: 4)
    let last = try at.logged().last
    guard let last, last.path.hasPrefix("/echo") else { return "\(method) \(status): \(told(result)), not followed" }
    let body =
        last.field("Content-Length").map { " with \($0) bytes" } ?? last.field("Transfer-Encoding").map { " \($0)" }
        ?? " without a body"
    return "\(method) \(status): \(last.method)\(body)\(result?.error == nil ? "" : ", then \(told(result))")"
}

let redirectProbes = [
    Probe("Redirects", "methods that arrive: GET and POST with a body", limit: 30) { f in
        for status in [301, 302, 303, 307, 308] { f.say(try follow(f, status, "GET")) }
        for status in [301, 302, 303, 307, 308] { f.say(try follow(f, status, "POST")) }
    },
    Probe("Redirects", "methods that arrive: PUT with a body", limit: 30) { f in
        for status in [301, 302, 303, 307, 308] { f.say(try follow(f, status, "PUT")) }
    },
    Probe("Redirects", "`willPerformHTTPRedirection`, followed") { f in
        let recorder = Recorder()
        let session = makeSession(recorder)
        let task = session.dataTask(with: f.url("redirect?to=/echo"))
        task.resume()
        recorder.ends(f)
        f.say(
            "\(recorder.calls); original \(task.originalRequest?.url?.path ?? "none"), current \(task.currentRequest?.url?.path ?? "none")"
        )
    },
    Probe("Redirects", "`willPerformHTTPRedirection`, refused with `nil`") { f in
        let recorder = Recorder()
        recorder.answerRedirect = { _ in nil }
        let task = makeSession(recorder).dataTask(with: f.url("redirect?to=/echo"))
        task.resume()
        recorder.ends(f)
        f.say("\(status(task.response)), \(recorder.data.count) bytes, \(words(recorder.error)); \(recorder.calls)")
    },
    Probe("Redirects", "`willPerformHTTPRedirection`, another request in its place") { f in
        let recorder = Recorder()
        recorder.answerRedirect = { [url = f.url("status?code=404")] _ in URLRequest(url: url) }
        let task = makeSession(recorder).dataTask(with: f.url("redirect?to=/echo"))
        task.resume()
        recorder.ends(f)
        f.say("\(status(task.response)), \(words(recorder.error))")
    },
    Probe("Redirects", "an endless loop") { f in
        let result = fetch(f.url("loop"), makeSession())
        f.say("\(told(result)); the server saw \(try f.logged().count) requests after \(f.seconds)")
    },
    Probe("Redirects", "fields of the request at another origin: `Authorization`, `Cookie`, `X-Api-Key`") { f in
        let target = "\(f.address("OTHER"))/echo?tag=\(f.tag)"
        var request = URLRequest(url: f.url("redirect?to=\(target)"))
        request.setValue("Basic dXNlcjpzZWNyZXQ=", forHTTPHeaderField: "Authorization")
        request.setValue("crumb=1", forHTTPHeaderField: "Cookie")
        request.setValue("key", forHTTPHeaderField: "X-Api-Key")
        _ = fetch(request, makeSession())
        let last = try f.logged().last
        let other = URL(string: f.address("OTHER"))!.port!
        guard let last, last.port == other else { return f.say("not followed") }
        f.say(
            ["Authorization", "Cookie", "X-Api-Key"].map { "\($0): \(last.field($0) == nil ? "not sent" : "sent")" }
                .joined(separator: ", "))
    },
    Probe("Redirects", "`Location` to another scheme (`file:`)") { f in
        f.say("\(told(fetch(f.url("redirect?to=file:///etc/hostname?tag=\(f.tag)"), makeSession())))")
        f.say(
            "addresses asked for: \(try f.logged().map { $0.path.replacing(f.tag, with: "TAG") }.joined(separator: ", "))"
        )
    },
]

private let right = URLCredential(user: "user", password: "secret", persistence: .none)
private let wrong = URLCredential(user: "user", password: "wrong", persistence: .none)

/// One request whose challenges are answered by `answer`.
private func challenge(
    _ f: Findings, _ path: String, at server: String = "HTTP",
    _ answer: @escaping (URLAuthenticationChallenge) -> (URLSession.AuthChallengeDisposition, URLCredential?)
) throws {
    let recorder = Recorder()
    recorder.answerChallenge = answer
    let task = makeSession(recorder).dataTask(with: f.url(path, at: server))
    task.resume()
    recorder.ends(f, within: 6)
    f.say(
        "\(status(task.response)), \(words(recorder.error)); \(recorder.calls); the server saw \(try f.logged().count) requests"
    )
}

let challengeProbes = [
    Probe("Challenges", "Basic: `useCredential`, right") { f in
        try challenge(f, "basic") { _ in (.useCredential, right) }
    },
    Probe("Challenges", "Basic: wrong at first, right when `previousFailureCount` is 1") { f in
        try challenge(f, "basic") { $0.previousFailureCount == 0 ? (.useCredential, wrong) : (.useCredential, right) }
    },
    Probe("Challenges", "Basic: wrong three times, then `cancelAuthenticationChallenge`") { f in
        try challenge(f, "basic") {
            $0.previousFailureCount < 3 ? (.useCredential, wrong) : (.cancelAuthenticationChallenge, nil)
        }
    },
    Probe("Challenges", "Basic: `useCredential` with `nil`") { f in
        try challenge(f, "basic") { _ in (.useCredential, nil) }
    },
    Probe("Challenges", "Basic: `performDefaultHandling`") { f in
        try challenge(f, "basic") { _ in (.performDefaultHandling, nil) }
    },
    Probe("Challenges", "Basic: `cancelAuthenticationChallenge`") { f in
        try challenge(f, "basic") { _ in (.cancelAuthenticationChallenge, nil) }
    },
    Probe("Challenges", "Basic: `rejectProtectionSpace`") { f in
        try challenge(f, "basic") { _ in (.rejectProtectionSpace, nil) }
    },
    Probe("Challenges", "Basic: the protection space") { f in
        try challenge(f, "basic") {
            let space = $0.protectionSpace
            f.say(
                "host \(space.host), port is \(space.port == URL(string: f.address("HTTP"))!.port ? "right" : "\(space.port)"), "
                    + "protocol \(space.protocol ?? "none"), realm \(space.realm ?? "none"), response \(status($0.failureResponse))"
            )
            return (.useCredential, right)
        }
    },
    Probe("Challenges", "Basic: only the session's method is there, not the task's") { f in
        final class Delegate: NSObject, URLSessionDataDelegate, @unchecked Sendable {
            let end = DispatchSemaphore(value: 0)
            var asked = 0
            func urlSession(
                _ session: URLSession, didReceive challenge: URLAuthenticationChallenge,
                completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
            ) {
                asked += 1
                completionHandler(.useCredential, right)
            }
            func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
                end.signal()
            }
        }
        let delegate = Delegate()
        let task = makeSession(delegate).dataTask(with: f.url("basic"))
        task.resume()
        _ = delegate.end.wait(timeout: .now() + 5)
        f.say("\(status(task.response)), asked \(delegate.asked) times")
    },
    Probe("Challenges", "Digest: `useCredential`, right") { f in
        try challenge(f, "digest") { _ in (.useCredential, right) }
    },
    Probe("Challenges", "`urlCredentialStorage` with a default credential for the protection space") { f in
        let url = URL(string: f.address("HTTP"))!
        let storage = URLSessionConfiguration.ephemeral.urlCredentialStorage
        let space = URLProtectionSpace(
            host: url.host!, port: url.port!, protocol: "http", realm: "probe",
            authenticationMethod: NSURLAuthenticationMethodHTTPBasic)
        storage?.setDefaultCredential(right, for: space)
        let session = makeSession { $0.urlCredentialStorage = storage }
        f.say("storage: \(storage != nil); \(told(fetch(f.url("basic"), session)))")
    },
    Probe("Challenges", "Basic: a closure, no delegate, no credential anywhere") { f in
        f.say(told(fetch(f.url("basic"), makeSession())))
    },
    Probe("Challenges", "user and password in the URL") { f in
        let url = URL(string: f.url("basic").absoluteString.replacing("http://", with: "http://user:secret@"))!
        f.say(
            "\(told(fetch(url, makeSession()))); the server saw \(try f.logged().map { $0.field("Authorization") == nil ? "none" : "Authorization" }.joined(separator: ", "))"
        )
    },
    Probe("Trust", "a certificate of an authority that is trusted", trustsServer: true) { f in
        let recorder = SessionRecorder()
        let task = makeSession(recorder).dataTask(with: f.url("echo", at: "HTTPS"))
        task.resume()
        recorder.ends(f)
        f.say(
            "\(status(task.response)), \(words(recorder.error)); \(recorder.calls); the session's method was asked \(recorder.asked.count) times"
        )
    },
    Probe("Trust", "a certificate of an unknown authority: challenge, or error") { f in
        let recorder = SessionRecorder()
        let task = makeSession(recorder).dataTask(with: f.url("echo", at: "HTTPS"))
        task.resume()
        recorder.ends(f)
        f.say(
            "\(status(task.response)), \(words(recorder.error)); \(recorder.calls); the session's method was asked \(recorder.asked.count) times"
        )
    },
    Probe("Trust", "a server that wants a client's certificate", trustsServer: true) { f in
        let recorder = SessionRecorder()
        let task = makeSession(recorder).dataTask(with: f.url("echo", at: "CLIENT"))
        task.resume()
        recorder.ends(f)
        f.say(
            "\(status(task.response)), \(words(recorder.error)); \(recorder.calls); the session's method was asked \(recorder.asked.count) times"
        )
    },
    Probe("Trust", "a server that has TLS 1.2 and no newer", trustsServer: true) { f in
        f.say(told(fetch(f.url("echo", at: "OLD"), makeSession())))
    },
]
