// SPDX-License-Identifier: MIT

import Foundation
import FoundationNetworking

/// A delegate that has every method there is on Linux, and writes each call down.
class Recorder: NSObject, URLSessionDataDelegate, URLSessionDownloadDelegate, URLSessionWebSocketDelegate,
    @unchecked Sendable
{
    private let lock = NSLock()
    private var written: [String] = []
    private var running = 0
    private(set) var mostAtOnce = 0
    let end = DispatchSemaphore(value: 0)
    let invalid = DispatchSemaphore(value: 0)

    var answerChallenge: (URLAuthenticationChallenge) -> (URLSession.AuthChallengeDisposition, URLCredential?) = { _ in
        (.performDefaultHandling, nil)
    }
    var answerRedirect: (URLRequest) -> URLRequest? = { $0 }
    var answerResponse: () -> URLSession.ResponseDisposition = { .allow }
    var onData: (Data, URLSessionDataTask) -> Void = { _, _ in }
    var onWritten: (Int64, URLSessionDownloadTask) -> Void = { _, _ in }
    var onFile: (URL) -> Void = { _ in }
    /// Seconds that each call of data takes, to let others overlap.
    var pause = 0.0
    private(set) var error: (any Error)?
    private var received = Data()
    var data: Data { lock.withLock { received } }
    private(set) var metrics: URLSessionTaskMetrics?
    private(set) var sent: [(Int64, Int64, Int64)] = []
    private(set) var progress: [(Int64, Int64, Int64)] = []

    /// The calls in order, with equal neighbours counted.
    var calls: String {
        lock.withLock {
            var groups: [(String, Int)] = []
            for call in written {
                if groups.last?.0 == call { groups[groups.count - 1].1 += 1 } else { groups.append((call, 1)) }
            }
            return groups.map { $0.1 == 1 ? $0.0 : "\($0.0) ×\($0.1)" }.joined(separator: ", ")
        }
    }

    func count(_ call: String) -> Int { lock.withLock { written.count { $0 == call } } }

    private func note(_ call: String) { lock.withLock { written.append(call) } }

    /// Waits for the end of `tasks` tasks.
    @discardableResult
    func ends(_ findings: Findings, tasks: Int = 1, within seconds: Double = 8) -> Bool {
        for _ in 0..<tasks where end.wait(timeout: .now() + seconds) == .timedOut {
            findings.say("didCompleteWithError did not come within \(seconds) s")
            return false
        }
        return true
    }

    // MARK: Session

    func urlSession(_ session: URLSession, didBecomeInvalidWithError error: (any Error)?) {
        note("didBecomeInvalid")
        invalid.signal()
    }

    // MARK: Task

    func urlSession(
        _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        let method = challenge.protectionSpace.authenticationMethod.replacing("NSURLAuthenticationMethod", with: "")
        note("challenge \(method), failed \(challenge.previousFailureCount)")
        let (disposition, credential) = answerChallenge(challenge)
        completionHandler(disposition, credential)
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest, completionHandler: @escaping (URLRequest?) -> Void
    ) {
        note("willPerformHTTPRedirection \(response.statusCode) \(request.httpMethod ?? "")")
        completionHandler(answerRedirect(request))
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask,
        needNewBodyStream completionHandler: @escaping (InputStream?) -> Void
    ) {
        note("needNewBodyStream")
        completionHandler(InputStream(data: Data("streamed".utf8)))
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, didSendBodyData bytesSent: Int64, totalBytesSent: Int64,
        totalBytesExpectedToSend: Int64
    ) {
        note("didSendBodyData")
        lock.withLock { sent.append((bytesSent, totalBytesSent, totalBytesExpectedToSend)) }
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask,
        willBeginDelayedRequest request: URLRequest,
        completionHandler: @escaping (URLSession.DelayedRequestDisposition, URLRequest?) -> Void
    ) {
        note("willBeginDelayedRequest")
        completionHandler(.continueLoading, nil)
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didFinishCollecting metrics: URLSessionTaskMetrics) {
        note("didFinishCollecting")
        lock.withLock { self.metrics = metrics }
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        note("didComplete")
        lock.withLock { self.error = error }
        end.signal()
    }

    // MARK: Data

    func urlSession(
        _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
        completionHandler: @escaping (URLSession.ResponseDisposition) -> Void
    ) {
        let status = (response as? HTTPURLResponse)?.statusCode ?? 0
        note(status == 200 ? "didReceive response" : "didReceive response \(status)")
        completionHandler(answerResponse())
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        note("didReceive data")
        lock.withLock {
            received.append(data)
            running += 1
            mostAtOnce = max(mostAtOnce, running)
        }
        if pause > 0 { Thread.sleep(forTimeInterval: pause) }
        onData(data, dataTask)
        lock.withLock { running -= 1 }
    }

    func urlSession(
        _ session: URLSession, dataTask: URLSessionDataTask, willCacheResponse proposed: CachedURLResponse,
        completionHandler: @escaping (CachedURLResponse?) -> Void
    ) {
        note("willCacheResponse")
        completionHandler(proposed)
    }

    // MARK: Download

    func urlSession(_ session: URLSession, downloadTask: URLSessionDownloadTask, didFinishDownloadingTo location: URL) {
        note("didFinishDownloadingTo")
        onFile(location)
    }

    func urlSession(
        _ session: URLSession, downloadTask: URLSessionDownloadTask, didWriteData bytes: Int64,
        totalBytesWritten: Int64, totalBytesExpectedToWrite: Int64
    ) {
        note("didWriteData")
        lock.withLock { progress.append((bytes, totalBytesWritten, totalBytesExpectedToWrite)) }
        onWritten(totalBytesWritten, downloadTask)
    }

    func urlSession(
        _ session: URLSession, downloadTask: URLSessionDownloadTask, didResumeAtOffset offset: Int64,
        expectedTotalBytes: Int64
    ) {
        note("didResumeAtOffset \(offset)")
    }

    // MARK: WebSocket

    func urlSession(_ session: URLSession, webSocketTask: URLSessionWebSocketTask, didOpenWithProtocol name: String?) {
        note("didOpenWithProtocol")
    }

    func urlSession(
        _ session: URLSession, webSocketTask: URLSessionWebSocketTask,
        didCloseWith code: URLSessionWebSocketTask.CloseCode,
        reason: Data?
    ) {
        note("didCloseWith \(code.rawValue)")
    }
}

