// SPDX-License-Identifier: MIT

import FileQTransfer
import Foundation

/// A download that shows its progress, and can be paused.
final class PausedDownload: TransferDownloadDelegate, @unchecked Sendable {
    private lazy var session = Result { try TransferSession.default(delegate: self) }
    private let destination: URL
    private var task: DownloadTask?
    private var resumeData: ResumeData?

    init(destination: URL) { self.destination = destination }

    func start(_ url: URL) throws {
        task = try session.get().downloadTask(with: url)
        task?.resume()
    }

    func pause() {
        task?.cancel { resumeData in
            self.resumeData = resumeData
        }
    }

    func resume() throws {
        guard let resumeData else { return }
        task = try session.get().downloadTask(withResumeData: resumeData)
        task?.resume()
    }

    func session(
        _ session: TransferSession, task: DownloadTask, didWrite bytesWritten: Int64,
        total totalBytesWritten: Int64, expected totalBytesExpectedToWrite: Int64?
    ) {
        guard let totalBytesExpectedToWrite else { return }
        print("\(100 * totalBytesWritten / totalBytesExpectedToWrite) %")
    }

    func session(_ session: TransferSession, task: DownloadTask, didFinishDownloadingTo location: URL) {
        do {
            try FileManager.default.moveItem(at: location, to: destination)
        } catch {
            print("\(destination.path): \(error)")
        }
    }

    func session(_ session: TransferSession, task: TransferTask, didComplete error: TransferError?) {
        guard let error else { return }
        resumeData = error.resumeData
        print(error.localizedDescription)
    }
}
