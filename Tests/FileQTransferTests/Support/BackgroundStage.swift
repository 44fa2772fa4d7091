// SPDX-License-Identifier: MIT

import FileQTransfer
import Foundation
import Synchronization
import TransferTesting

/// A service, a folder for sessions, and the sessions that are made one after the other, as if each were a program's
/// run.
final class BackgroundStage: Sendable {
    static let identifier = "org.example.test"
    let service = FakeService()
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    var places: SessionPlaces { SessionPlaces(state: folder.file("state"), cache: folder.file("cache")) }
    var sessionFolder: String { folder.file("state/background/\(Self.identifier)") }

    /// A program's run. Pauses are over at once.
    func run(
        identifier: String = identifier, _ configure: (inout TransferConfiguration) -> Void = { _ in }
    ) async throws -> Run {
        let connector = try await ServiceConnector.open(
            identifier: identifier, places: places,
            connect: { [service] () async throws(TransferError) in
                try service.connect()
            },
            pause: { _ in
                try await Task.sleep(for: .milliseconds(1))
            })
        return Run(connector, configure)
    }

    /// A session with its delegate, until its process "ends".
    final class Run: Sendable {
        let connector: ServiceConnector
        let delegate = BackgroundRecorder()
        let session: TransferSession

        init(_ connector: ServiceConnector, _ configure: (inout TransferConfiguration) -> Void) {
            self.connector = connector
            var configuration = TransferConfiguration.background(BackgroundStage.identifier)
            configure(&configuration)
            session = TransferSession(configuration: configuration, connector: connector, delegate: delegate)
        }

        /// As if the process ended: no listener, and the lock is free.
        func end() async { await withCheckedContinuation { continuation in connector.close { continuation.resume() } } }

        func download(
            _ url: String = "https://example.org/a.iso", _ change: (DownloadTask) -> Void = { _ in }
        ) throws -> DownloadTask {
            let task = session.downloadTask(with: TransferRequest(url: try TransferURL(url)))
            change(task)
            task.resume()
            return task
        }

        func upload(_ file: String) throws -> UploadTask {
            let task = session.uploadTask(
                with: TransferRequest(url: try TransferURL("https://example.org/u"), method: .put),
                body: .file(path: file))
            task.resume()
            return task
        }
    }
}

/// Records its calls, each as a line with the task's number.
final class BackgroundRecorder: TransferDownloadDelegate, TransferDataDelegate {
    private struct Report {
        var lines: [String] = []
        var files: [String: String] = [:]
        var errors: [Int: TransferError] = [:]
        var taskDescriptions: [Int: String] = [:]
    }

    private let reported = Mutex(Report())
    /// Called with the path of a whole download, on the delegate queue.
    let taking = Mutex<(@Sendable (String) -> Void)?>(nil)

    var lines: [String] { reported.withLock { $0.lines } }
    /// What was in the files that were given, by path.
    var files: [String: String] { reported.withLock { $0.files } }
    func error(_ task: TransferTask) -> TransferError? { reported.withLock { $0.errors[task.identifier] } }
    var taskDescriptions: [Int: String] { reported.withLock { $0.taskDescriptions } }
    func count(_ line: String) -> Int { lines.count { $0 == line } }

    private func note(_ line: String) { reported.withLock { $0.lines.append(line) } }

    func sessionDidBecomeInvalid(_ session: TransferSession) { note("invalid") }
    func sessionDidFinishEvents(forBackgroundSession session: TransferSession) { note("caught up") }
    func session(_ session: TransferSession, taskIsWaitingForConnectivity task: TransferTask) {
        note("\(task.identifier) waits")
    }
    func session(_ session: TransferSession, task: TransferTask, didSend bytes: Int64, total: Int64, expected: Int64?) {
        note("\(task.identifier) sent \(total)")
    }
    func session(_ session: TransferSession, task: TransferTask, didReceive response: HTTPResponse) {
        note("\(task.identifier) response \(response.status.code)")
    }
    func session(_ session: TransferSession, task: DownloadTask, didWrite bytes: Int64, total: Int64, expected: Int64?)
    {
        note("\(task.identifier) wrote \(total)")
    }
    func session(_ session: TransferSession, task: DownloadTask, didFinishDownloadingTo path: String) {
        let text = (try? String(contentsOfFile: path, encoding: .utf8)) ?? "nothing"
        reported.withLock { $0.files[path] = text }
        note("\(task.identifier) finished")
        taking.withLock { $0 }?(path)
    }
    func session(_ session: TransferSession, task: TransferTask, didCollect metrics: TransferMetrics) {
        note("\(task.identifier) metrics")
    }
    func session(_ session: TransferSession, task: TransferTask, didComplete error: TransferError?) {
        reported.withLock { reported in
            if let error { reported.errors[task.identifier] = error }
            reported.taskDescriptions[task.identifier] = task.taskDescription
        }
        note("\(task.identifier) complete \(error.map { "\($0.code.rawValue)" } ?? "ok")")
    }
}
