// SPDX-License-Identifier: MIT

import Synchronization
import TransferModel

/// The record of one upload, opened when it is needed. Its methods wait for the disk: they are called on
/// ``Coordinator/recording``, in order.
final class UploadRecorder: Sendable {
    private let folder: String
    private let target: String
    private let source: String
    private let record = Mutex<UploadRecord?>(nil)

    init(folder: String, target: String, source: String) {
        (self.folder, self.target, self.source) = (folder, target, source)
    }

    /// What an earlier run left; `nil` if there is nothing, or if another process uses it.
    func find() -> UploadCheckpoint? {
        record.withLock { record in
            record = record ?? open(isNew: false)
            if let checkpoint = record?.load(), checkpoint.point != nil { return checkpoint }
            record?.remove()
            record = nil
            return nil
        }
    }

    /// Makes the record if there is none, and waits until it is on the disk.
    func commit(_ checkpoint: UploadCheckpoint) {
        record.withLock { record in
            record = record ?? open(isNew: true)
            record?.save(checkpoint)
            record?.sync()
        }
    }

    /// Updates the record, if there is one.
    func save(_ checkpoint: UploadCheckpoint) {
        record.withLock { $0?.save(checkpoint) }
    }

    func remove() {
        record.withLock { record in
            record?.remove()
            record = nil
        }
    }

    /// Another run may use the record from now on.
    func close() { record.withLock { $0 = nil } }

    private func open(isNew: Bool) -> UploadRecord? {
        UploadRecord.open(in: folder, target: target, source: source, isNew: isNew)
    }
}
