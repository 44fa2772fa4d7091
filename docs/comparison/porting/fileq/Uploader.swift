// SPDX-License-Identifier: MIT

import FileQTransfer
import Foundation

/// Uploads a file with the cookie of a login.
final class Uploader: TransferDataDelegate, @unchecked Sendable {
    private var body = Data()

    func upload(_ file: URL, to url: URL, session identifier: String) throws {
        var configuration = try TransferConfiguration.ephemeral()
        configuration.requestTimeout = 30
        let session = try TransferSession.ephemeral(configuration, delegate: self)
        var request = try TransferRequest(url: url)
        request.method = .put
        request.options.cookies = [try Cookie(name: "session", value: identifier)]
        session.uploadTask(with: request, fromFile: file).resume()
        session.finishTasksAndInvalidate()
    }

    func session(
        _ session: TransferSession, task: TransferTask, didSend bytesSent: Int64, total totalBytesSent: Int64,
        expected totalBytesExpectedToSend: Int64?
    ) {
        print("\(totalBytesSent) of \(totalBytesExpectedToSend ?? -1)")
    }

    func session(_ session: TransferSession, task: TransferTask, didReceive data: Data) {
        body.append(data)
    }

    func session(_ session: TransferSession, task: TransferTask, didComplete error: TransferError?) {
        if let error { return print(error.localizedDescription) }
        let status = task.response?.status.code ?? 0
        print("\(status): \(String(decoding: body, as: UTF8.self))")
    }
}