/// As the other, and asked for challenges of the session too.
final class SessionRecorder: Recorder, @unchecked Sendable {
    private let lock = NSLock()
    private(set) var asked: [String] = []

    func urlSession(
        _ session: URLSession, didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        lock.withLock { asked.append(challenge.protectionSpace.authenticationMethod) }
        let (disposition, credential) = answerChallenge(challenge)
        completionHandler(disposition, credential)
    }
}

func makeSession(
    _ delegate: (any URLSessionDelegate)? = nil, queue: OperationQueue? = nil,
    _ change: (URLSessionConfiguration) -> Void = { _ in }
) -> URLSession {
    let configuration = URLSessionConfiguration.ephemeral
    configuration.timeoutIntervalForRequest = 30
    change(configuration)
    return URLSession(configuration: configuration, delegate: delegate, delegateQueue: queue)
}

/// Fetches with a closure and waits. `nil` answer: it was never called.
func fetch(
    _ request: URLRequest, _ session: URLSession, within seconds: Double = 8
)
    -> (data: Data?, response: URLResponse?, error: (any Error)?)?
{
    let end = DispatchSemaphore(value: 0)
    nonisolated(unsafe) var result: (Data?, URLResponse?, (any Error)?)?
    session.dataTask(with: request) { data, response, error in
        result = (data, response, error)
        end.signal()
    }.resume()
    return end.wait(timeout: .now() + seconds) == .timedOut ? nil : result
}

func fetch(
    _ url: URL, _ session: URLSession, within seconds: Double = 8
)
    -> (data: Data?, response: URLResponse?, error: (any Error)?)?
{ fetch(URLRequest(url: url), session, within: seconds) }

func told(_ result: (data: Data?, response: URLResponse?, error: (any Error)?)?) -> String {
    guard let result else { return "the closure was not called (waited 4 s or longer)" }
    return result.error == nil ? "\(status(result.response)), \(result.data?.count ?? 0) bytes" : words(result.error)
}
