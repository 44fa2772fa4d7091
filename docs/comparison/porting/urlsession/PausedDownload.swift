// SPDX-License-Identifier: MIT

import Foundation

/// A download that shows its progress, and can be paused.
final class PausedDownload: NSObject, URLSessionDownloadDelegate, @unchecked Sendable {
    private lazy var session = URLSession(configuration: .default, delegate: self, delegateQueue: nil)
    private let destination: URL
    private var task: URLSessionDownloadTask?
    private var resumeData: Data?

    init(destination: URL) { self.destination = destination }

    func start(_ url: URL) {
        task = session.downloadTask(with: url)
        task?.resume()
    }

    func pause() {
        task?.cancel { resumeData in
            self.resumeData = resumeData
        }
    }

    func resume() {
        guard let resumeData else { return }
        task = session.downloadTask(withResumeData: resumeData)
        task?.resume()
    }

    func urlSession(
        _ session: URLSession, downloadTask: URLSessionDownloadTask, didWriteData bytesWritten: Int64,
        totalBytesWritten: Int64, totalBytesExpectedToWrite: Int64
    ) {
        guard totalBytesExpectedToWrite > 0 else { return }
        print("\(100 * totalBytesWritten / totalBytesExpectedToWrite) %")
    }

    func urlSession(
        _ session: URLSession, downloadTask: URLSessionDownloadTask, didFinishDownloadingTo location: URL
    ) {
        do {
            try FileManager.default.moveItem(at: location, to: destination)
        } catch {
            print("\(destination.path): \(error)")
        }
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        guard let error = error as? URLError else { return }
        resumeData = error.downloadTaskResumeData
        print(error.localizedDescription)
    }
}
