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
        let step = folders.answered(error == nil ? task.response?.status.code ?? 0 : 0)
        self.folders = folders
        follow(step)
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
