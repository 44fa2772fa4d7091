// SPDX-License-Identifier: MIT

import SessionCore
import TransferModel

/// Resumable uploads of streams. What the server has not confirmed is in a spool; each request has what was read since
/// the one before.
extension UploadRun {
    /// Whether a stream is uploaded so that a broken connection loses nothing of it.
    ///
    /// With a checksum, the digest of what was sent is compared, which only one request has; a FileQ upload states the
    /// size at its beginning.
    var mayResumeStream: Bool {
        if case .fileQ = upload.form { return false }
        return upload.checksum == nil
    }

    /// The next request waits for bytes. The first one starts the reading: until the server has created the upload, all
    /// of the stream is where it was, and may still be sent plainly.
    func awaitStream() {
        guard case .stream(let descriptor, _) = upload.source else { return }
        guard resumption.spool == nil else { return streamChanged() }
        engine.attempt(self) {
            resumption.spool = try StreamSpool(descriptor: descriptor) { [weak self] in
                EngineActor.async { [weak self] in self?.streamChanged() }
            }
        }
    }

    /// More bytes can be sent, or the stream has ended.
    private func streamChanged() {
        guard let spool = resumption.spool, engine.queue[id]?.state == .running, !engine.hasEnded else { return }
        if let failure = spool.failure {
            abandon()
            return engine.failed(self, failure)
        }
        guard let step = supply(spool) else { return }
        follow(step)
    }

    /// Passes to the machine how much there is.
    private func supply(_ spool: StreamSpool) -> UploadStep? {
        let hasEnded = spool.hasEnded
        return resumption.upload?.supplied(upTo: spool.end, isEnd: hasEnded)
    }

    /// Before an attempt begins, and before the end of an exchange is evaluated.
    func updateStream() { if let spool = resumption.spool { _ = supply(spool) } }

    /// The server has confirmed bytes: they need not be held any more.
    func releaseStream() {
        guard let spool = resumption.spool, let offset = resumption.upload?.point?.offset else { return }
        spool.discard(below: offset)
    }

    /// Bytes of the stream are gone: it cannot be sent from its beginning.
    var hasConsumedStream: Bool { resumption.spool.map { $0.start > 0 } ?? false }
}
