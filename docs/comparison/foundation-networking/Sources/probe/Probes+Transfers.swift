// SPDX-License-Identifier: MIT

import Foundation
import FoundationNetworking

private func put(_ f: Findings, _ path: String = "echo") -> URLRequest {
    var request = URLRequest(url: f.url(path))
    request.httpMethod = "PUT"
    return request
}

/// What the server says of an upload.
private func arrival(_ f: Findings, _ recorder: Recorder) throws {
    struct Echo: Decodable {
        let length: Int
        let headers: [String: String]
    }
    let echo = try? JSONDecoder().decode(Echo.self, from: recorder.data)
    let fields = ["Content-Length", "Transfer-Encoding", "Content-Type", "Expect"]
        .compactMap { name in echo?.headers[name].map { "\(name): \($0)" } }
    f.say(
        "\(words(recorder.error)); the server got \(echo.map { "\($0.length) bytes" } ?? "nothing that it answered"); "
            + fields.joined(separator: "; "))
}

private func file(_ count: Int) throws -> URL {
    let url = URL(fileURLWithPath: "\(NSTemporaryDirectory())/source-\(count)")
    try Data(repeating: 0x61, count: count).write(to: url)
    return url
}

/// A file of zeros without its bytes ever being in memory.
private func largeFile(_ count: UInt64) throws -> URL {
    let url = URL(fileURLWithPath: "\(NSTemporaryDirectory())/large")
    _ = FileManager.default.createFile(atPath: url.path, contents: nil)
    let handle = try FileHandle(forWritingTo: url)
    try handle.truncate(atOffset: count)
    try handle.close()
    return url
}

