// SPDX-License-Identifier: MIT

import Foundation

/// Uploads a file with the cookie of a login.
final class Uploader: NSObject, URLSessionTaskDelegate, URLSessionDataDelegate, @unchecked Sendable {
    private let configuration = URLSessionConfiguration.ephemeral
    private var body = Data()

    func upload(_ file: URL, to url: URL, session identifier: String) {
        configuration.timeoutIntervalForRequest = 30
        let session = URLSession(configuration: configuration, delegate: self, delegateQueue: nil)
        var request = URLRequest(url: url)
        request.httpMethod = "PUT"
        request.setValue("session=\(identifier)", forHTTPHeaderField: "Cookie")
        session.uploadTask(with: request, fromFile: file).resume()
        session.finishTasksAndInvalidate()
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, didSendBodyData bytesSent: Int64, totalBytesSent: Int64,
        totalBytesExpectedToSend: Int64
    ) {
        print("\(totalBytesSent) of \(totalBytesExpectedToSend)")
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        body.append(data)
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        if let error { return print(error.localizedDescription) }
        let status = (task.response as? HTTPURLResponse)?.statusCode ?? 0
        print("\(status): \(String(decoding: body, as: UTF8.self))")
    }
}
