// SPDX-License-Identifier: MIT

import Dispatch
import HTTPTypes
@testable import SessionCore
import Synchronization
import TransferModel
import TransferTesting

/// A session on a transport without a network, with time that stands still.
struct Stage {
    let executor = InlineExecutor()
    let transport: FakeTransport
    let scheduler = ManualScheduler()
    let session: TransferSession

    init(
        delegate: (any TransferSessionDelegate)? = nil, queue: DispatchQueue? = nil,
        _ configure: (inout TransferConfiguration) -> Void = { _ in },
        answer: @escaping @Sendable (Exchange, Int) -> FakeTransport.Answer
    ) {
        transport = FakeTransport(executor: executor, answer)
        var configuration = TransferConfiguration()
        configuration.proxy = .none
        configure(&configuration)
        session = TransferSession(
            configuration: configuration, transport: transport, delegate: delegate, delegateQueue: queue,
            scheduler: scheduler)
    }

    /// The tasks that wait for the network.
    var waiting: [Int] { executor.run { session.core.assumeIsolated { $0.waitingTasks.waiting } } }
}

func request(
    _ url: String = "http://a.test/file", _ method: HTTPRequest.Method = .get,
    _ change: (inout TransferOptions) -> Void = { _ in }
) throws -> TransferRequest {
    var options = TransferOptions()
    options.usesNetrc = false
    change(&options)
    return TransferRequest(url: try TransferURL(url), method: method, options: options)
}

/// Writes down every call it gets, in order, and checks that no two come at once.
class Recorder: TransferDataDelegate, TransferDownloadDelegate, @unchecked Sendable {
    // Sendable: what changes is behind mutexes.

    private let lines = Mutex<[String]>([])
    private let ends = Mutex<[Int: (count: Int, error: TransferError?)]>([:])
    private let inside = Atomic<Int>(0)
    private let overlaps = Atomic<Int>(0)
    private let invalidations = Atomic<Int>(0)

    var calls: [String] { lines.withLock { $0 } }
    /// Calls that came while another was under way.
    var overlapCount: Int { overlaps.load(ordering: .relaxed) }
    var invalidationCount: Int { invalidations.load(ordering: .relaxed) }
    func endCount(_ task: TransferTask) -> Int { ends.withLock { $0[task.identifier]?.count ?? 0 } }
    func error(_ task: TransferTask) -> TransferError? { ends.withLock { $0[task.identifier]?.error } }
    var endedCount: Int { ends.withLock { $0.count } }
    var endCounts: [Int] { ends.withLock { $0.values.map(\.count) } }

    func note(_ line: String) {
        if inside.add(1, ordering: .relaxed).newValue > 1 { overlaps.add(1, ordering: .relaxed) }
        lines.withLock { $0.append(line) }
        inside.subtract(1, ordering: .relaxed)
    }

    func sessionDidBecomeInvalid(_ session: TransferSession) {
        invalidations.add(1, ordering: .relaxed)
        note("invalid")
    }
    func session(_ session: TransferSession, taskIsWaitingForConnectivity task: TransferTask) { note("waits") }
    func session(_ session: TransferSession, task: TransferTask, didChangeWait wait: PathWait?) {
        note(wait.map { "wait: \($0.message)" } ?? "no wait")
    }
    func session(_ session: TransferSession, task: TransferTask, didReceiveInformational head: HTTPResponse) {
        note("informational \(head.status.code)")
    }
    func session(_ session: TransferSession, task: TransferTask, didSend bytes: Int64, total: Int64, expected: Int64?) {
        note("sent \(total)")
    }
    func session(_ session: TransferSession, task: TransferTask, didReceive response: HTTPResponse) {
        note("response \(response.status.code)")
    }
    func session(_ session: TransferSession, task: TransferTask, didReceive bytes: [UInt8]) {
        note("data \(bytes.count)")
    }
    func session(_ session: TransferSession, task: TransferTask, didBecome download: DownloadTask) {
        note("became download")
    }
    func session(_ session: TransferSession, task: DownloadTask, didResumeAt offset: Int64, expected: Int64?) {
        note("resumed at \(offset)")
    }
    func session(_ session: TransferSession, task: DownloadTask, didWrite bytes: Int64, total: Int64, expected: Int64?)
    {
        note("wrote \(total)")
    }
    func session(_ session: TransferSession, task: DownloadTask, didFinishDownloadingTo path: String) {
        note("finished download")
    }
    func session(_ session: TransferSession, task: TransferTask, didCollect metrics: TransferMetrics) {
        note("metrics")
    }
    func session(_ session: TransferSession, task: TransferTask, didComplete error: TransferError?) {
        ends.withLock { $0[task.identifier] = (($0[task.identifier]?.count ?? 0) + 1, error) }
        note("complete \(error.map { "\($0.code.rawValue)" } ?? "ok")")
    }
}
