// SPDX-License-Identifier: MIT

import HTTPTypes
import SessionCore
import TransferModel

/// The end of a resumable upload.
extension UploadRun {
    /// The server has every byte.
    /// - Parameter isVerdict: the response of `task` is that of the target.
    func finish(_ task: TransferTask?, isVerdict: Bool) {
        var response: FinalResponse?
        if isVerdict, let task, let head = task.response { response = finalResponse(task, head) }
        switch upload.form {
        case .fileQ:
            guard let task, let response else { return complete(nil) }
            finishFileQ(task, response)
        case .s3: checkSource(task, response)
        case .put:
            if let mismatch = response.flatMap({ failure($0) }) { return storedOtherBytes(mismatch) }
            checkForeignBytes(response) { [self] in checkSource(task, response) }
        }
    }

    /// Bytes that another program has sent are compared with the file, if the server states a digest.
    private func checkForeignBytes(
        _ response: FinalResponse?, then proceed: @escaping @EngineActor @Sendable () -> Void
    ) {
        let point = resumption.upload?.point
        guard let response, let point, point.url == point.target,
            let stated = response.digest(.sha256) ?? response.digest(.sha512)
        else { return proceed() }
        rereading(stated.algorithm) { [self] digest in
            guard let digest, digest != stated.bytes else { return proceed() }
            storedOtherBytes(UploadReceipt.otherBytes(stated, sent: digest, authority: description.url.authority))
        }
    }

    /// Whether what was sent has the checksum of the user. A file that was verified is read again if it has changed
    /// since.
    private func checkSource(_ task: TransferTask?, _ response: FinalResponse?) {
        guard let checksum = upload.checksum else { return complete(response) }
        func check(_ digest: [UInt8]?) {
            guard digest == checksum.bytes else { return storedOtherBytes(sentOtherBytes(than: checksum)) }
            complete(response)
        }
        guard let verified = resumption.verified else {
            // By an earlier process.
            return check((task as? UploadTask)?.digest ?? checksum.bytes)
        }
        engine.onFiles(of: self, file, survivesStop: true) {
            verified.hasChanged
        } then: { [self] hasChanged in
            guard try hasChanged.get() else { return complete(response) }
            rereading(checksum.algorithm, then: check)
        }
    }

    /// Computes the digest of the file; a pause or a cancel that comes meanwhile stops only another attempt.
    private func rereading(
        _ algorithm: Checksum.Algorithm, then proceed: @escaping @EngineActor @Sendable ([UInt8]?) -> Void
    ) {
        noteAccepted()
        engine.readFile(of: self) { [path = file] in
            FileDigest.compute(algorithm, path: path)
        } then: {
            proceed($0)
        }
        engine.startWhatMay()
    }

    /// The server has every byte: the transfer needs no slot, and does not begin again.
    private func noteAccepted() {
        engine.shadow?.note(.attemptEnded(.accepted), id)
        engine.update(id, .verifying) { $0.status = .verifying($0.status.note) }
        engine.queue.freeSlot(of: id)
    }

    private func finalResponse(_ task: TransferTask, _ head: HTTPResponse) -> FinalResponse {
        let point = resumption.upload?.point
        return FinalResponse(
            head: head, url: task.currentURL, content: answer, target: description.url,
            targetIsFile: (description.options.method ?? .put) == .put && point?.carrier != .tus, resource: point?.url)
    }

    private func failure(_ response: FinalResponse) -> TransferError? {
        guard let checksum = upload.checksum, let stored = response.digest(checksum.algorithm), stored != checksum
        else { return nil }
        return UploadReceipt.otherBytes(stored, sent: checksum.bytes, authority: description.url.authority)
    }

    private func finishFileQ(_ task: TransferTask, _ response: FinalResponse) {
        let head = response.head
        func check(_ digest: [UInt8]?) {
            let authority = description.url.authority
            if let failure = UploadReceipt.failure(of: head, for: upload, authority: authority, sent: digest) {
                return storedOtherBytes(failure)
            }
            complete(response)
        }
        if let digest = (task as? UploadTask)?.digest { return check(digest) }
        // Sent in parts: the file is read again, if the server's digest is to be compared.
        guard let algorithm = UploadReceipt.algorithm(for: upload), head.headerFields[.reprDigest] != nil else {
            return check(nil)
        }
        rereading(algorithm, then: check)
    }

    private func storedOtherBytes(_ failure: TransferError) {
        forgetPoint()
        if engine.queue[id]?.state == .queued { noteAccepted() }
        engine.failed(self, failure)
    }

    /// - Parameter response: of the target, if there is one.
    private func complete(_ response: FinalResponse?) {
        let size = resumption.upload?.size ?? resumption.source?.size
        removeRecord()
        engine.update(id) {
            $0.bytes = size ?? $0.bytes
            $0.total = size
            $0.confirmed = size
            $0.location = response?.place
        }
        engine.end(id, .completed, nil)
    }
}
