// SPDX-License-Identifier: MIT

import HTTPTypes
import SessionCore
import TransferModel

/// The folders that an upload needs.
extension Coordinator {
    /// - Returns: false where this transfer makes no folders, or has made them.
    func createsFolders(_ job: Job, _ refusal: FolderCreation.Refusal) -> Bool {
        guard let upload = job.upload, upload.createsFolders, !job.hasCreatedFolders, case .file = upload.source,
            let folders = FolderCreation(for: job.description.url, after: refusal) else { return false }
        job.hasCreatedFolders = true
        job.folders = folders
        follow(folders.first, job)
        return true
    }

    /// The response to a `MKCOL`.
    func folderAnswered(_ job: Job, _ task: TransferTask, _ error: TransferError?) {
        guard var folders = job.folders else { return }
        let step = folders.answered(error == nil ? task.response?.status.code ?? 0 : 0)
        job.folders = folders
        follow(step, job)
    }

    private func follow(_ step: FolderCreation.Step, _ job: Job) {
        guard let session, let folders = job.folders, let upload = job.upload else { return }
        switch step {
        case .make(let url):
            var request = request(for: job, method: .mkcol)
            (request.url, request.method) = (url, .mkcol)
            job.answer = []
            run(session.dataTask(with: request), for: job)
        case .finish:
            job.folders = nil
            // Paused meanwhile: it is sent when it is resumed.
            guard queue[job.id]?.state == .running else { return }
            attempt(job) { try startUpload(job, upload) }
        case .giveUp:
            job.folders = nil
            var refusal = folders.refusal
            refusal.error.message += FolderCreation.hint
            note(job.id) { $0.status = refusal.status }
            judge(job, refusal.error, retryAfter: refusal.retryAfter, isAfterWholeBody: refusal.isAfterWholeBody)
        }
    }
}
