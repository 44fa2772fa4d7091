// SPDX-License-Identifier: MIT

import Foundation
import FoundationNetworking

private func name(_ state: URLSessionTask.State) -> String {
    switch state {
    case .running: "running"
    case .suspended: "suspended"
    case .canceling: "canceling"
    case .completed: "completed"
    @unknown default: "unknown"
    }
}

/// Suspends in the middle of 4 MB that take 2 s, resumes after a second, compares.
private func interrupt(_ f: Findings, suspending times: Int = 1, resuming again: Int = 1) throws {
    let count = 4_000_000
    let recorder = Recorder()
    let task = makeSession(recorder).dataTask(with: f.url("bytes?n=\(count)&interval=0.05&piece=100000"))
    var isFirst = true
    nonisolated(unsafe) var atSuspension = 0
    recorder.onData = { _, task in
        guard isFirst, recorder.data.count > 1_000_000 else { return }
        isFirst = false
        for _ in 0..<times { task.suspend() }
        DispatchQueue.global().asyncAfter(deadline: .now() + 0.3) { atSuspension = recorder.data.count }
        DispatchQueue.global().asyncAfter(deadline: .now() + 1) {
            f.say(
                "state while suspended: \(name(task.state)), bytes that came while it was: \(recorder.data.count - atSuspension)"
            )
            for _ in 0..<again { task.resume() }
        }
    }
    task.resume()
    guard recorder.ends(f) else { return f.say("\(recorder.data.count) of \(count) bytes by then") }
    f.say(
        "\(words(recorder.error)), \(recorder.data.count) of \(count) bytes, the bytes are "
            + "\(recorder.data == (try f.bytes(count)) ? "right" : "not right"), after \(f.seconds)")
}