let transferProbes = [
    Probe("Data tasks", "a delegate's calls, 200,000 bytes") { f in
        let recorder = Recorder()
        makeSession(recorder).dataTask(with: f.url("bytes?n=200000")).resume()
        recorder.ends(f)
        f.say("\(recorder.calls); \(recorder.data.count) bytes")
    },
    Probe("Data tasks", "a completion closure on a session that has a delegate") { f in
        let recorder = Recorder()
        let session = makeSession(recorder)
        f.say(
            "\(told(fetch(f.url("echo"), session))); delegate: \(recorder.calls.isEmpty ? "no calls" : recorder.calls)")
    },
    Probe("Data tasks", "`didReceive response` answers `.cancel`") { f in
        let recorder = Recorder()
        recorder.answerResponse = { .cancel }
        makeSession(recorder).dataTask(with: f.url("bytes?n=100000&interval=0.02")).resume()
        recorder.ends(f)
        f.say("\(words(recorder.error)), \(recorder.data.count) bytes; \(recorder.calls)")
    },
    Probe("Data tasks", "`didReceive response` answers `.becomeDownload`") { f in
        let recorder = Recorder()
        recorder.answerResponse = { .becomeDownload }
        makeSession(recorder).dataTask(with: f.url("bytes?n=10000")).resume()
        recorder.ends(f)
        f.say("\(words(recorder.error)), \(recorder.data.count) bytes as data; \(recorder.calls)")
    },
    Probe("Data tasks", "gzip: fields and bytes") { f in
        let result = fetch(f.url("gzip"), makeSession())
        f.say(
            "\(told(result)), asked with Accept-Encoding: \(try f.logged().first?.field("Accept-Encoding") ?? "none"); "
                + "Content-Encoding left: \((result?.response as? HTTPURLResponse)?.value(forHTTPHeaderField: "Content-Encoding") ?? "none")"
        )
    },
    Probe("Data tasks", "64 MB into a delegate that keeps nothing: peak memory", limit: 20) { f in
        final class Counter: NSObject, URLSessionDataDelegate, @unchecked Sendable {
            var count = 0
            let end = DispatchSemaphore(value: 0)
            func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
                count += data.count
            }
            func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
                end.signal()
            }
        }
        let counter = Counter()
        makeSession(counter).dataTask(with: f.url("bytes?n=64000000")).resume()
        _ = counter.end.wait(timeout: .now() + 15)
        f.say("\(counter.count) bytes, \(peakMemory)")
    },
    Probe("Upload tasks", "`uploadTask(with:from:)`, 50,000 bytes") { f in
        let recorder = Recorder()
        makeSession(recorder).uploadTask(with: put(f), from: Data(count: 50_000)).resume()
        recorder.ends(f)
        try arrival(f, recorder)
        f.say(recorder.calls)
    },
    Probe("Upload tasks", "`uploadTask(with:fromFile:)`, 50,000 bytes") { f in
        let recorder = Recorder()
        makeSession(recorder).uploadTask(with: put(f), fromFile: try file(50_000)).resume()
        recorder.ends(f)
        try arrival(f, recorder)
        f.say(recorder.calls)
    },
    Probe("Upload tasks", "`uploadTask(with:fromFile:)`, an empty file") { f in
        let recorder = Recorder()
        makeSession(recorder).uploadTask(with: put(f), fromFile: try file(0)).resume()
        recorder.ends(f)
        try arrival(f, recorder)
    },
    Probe("Upload tasks", "`uploadTask(with:fromFile:)`, a file that is not there") { f in
        let recorder = Recorder()
        makeSession(recorder).uploadTask(with: put(f), fromFile: URL(fileURLWithPath: "/nonexistent/file")).resume()
        recorder.ends(f, within: 5)
        f.say("\(words(recorder.error)); the server saw \(try f.logged().count) requests")
    },
    Probe("Upload tasks", "`uploadTask(with:fromFile:)`, 256 MB: peak memory", limit: 30) { f in
        let recorder = Recorder()
        let source = try largeFile(256_000_000)
        defer { try? FileManager.default.removeItem(at: source) }
        makeSession(recorder).uploadTask(with: put(f), fromFile: source).resume()
        recorder.ends(f, within: 25)
        try arrival(f, recorder)
        f.say("\(peakMemory), \(recorder.count("didSendBodyData")) calls of didSendBodyData")
    },
    Probe("Upload tasks", "`uploadTask(withStreamedRequest:)` and `needNewBodyStream`") { f in
        let recorder = Recorder()
        makeSession(recorder).uploadTask(withStreamedRequest: put(f)).resume()
        recorder.ends(f)
        try arrival(f, recorder)
        f.say(recorder.calls)
    },
    Probe("Upload tasks", "`httpBodyStream` of a data task") { f in
        let recorder = Recorder()
        var request = put(f)
        request.httpBodyStream = InputStream(data: Data("streamed".utf8))
        makeSession(recorder).dataTask(with: request).resume()
        recorder.ends(f)
        try arrival(f, recorder)
    },
    Probe("Upload tasks", "`didSendBodyData`: 5 MB that the server takes 2 s to read") { f in
        let recorder = Recorder()
        makeSession(recorder).uploadTask(with: put(f, "echo?slowly=2"), from: Data(count: 5_000_000)).resume()
        recorder.ends(f)
        let last = recorder.sent.last
        f.say(
            "\(recorder.sent.count) calls, the last: \(last.map { "\($0.0), \($0.1), \($0.2)" } ?? "none"), "
                + "the sum of the first numbers: \(recorder.sent.map(\.0).reduce(0, +))")
    },
    Probe("Upload tasks", "the source file grows while it is sent") { f in
        let recorder = Recorder()
        let source = try file(5_000_000)
        makeSession(recorder).uploadTask(with: put(f, "echo?slowly=2"), fromFile: source).resume()
        Thread.sleep(forTimeInterval: 0.5)
        let handle = try FileHandle(forWritingTo: source)
        try handle.seekToEnd()
        try handle.write(contentsOf: Data("more".utf8))
        recorder.ends(f)
        try arrival(f, recorder)
    },
    Probe("WebSocket tasks", "text, data, ping, close") { f in
        let recorder = Recorder()
        let session = makeSession(recorder)
        let url = URL(string: f.url("ws").absoluteString.replacing("http://", with: "ws://"))!
        let task = session.webSocketTask(with: url)
        task.resume()
        f.wait {
            do {
                try await task.send(.string("hello"))
                if case .string(let text) = try await task.receive() { f.say("text came back: \(text)") }
                try await task.send(.data(Data([1, 2, 3])))
                if case .data(let data) = try await task.receive() { f.say("data came back: \(Array(data))") }
                try await task.sendPing()
                f.say("pong came")
            } catch {
                f.say("fails with \(words(error))")
            }
        }
        task.cancel(with: .normalClosure, reason: nil)
        recorder.ends(f, within: 2)
        f.say("\(recorder.calls); close code \(task.closeCode.rawValue)")
    },
]
