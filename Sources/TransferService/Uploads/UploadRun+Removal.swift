// SPDX-License-Identifier: MIT

import HTTPTypes
import SessionCore
import TransferModel

/// An upload that no run continues.
struct LeftUpload: Sendable {
    var checkpoint: UploadCheckpoint
    /// The transfer as it was then; `nil`: as it is.
    var description: Spec?
}

/// Uploads that no attempt continues are removed from the server: once, in the background, and without consequences
/// for the transfer. What is to be removed is only in memory: after a crash, the server keeps it until it expires.
///
/// Some servers derive the address of an upload from its name: a removal that is late would hit the upload that
/// follows. So it is sent when the server has created that one at another address, or at the end of the run.
extension UploadRun {
    struct PendingRemoval {
        /// Sends it, with address and credentials of that upload. It is not in the queue.
        let sender: UploadRun
        let removal: UploadRemoval
    }

    /// What the machine has given up.
    func collectRemovals() { add(resumption.upload?.takeRemovals() ?? []) }

    /// The next attempt begins another upload.
    func leaveUpload() {
        collectRemovals()
        add(resumption.upload?.removals ?? [])
    }

    private func add(_ left: [UploadRemoval]) {
        guard !left.isEmpty else { return }
        let sender = sender(description, upload)
        sender.consent.login = consent.login
        sender.resumption.credential = resumption.credential
        add(left, sender)
    }

    /// Its requests end soon, whatever happens.
    private func sender(_ description: Spec, _ upload: Upload) -> UploadRun {
        var description = description
        description.options.resourceTimeout = UploadExchange.patience
        description.options.waitsForConnectivity = false
        return UploadRun(id, description, upload, engine)
    }

    private func add(_ left: [UploadRemoval], _ sender: UploadRun) {
        for removal in left where !removals.contains(where: { $0.removal == removal }) {
            removals.append(PendingRemoval(sender: sender, removal: removal))
        }
    }

    /// An earlier run or process left it.
    /// - Parameter former: the transfer as it was then; `nil`: as it is.
    func leave(_ checkpoint: UploadCheckpoint, of former: Spec? = nil) {
        let former = former ?? description
        // Credentials are for the target.
        guard let point = checkpoint.point, point.target == former.url.string,
            case .upload(let upload) = former.operation
        else { return }
        let sender = sender(former, upload)
        let source = UploadSourceStatus(name: sender.file, stored: checkpoint.source)
        let subject = sender.subject(source, .put, checkpoint.source.size)
        // Whatever protocol the options ask for now.
        let machine: any UploadMachine
        switch (point.carrier, upload.form) {
        case (.s3, .s3(let form)): machine = sender.multipartUpload(form, subject, point)
        case (.s3, _): return
        case _ where point.parts != nil: machine = ConcatenatedUpload(subject, .tus, parts: 1, point: point)
        default: machine = ResumableUpload(subject, .auto, point: point)
        }
        add(machine.removals, sender)
    }

    /// Those that this process remembers, but for one that this run continues.
    func takeLeftUploads() {
        guard let left = engine.memories[id]?.leftUploads, !left.isEmpty else { return }
        engine.memories[id]?.leftUploads = []
        let own = resumption.upload?.point?.url
        for upload in left where upload.checkpoint.point?.url != own {
            leave(upload.checkpoint, of: upload.description)
        }
    }

    /// - Parameter isAtEnd: the run creates no further upload.
    func sendRemovals(isAtEnd: Bool = false) {
        guard !removals.isEmpty else { return }
        let point = resumption.upload?.point
        let parts = point?.parts ?? []
        // The parts are created one after the other.
        guard isAtEnd || parts.allSatisfy({ $0.url != nil }) else { return }
        let own = Set(([point?.url] + parts.map(\.url)).compactMap { $0.flatMap { try? TransferURL($0) }?.string })
        let pending = removals
        removals = []
        for one in pending where !own.contains(one.removal.cancellation.url.string) {
            one.sender.carryOut(one.removal)
        }
    }

    private func carryOut(_ removal: UploadRemoval) {
        guard let question = removal.question else { return remove(removal.cancellation) }
        guard let session = engine.session else { return }
        let task = session.dataTask(
            with: request(for: question),
            completion: { [self] result in
                guard case .success(let answer) = result, removal.isAllowed(after: answer.response) else { return }
                EngineActor.async { [self] in remove(removal.cancellation) }
            })
        task.resume()
    }

    private func remove(_ exchange: UploadExchange) {
        if case .s3(let form) = upload.form { return abandonAtS3(form, exchange) }
        engine.session?.dataTask(with: request(for: exchange), events: { _ in }).resume()
    }
}

extension Coordinator {
    /// The next run of a transfer without one begins another upload.
    /// - Parameter former: the transfer as it was until now; `nil`: as it will be.
    func leaveUpload(of id: TransferID, _ former: Spec?) {
        if let former, var memory = memories[id] {
            for index in memory.leftUploads.indices where memory.leftUploads[index].description == nil {
                memory.leftUploads[index].description = former
            }
            memories[id] = memory
        }
        guard let checkpoint = journal.checkpoint(of: id)?.upload, let point = checkpoint.point,
            former.map({ $0.url.string == point.target }) ?? true
        else { return }
        memories[id, default: RunMemory()].leftUploads.append(LeftUpload(checkpoint: checkpoint, description: former))
    }
}
