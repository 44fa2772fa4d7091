// SPDX-License-Identifier: MIT Background FOLDER [URL…]: hands downloads to the background service and ends; run again,
// it moves into FOLDER what has come since.
import FileQTransfer
import Foundation

final class Mover: TransferDownloadDelegate {
    let folder: String
    let drained: AsyncStream<Never>.Continuation

    init(folder: String, drained: AsyncStream<Never>.Continuation) { (self.folder, self.drained) = (folder, drained) }

    func session(_ session: TransferSession, task: DownloadTask, didFinishDownloadingTo path: String) {
        let goal = "\(folder)/\(task.taskDescription ?? "download-\(task.identifier)")"
        do { try FileManager.default.moveItem(atPath: path, toPath: goal) } catch { print("\(goal): \(error)") }
    }

    func session(_ session: TransferSession, task: TransferTask, didComplete error: TransferError?) {
        print("\(task.originalRequest.url): \(error?.message ?? "is there")")
    }

    func sessionDidFinishEvents(forBackgroundSession session: TransferSession) { drained.finish() }
}

guard CommandLine.arguments.count >= 2 else {
    print("usage: Background FOLDER [URL…]")
    exit(2)
}
do throws(TransferError) {
    let (missed, drained) = AsyncStream.makeStream(of: Never.self)
    let mover = Mover(folder: CommandLine.arguments[1], drained: drained)
    let session = try await TransferSession.background(.background("org.example.mirror"), delegate: mover)
    for text in CommandLine.arguments.dropFirst(2) {
        let url = try TransferURL(text)
        let task = session.downloadTask(with: TransferRequest(url: url))
        task.taskDescription = url.lastPathSegment
        task.resume()
    }
    // All missed events have been delivered…
    for await _ in missed {}
    // …and the service has stored everything: now this program may end.
    try await session.waitUntilStored()
    print("\(session.tasks.count) still under way")
} catch {
    print(error.message)
    exit(1)
}