let taskProbes = [
    Probe("Tasks", "states: made, resumed, suspended, cancelled, ended") { f in
        let recorder = Recorder()
        let task = makeSession(recorder).dataTask(with: f.url("head-late?after=2"))
        f.say("made: \(name(task.state))")
        task.resume()
        f.say("resumed: \(name(task.state))")
        Thread.sleep(forTimeInterval: 0.3)
        task.suspend()
        f.say("suspended: \(name(task.state))")
        task.resume()
        f.say("resumed again: \(name(task.state))")
        Thread.sleep(forTimeInterval: 0.3)
        task.cancel()
        f.say("cancelled: \(name(task.state))")
        recorder.ends(f)
        f.say("ended: \(name(task.state)), \(words(recorder.error))")
    },
    Probe("Tasks", "`resume()`, `suspend()`, `resume()`, `cancel()` without a pause between them") { f in
        let recorder = Recorder()
        let task = makeSession(recorder).dataTask(with: f.url("head-late?after=2"))
        task.resume()
        task.suspend()
        task.resume()
        task.cancel()
        recorder.ends(f)
        f.say("\(name(task.state)), \(words(recorder.error)); \(recorder.calls)")
    },
    Probe("Tasks", "`suspend()` before the head of the answer, `resume()` a second later") { f in
        let recorder = Recorder()
        let task = makeSession(recorder).dataTask(with: f.url("head-late?after=1"))
        task.resume()
        Thread.sleep(forTimeInterval: 0.3)
        task.suspend()
        Thread.sleep(forTimeInterval: 1)
        task.resume()
        recorder.ends(f)
        f.say(
            "\(words(recorder.error)), body \(words(recorder.data)); \(recorder.calls); the server saw \(try f.logged().count) requests"
        )
    },
    Probe("Tasks", "`cancel()` on a suspended task") { f in
        let recorder = Recorder()
        let task = makeSession(recorder).dataTask(with: f.url("head-late?after=3"))
        task.resume()
        Thread.sleep(forTimeInterval: 0.3)
        task.suspend()
        task.cancel()
        recorder.ends(f)
        f.say("\(name(task.state)), \(words(recorder.error)) after \(f.seconds)")
    },
    Probe("Tasks", "`cancel()` on a running task: error and how soon") { f in
        let recorder = Recorder()
        let task = makeSession(recorder).dataTask(with: f.url("bytes?n=100000&interval=0.2"))
        recorder.onData = { _, task in task.cancel() }
        task.resume()
        recorder.ends(f)
        f.say("\(words(recorder.error)) after \(f.seconds), \(recorder.data.count) bytes; \(recorder.calls)")
    },
    Probe("Tasks", "`cancel()` on a task that was never resumed") { f in
        let recorder = Recorder()
        let task = makeSession(recorder).dataTask(with: f.url("echo"))
        task.cancel()
        recorder.ends(f, within: 3)
        f.say("\(name(task.state)), \(words(recorder.error)), the server saw \(try f.logged().count) requests")
    },
    Probe("Tasks", "`suspend()` and `resume()` in the middle of a data task", limit: 15) { f in try interrupt(f) },
    Probe("Tasks", "`suspend()` twice, `resume()` once", limit: 15) { f in try interrupt(f, suspending: 2, resuming: 1)
    },
    Probe("Tasks", "`suspend()` twice, `resume()` twice", limit: 15) { f in try interrupt(f, suspending: 2, resuming: 2)
    },
    Probe("Tasks", "`suspend()` and `resume()` in the middle of a download task", limit: 15) { f in
        let count = 4_000_000
        let recorder = Recorder()
        var isFirst = true
        nonisolated(unsafe) var file: Data?
        recorder.onFile = { file = try? Data(contentsOf: $0) }
        recorder.onWritten = { written, task in
            guard isFirst, written > 1_000_000 else { return }
            isFirst = false
            task.suspend()
            DispatchQueue.global().asyncAfter(deadline: .now() + 1) { task.resume() }
        }
        makeSession(recorder).downloadTask(with: f.url("bytes?n=\(count)&interval=0.05&piece=100000")).resume()
        recorder.ends(f)
        f.say(
            "\(words(recorder.error)), the file has \(file?.count ?? 0) of \(count) bytes and is "
                + "\(file == (try f.bytes(count)) ? "right" : "not right"), after \(f.seconds)")
    },
    Probe("Tasks", "`progress` of a data task while it runs") { f in
        let recorder = Recorder()
        let session = makeSession(recorder)
        let task = session.dataTask(with: f.url("bytes?n=100000&interval=0.02&piece=10000"))
        var seen: [Double] = []
        recorder.onData = { _, task in seen.append(task.progress.fractionCompleted) }
        task.resume()
        recorder.ends(f)
        f.say(
            "fractions: \(seen.map { String(format: "%.2f", $0) }.joined(separator: " ")), at the end "
                + "\(task.progress.fractionCompleted) of \(task.progress.totalUnitCount) units")
    },
    Probe("Tasks", "`progress.cancel()`") { f in
        let recorder = Recorder()
        let task = makeSession(recorder).dataTask(with: f.url("bytes?n=100000&interval=0.05"))
        recorder.onData = { _, task in task.progress.cancel() }
        task.resume()
        recorder.ends(f, within: 7)
        f.say("\(words(recorder.error)), \(recorder.data.count) of 100000 bytes after \(f.seconds)")
    },
    Probe("Tasks", "`countOfBytes…` of an upload of 50,000 bytes at its end") { f in
        let recorder = Recorder()
        var request = URLRequest(url: f.url("echo"))
        request.httpMethod = "PUT"
        let task = makeSession(recorder).uploadTask(with: request, from: Data(count: 50_000))
        task.resume()
        recorder.ends(f)
        f.say(
            "sent \(task.countOfBytesSent) of \(task.countOfBytesExpectedToSend), received \(task.countOfBytesReceived) of "
                + "\(task.countOfBytesExpectedToReceive); the body had \(recorder.data.count)")
    },
    Probe("Tasks", "`countOfBytesClientExpectsToSend`, `…ToReceive`") { f in
        let task = makeSession().dataTask(with: f.url("echo"))
        let before = task.countOfBytesClientExpectsToReceive
        task.countOfBytesClientExpectsToReceive = 5
        task.countOfBytesClientExpectsToSend = 6
        f.say(
            "at first \(before); kept as \(task.countOfBytesClientExpectsToReceive) and \(task.countOfBytesClientExpectsToSend)"
        )
    },
    Probe("Tasks", "`priority`: six tasks, one connection, the last one with `highPriority`") { f in
        let session = makeSession { $0.httpMaximumConnectionsPerHost = 1 }
        let all = DispatchGroup()
        let tasks = (0..<6).map { number in
            all.enter()
            return session.dataTask(with: f.url("hold?for=0.1&number=\(number)")) { _, _, _ in all.leave() }
        }
        tasks[5].priority = URLSessionTask.highPriority
        tasks.forEach { $0.resume() }
        _ = all.wait(timeout: .now() + 8)
        let order = try f.logged().compactMap {
            $0.path.split(separator: "=").dropLast().last?.split(separator: "&").first
        }
        f.say("kept as \(tasks[5].priority); order at the server: \(order.joined(separator: " "))")
    },
    Probe("Tasks", "`taskDescription`, `taskIdentifier`, `originalRequest`, `currentRequest`") { f in
        let session = makeSession()
        let tasks = (0..<3).map { _ in session.dataTask(with: f.url("echo")) }
        tasks[0].taskDescription = "mine"
        f.say(
            "\(tasks[0].taskDescription ?? "none"); identifiers \(tasks.map { "\($0.taskIdentifier)" }.joined(separator: " ")); "
                + "requests \(tasks[0].originalRequest != nil) and \(tasks[0].currentRequest != nil)")
    },
    Probe("Tasks", "`earliestBeginDate` in 3 s, with a delegate that has `willBeginDelayedRequest`") { f in
        let recorder = Recorder()
        let task = makeSession(recorder).dataTask(with: f.url("echo"))
        let date = Date(timeIntervalSinceNow: 3)
        task.earliestBeginDate = date
        f.say("\(task.earliestBeginDate == date ? "kept" : "not kept")")
        task.resume()
        recorder.ends(f)
        f.say("ended after \(f.seconds); \(recorder.calls)")
    },
    Probe("Tasks", "`task.delegate`, set before `resume()`, on a session without one") { f in
        let recorder = Recorder()
        let task = makeSession().dataTask(with: f.url("echo"))
        task.delegate = recorder
        task.resume()
        recorder.ends(f, within: 4)
        f.say(
            "calls: \(recorder.calls.isEmpty ? "none" : recorder.calls); the server saw \(try f.logged().count) requests"
        )
    },
    Probe("Tasks", "the same, with a redirect") { f in
        let recorder = Recorder()
        let task = makeSession().dataTask(with: f.url("redirect?to=/echo"))
        task.delegate = recorder
        task.resume()
        recorder.ends(f, within: 4)
        f.say(
            "calls: \(recorder.calls.isEmpty ? "none" : recorder.calls); the server saw \(try f.logged().count) requests"
        )
    },
    Probe("Tasks", "`resume()` on a task that has ended") { f in
        let recorder = Recorder()
        let task = makeSession(recorder).dataTask(with: f.url("echo"))
        task.resume()
        recorder.ends(f)
        task.resume()
        Thread.sleep(forTimeInterval: 1)
        f.say(
            "\(name(task.state)), the server saw \(try f.logged().count) requests, \(recorder.count("didComplete")) ends"
        )
    },
]
