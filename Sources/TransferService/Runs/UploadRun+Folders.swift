// SPDX-License-Identifier: MIT

import HTTPTypes
import SessionCore
import TransferModel

/// Creating the folders that an upload needs. One upload at a time requests a folder: Apache's mod_dav refuses the
/// second of two requests with 403.
extension UploadRun {
    /// Folders that were requested: none is requested twice.
    enum CreatedFolders { case none, own, all }

    /// - Returns: false if this transfer creates no folders, or has created them.
    func createsFolders(_ refusal: FolderCreation.Refusal) -> Bool {
        guard upload.createsFolders, createdFolders != .all, case .file = upload.source,
            let folders = FolderCreation(for: description.url, after: refusal, isDownward: createdFolders == .own)
        else { return false }
        createdFolders = .all
        self.folders = folders
        follow(folders.first)
        return true
    }

    /// The response to a `MKCOL`.
    func folderAnswered(_ task: TransferTask, _ error: TransferError?) {
        let status = error == nil ? task.response?.status.code ?? 0 : 0
        releaseFolder(status)
        if let fault = self.fault(task, error) {
            // Whether the server creates folders is not known yet.
            leaveFolders()
            return engine.handleFailure(self, fault, retryAfter: engine.retryAfter(task.response))
        }
        folderAnswered(status)
    }

    private func folderAnswered(_ status: Int) {
        guard let step = folders?.answered(status) else { return }
        follow(step)
    }

    /// Folders that are not complete are requested again.
    func leaveFolders() { if folders != nil { (folders, createdFolders) = (nil, .none) } }

    /// Uploads that wait for the folder continue.
    /// - Parameter status: `nil` if this upload does not wait for the response any more.
    func releaseFolder(_ status: Int?) {
        guard let url = requestedFolder else { return }
        requestedFolder = nil
        for proceed in engine.folderRequests.removeValue(forKey: url) ?? [] { proceed(status) }
    }

    /// The response to another upload's request for the folder `url`.
    private func otherAnswered(_ status: Int?, for url: TransferURL) {
        // Another address meanwhile.
        guard folders != nil else { return engine.attempt(self) { try begin() } }
        if let status, FolderCreation.isShared(status) { folderAnswered(status) } else { follow(.make(url)) }
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
            let attempt = generation
            guard engine.folderRequests[url.string] == nil else {
                engine.folderRequests[url.string]?.append { [weak self] status in
                    guard let self, generation == attempt, engine.queue[id]?.state == .running else { return }
                    otherAnswered(status, for: url)
                }
                return
            }
            engine.folderRequests[url.string] = []
            requestedFolder = url.string
            var request = engine.request(for: self, method: .mkcol)
            (request.url, request.method) = (url, .mkcol)
            answer = []
            engine.launch(session.dataTask(with: request), for: self)
        case .finish:
            self.folders = nil
            if folders.hasOnlyOwn { createdFolders = .own }
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
