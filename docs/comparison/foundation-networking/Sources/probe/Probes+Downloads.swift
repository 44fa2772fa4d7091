// SPDX-License-Identifier: MIT

import Foundation
import FoundationNetworking

let downloadProbes = [
    Probe("Download tasks", "a delegate's calls, 200,000 bytes; where the file is, and whether it stays") { f in
        let recorder = Recorder()
        nonisolated(unsafe) var place: URL?
        recorder.onFile = { url in
            place = url
            f.say(
                "in didFinishDownloadingTo the file has \((try? Data(contentsOf: url))?.count ?? 0) bytes, in "
                    + (url.path.hasPrefix(NSTemporaryDirectory())
                        ? "the temporary folder" : url.deletingLastPathComponent().path))
        }
        makeSession(recorder).downloadTask(with: f.url("bytes?n=200000")).resume()
        recorder.ends(f)
        Thread.sleep(forTimeInterval: 0.5)
        let last = recorder.progress.last
        f.say(
            "\(recorder.calls); last progress \(last.map { "\($0.0), \($0.1), \($0.2)" } ?? "none"); afterwards the file is "
                + (place.map { FileManager.default.fileExists(atPath: $0.path) } == true ? "still there" : "gone"))
    },
    Probe("Download tasks", "a completion closure") { f in
        let end = DispatchSemaphore(value: 0)
        nonisolated(unsafe) var place: URL?
        makeSession().downloadTask(with: f.url("bytes?n=200000")) { url, response, error in
            place = url
            f.say(
                "\(status(response)), \(words(error)), \(url.flatMap { try? Data(contentsOf: $0) }?.count ?? 0) bytes in the file"
            )
            end.signal()
        }.resume()
        _ = end.wait(timeout: .now() + 8)
        Thread.sleep(forTimeInterval: 0.5)
        f.say(
            "afterwards the file is \(place.map { FileManager.default.fileExists(atPath: $0.path) } == true ? "still there" : "gone")"
        )
    },
    Probe("Download tasks", "status 404") { f in
        let recorder = Recorder()
        recorder.onFile = { f.say("a file with \((try? String(contentsOf: $0, encoding: .utf8)) ?? "nothing")") }
        makeSession(recorder).downloadTask(with: f.url("status?code=404")).resume()
        recorder.ends(f)
        f.say("\(words(recorder.error)); \(recorder.calls)")
    },
    Probe("Download tasks", "256 MB: peak memory", limit: 30) { f in
        let recorder = Recorder()
        makeSession(recorder).downloadTask(with: f.url("bytes?n=256000000")).resume()
        recorder.ends(f, within: 25)
        f.say("\(words(recorder.error)), \(peakMemory)")
    },
    Probe("Download tasks", "the connection ends in the middle: what is left") { f in
        let recorder = Recorder()
        makeSession(recorder).downloadTask(with: f.url("bytes?n=200000&stop=100000")).resume()
        recorder.ends(f)
        let info = (recorder.error as NSError?)?.userInfo ?? [:]
        f.say(
            "\(words(recorder.error)); resume data in the error: \(info["NSURLSessionDownloadTaskResumeData"] != nil); \(recorder.calls)"
        )
    },
    Probe("Resuming", "`cancel(byProducingResumeData:)` in the middle of an ETag-ed file") { f in
        let recorder = Recorder()
        let called = DispatchSemaphore(value: 0)
        var isFirst = true
        recorder.onWritten = { _, task in
            guard isFirst else { return }
            isFirst = false
            task.cancel { data in
                f.say("the closure got \(data.map { "\($0.count) bytes" } ?? "nil")")
                called.signal()
            }
        }
        makeSession(recorder).downloadTask(with: f.url("bytes?n=200000&interval=0.1&piece=10000")).resume()
        if called.wait(timeout: .now() + 5) == .timedOut { f.say("the closure was not called within 5 s") }
        recorder.ends(f, within: 4)
        f.say(words(recorder.error))
    },
    Probe("Resuming", "`downloadTask(withResumeData:)`") { f in
        let recorder = Recorder()
        let task = makeSession(recorder).downloadTask(withResumeData: Data("resume data".utf8))
        task.resume()
        recorder.ends(f, within: 4)
        f.say("\(words(recorder.error)); \(recorder.calls)")
    },
    Probe("Resuming", "`downloadTask(withResumeData:completionHandler:)`") { f in
        let end = DispatchSemaphore(value: 0)
        makeSession().downloadTask(withResumeData: Data("resume data".utf8)) { _, response, error in
            f.say("\(status(response)), \(words(error))")
            end.signal()
        }.resume()
        if end.wait(timeout: .now() + 5) == .timedOut { f.say("the closure was not called within 5 s") }
    },
]

