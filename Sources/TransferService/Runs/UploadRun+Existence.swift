// SPDX-License-Identifier: MIT

import HTTPTypes
import SessionCore
import TransferModel

/// Uploads that must not replace a file (`If-None-Match: *`). Some servers ignore the condition and replace it, such as
/// nginx: they are asked first.
extension UploadRun {
    /// What is known of a file at the address.
    enum Existence { case unknown, asked, absent, unclear }

    /// - Returns: whether the server is asked, and the upload begins once more after its response.
    func asksForFile() -> Bool {
        let mayReplace = description.options.conditions.first { $0.name == .ifNoneMatch }?.value != "*"
        // A later attempt may find what an earlier one has stored.
        guard existence == .unknown, !mayReplace, upload.resumption != .tus, engine.queue[id]?.attempt ?? 1 <= 1,
            let session = engine.session
        else { return false }
        existence = .asked
        var request = engine.request(for: self, method: .head)
        request.method = .head
        engine.launch(session.dataTask(with: request), for: self)
        return true
    }

    func fileAnswered(_ task: TransferTask, _ error: TransferError?) {
        existence = .unknown
        if let error { return engine.handleFailure(self, error, retryAfter: engine.retryAfter(task.response)) }
        let status = task.response?.status.code ?? 0
        switch status {
        case 200..<300, 304:
            return engine.failed(self, conflict(.foundOnServer, status, at: task.currentURL.authority))
        case 404, 410: existence = .absent
        // Such as of a server that knows no HEAD: the condition decides.
        default: existence = .unclear
        }
        guard engine.queue[id]?.state == .running else { return }
        engine.attempt(self) { try begin() }
    }

    /// Whether the response to an upload with the condition says that there was a file (RFC 9110, section 9.3.4).
    func replacement(_ head: HTTPResponse, at authority: String) -> TransferError? {
        guard existence == .unclear, head.status == .noContent else { return nil }
        return conflict(.replacedOnServer, 204, at: authority)
    }

    private func conflict(_ problem: UploadProblem, _ status: Int, at authority: String) -> TransferError {
        TransferError(
            .destinationExists, .upload(problem), host: authority,
            fields: .init(status: status, variant: problem == .foundOnServer ? .existsOnServer : nil))
    }
}
