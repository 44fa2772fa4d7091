// SPDX-License-Identifier: MIT

import HTTPTypes
import SessionCore
import TransferModel

/// Creating the folders that an upload needs.
extension UploadRun {
    /// - Returns: false if this transfer creates no folders, or has created them.
    func createsFolders(_ refusal: FolderCreation.Refusal) -> Bool {
        guard upload.createsFolders, !hasCreatedFolders, case .file = upload.source,
            let folders = FolderCreation(for: description.url, after: refusal)
        else { return false }
        hasCreatedFolders = true
        self.folders = folders
        follow(folders.first)
        return true
    }

    /// The response to a `MKCOL`.
    func folderAnswered(_ task: TransferTask, _ error: TransferError?) {
        guard var folders = folders else { return }
        if let fault = self.fault(task, error) {
            // Whether the server creates folders is not known yet.
            (self.folders, hasCreatedFolders) = (nil, false)
            return engine.handleFailure(self, fault, retryAfter: engine.retryAfter(task.response))
        }
        let step = folders.answered(error == nil ? task.response?.status.code ?? 0 : 0)
        self.folders = folders
        follow(step)
    }

    /// Why the request should be repeated: a connection that broke, or a server that is busy. 500 is what some respond
    /// that create no folders.
    private func fault(_ task: TransferTask, _ error: TransferError?) -> TransferError? {
        let refusal = task.response.flatMap { HTTPStatusError.make($0, from: task.currentURL) }
        guard task.response?.status.code != 500, let cause = refusal ?? error,
            FailurePolicy.verdict(cause).next == .retry
        else { return nil }
        return cause
    }

    private func follow(_ step: FolderCreation.Step) {
        guard let session = engine.session, let folders else { return }
        switch step {
        case .make(let url):
            var request = engine.request(for: self, method: .mkcol)
            (request.url, request.method) = (url, .mkcol)
            answer = []
            engine.launch(session.dataTask(with: request), for: self)
        case .finish:
            self.folders = nil
            // Paused meanwhile: resuming sends it.
            guard engine.queue[id]?.state == .running else { return }
            engine.attempt(self) { try begin() }
        case .giveUp:
            self.folders = nil
            var refusal = folders.refusal
            FolderCreation.hint(at: &refusal.error)
            engine.update(id) { $0.httpStatus = refusal.status }
            engine.handleFailure(
                self, refusal.error, retryAfter: refusal.retryAfter, isAfterWholeBody: refusal.isAfterWholeBody)
        }
    }
}
