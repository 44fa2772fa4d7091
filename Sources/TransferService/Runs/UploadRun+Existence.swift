// SPDX-License-Identifier: MIT

import HTTPTypes
import SessionCore
import TransferModel

/// Uploads that must not replace a file (`If-None-Match: *`). Some servers ignore the condition and replace it, such as
/// nginx: they are asked first.
extension UploadRun {
    /// Knowledge of a file at the address.
    enum Existence: Equatable {
        case unknown, asked, absent, unclear
        /// The server has accepted a stream with this status, and is asked whether it has bytes of it.
        case accepted(Int?)
    }

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

    /// A server may drop a body whose length it does not know, store an empty file and respond with success, as PHP
    /// does behind FastCGI.
    /// - Returns: whether it is asked for the length of what it has.
    func asksForLength() -> Bool {
        guard case .stream = upload.source, case .put = upload.form, description.options.method ?? .put == .put,
            let session = engine.session
        else { return false }
        existence = .accepted(engine.queue[id]?.httpStatus)
        var request = engine.request(for: self, method: .head)
        request.method = .head
        // The server has accepted the upload: nothing waits for a network.
        request.options.waitsForConnectivity = false
        let most = UploadExchange.patience
        request.options.requestTimeout = min(request.options.requestTimeout ?? most, most)
        engine.launch(session.dataTask(with: request), for: self)
        return true
    }

    /// Only an empty file says anything: the server has accepted the upload.
    func lengthAnswered(_ task: TransferTask, _ error: TransferError?, afterStatus status: Int?) {
        engine.update(id) { $0.httpStatus = status }
        guard error == nil, let head = task.response, head.status == .ok, head.headerFields[.contentLength] == "0"
        else { return engine.end(id, .completed, nil) }
        engine.failed(
            self,
            TransferError(
                .sendFailed, .storedEmpty, host: description.url.authority,
                fields: .init(variant: .lengthRequired)))
    }

    private func conflict(_ problem: TransferProblem.Kind, _ status: Int, at authority: String) -> TransferError {
        TransferError(
            .destinationExists, problem, host: authority,
            fields: .init(status: status, variant: problem == .foundOnServer ? .existsOnServer : nil))
    }
}