let sessionProbes = [
    Probe("Sessions", "`finishTasksAndInvalidate()` with a task that runs") { f in
        let recorder = Recorder()
        let session = makeSession(recorder)
        session.dataTask(with: f.url("head-late?after=1")).resume()
        session.finishTasksAndInvalidate()
        recorder.ends(f)
        let isTold = recorder.invalid.wait(timeout: .now() + 3) == .success
        f.say(
            "\(words(recorder.error)); \(recorder.calls)\(isTold ? "" : "; didBecomeInvalid did not come within 3 s")")
    },
    Probe("Sessions", "`invalidateAndCancel()` with a task that runs") { f in
        let recorder = Recorder()
        let session = makeSession(recorder)
        session.dataTask(with: f.url("head-late?after=3")).resume()
        Thread.sleep(forTimeInterval: 0.3)
        session.invalidateAndCancel()
        recorder.ends(f, within: 6)
        let isTold = recorder.invalid.wait(timeout: .now() + 3) == .success
        f.say(
            "\(words(recorder.error)) after \(f.seconds); \(recorder.calls)\(isTold ? "" : "; didBecomeInvalid did not come within 3 s")"
        )
    },
    Probe("Sessions", "a new task after `finishTasksAndInvalidate()`") { f in
        let recorder = Recorder()
        let session = makeSession(recorder)
        session.finishTasksAndInvalidate()
        _ = recorder.invalid.wait(timeout: .now() + 3)
        session.dataTask(with: f.url("echo")).resume()
        recorder.ends(f, within: 4)
        f.say("\(words(recorder.error)); \(recorder.calls); the server saw \(try f.logged().count) requests")
    },
    Probe("Sessions", "`URLSession.shared.invalidateAndCancel()`, then a request") { f in
        URLSession.shared.invalidateAndCancel()
        f.say(told(fetch(f.url("echo"), .shared)))
    },
    Probe(
        "Sessions", "`getAllTasks`, `getTasksWithCompletionHandler`: two data tasks, an upload, a download, all running"
    ) { f in
        let session = makeSession()
        let late = f.url("head-late?after=3")
        session.dataTask(with: late).resume()
        session.dataTask(with: late).resume()
        var put = URLRequest(url: late)
        put.httpMethod = "PUT"
        session.uploadTask(with: put, from: Data(count: 10)).resume()
        session.downloadTask(with: late).resume()
        let end = DispatchSemaphore(value: 0)
        session.getAllTasks { tasks in
            f.say("all: \(tasks.count)")
            end.signal()
        }
        session.getTasksWithCompletionHandler { data, upload, download in
            f.say("data \(data.count), upload \(upload.count), download \(download.count)")
            end.signal()
        }
        for _ in 0..<2 where end.wait(timeout: .now() + 2) == .timedOut { f.say("a closure was not called within 2 s") }
    },
    Probe("Sessions", "`flush(completionHandler:)`") { f in
        let end = DispatchSemaphore(value: 0)
        makeSession().flush { end.signal() }
        f.say(
            end.wait(timeout: .now() + 3) == .success
                ? "the closure was called" : "the closure was not called within 3 s")
    },
    Probe("Sessions", "`reset(completionHandler:)`: cookies before and after") { f in
        let session = makeSession()
        _ = fetch(f.url("cookies-set"), session)
        let before = session.configuration.httpCookieStorage?.cookies?.count ?? 0
        let end = DispatchSemaphore(value: 0)
        session.reset { end.signal() }
        let isCalled = end.wait(timeout: .now() + 3) == .success
        f.say(
            "\(isCalled ? "the closure was called" : "the closure was not called within 3 s"); "
                + "\(before), then \(session.configuration.httpCookieStorage?.cookies?.count ?? 0) cookies")
    },
    Probe("Sessions", "the delegate's queue, none given: four tasks, calls of data that take 20 ms: how many at once") {
        f in
        let recorder = Recorder()
        recorder.pause = 0.02
        let session = makeSession(recorder)
        for _ in 0..<4 { session.dataTask(with: f.url("bytes?n=50000&interval=0.01&piece=5000")).resume() }
        recorder.ends(f, tasks: 4)
        f.say(
            "at most \(recorder.mostAtOnce) at once; the queue takes \(session.delegateQueue.maxConcurrentOperationCount)"
        )
    },
    Probe("Sessions", "the delegate's queue, a concurrent one given: the same") { f in
        let queue = OperationQueue()
        queue.maxConcurrentOperationCount = 8
        let recorder = Recorder()
        recorder.pause = 0.02
        let session = makeSession(recorder, queue: queue)
        for _ in 0..<4 { session.dataTask(with: f.url("bytes?n=50000&interval=0.01&piece=5000")).resume() }
        recorder.ends(f, tasks: 4)
        f.say(
            "at most \(recorder.mostAtOnce) at once; the queue takes \(session.delegateQueue.maxConcurrentOperationCount)"
        )
    },
    Probe("Sessions", "the session keeps its delegate until it is invalidated") { f in
        final class Delegate: NSObject, URLSessionDataDelegate, @unchecked Sendable {
            var onEnd: () -> Void = {}
            deinit { onEnd() }
        }
        nonisolated(unsafe) var isGone = false
        var delegate: Delegate? = Delegate()
        delegate?.onEnd = { isGone = true }
        let session = makeSession(delegate)
        delegate = nil
        let before = isGone
        session.invalidateAndCancel()
        Thread.sleep(forTimeInterval: 1)
        f.say("gone before: \(before), a second after invalidateAndCancel: \(isGone)")
    },
]
