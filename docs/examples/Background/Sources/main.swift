// SPDX-License-Identifier: MIT Background FOLDER [URL…]: hands downloads to the background service and ends; run again,
// it moves into FOLDER what has come since.
import FileQTransfer
import Foundation

final class Mover: TransferDownloadDelegate {
    let folder: String
    let toldAll: AsyncStream<Never>.Continuation

    init(folder: String, toldAll: AsyncStream<Never>.Continuation) { (self.folder, self.toldAll) = (folder, toldAll) }

    func session(_ session: TransferSession, task: DownloadTask, didFinishDownloadingTo path: String) {
        let goal = "\(folder)/\(task.taskDescription ?? "download-\(task.identifier)")"
        do { try FileManager.default.moveItem(atPath: path, toPath: goal) } catch { print("\(goal): \(error)") }
    }

    func session(_ session: TransferSession, task: TransferTask, didComplete error: TransferError?) {
        print("\(task.originalRequest.url): \(error?.message ?? "is there")")
    }

    func sessionDidFinishEvents(forBackgroundSession session: TransferSession) { toldAll.finish() }
}

guard CommandLine.arguments.count >= 2 else { throw TransferError(.usage, "say FOLDER, and URLs") }
let (told, toldAll) = AsyncStream.makeStream(of: Never.self)
let mover = Mover(folder: CommandLine.arguments[1], toldAll: toldAll)
let session = try await TransferSession.background(.background("org.example.mirror"), delegate: mover)
for text in CommandLine.arguments.dropFirst(2) {
    let url = try TransferURL(text)
    let task = session.downloadTask(with: TransferRequest(url: url))
    task.taskDescription = url.lastPathSegment
    task.resume()
}
// All that came while this program did not run has been told…
for await _ in told {}
// …and all that was said here is known to the service: now it may end.
try await session.settle()
print("\(session.tasks.count) still under way")
