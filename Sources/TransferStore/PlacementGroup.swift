// SPDX-License-Identifier: MIT

import FoundationEssentials
package import TransferModel

/// Complete files without a name that are about to get theirs: the intention of many downloads, in one row.
///
/// A named file without this record would look like another program's to the next process.
package struct PlacementGroup: Sendable, Hashable {
    package struct File: Sendable, Hashable {
        package var id: TransferID
        package var inode: UInt64
        package var length: Int64

        package init(id: TransferID, inode: UInt64, length: Int64) {
            (self.id, self.inode, self.length) = (id, inode, length)
        }
    }

    package var files: [File]
    /// The kernel's when it was stored.
    package var bootID: String?
    /// Whether a file that has its name has its bytes after a power cut, too.
    package var areSynced: Bool

    package init(_ files: [File], bootID: String?, areSynced: Bool) {
        (self.files, self.bootID, self.areSynced) = (files, bootID, areSynced)
    }

    // MARK: The column

    /// Three little-endian numbers of eight bytes for each file.
    var blob: Data {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(files.count * 24)
        for file in files {
            for number in [UInt64(file.id.rawValue), file.inode, UInt64(file.length)] {
                withUnsafeBytes(of: number.littleEndian) { bytes.append(contentsOf: $0) }
            }
        }
        return Data(bytes)
    }

    /// An incomplete file at the end is ignored.
    static func files(_ blob: Data) -> [File] {
        let bytes = [UInt8](blob)
        func number(_ index: Int) -> UInt64 {
            bytes[index..<(index + 8)].reversed().reduce(0) { $0 << 8 | UInt64($1) }
        }
        return stride(from: 0, to: bytes.count - 23, by: 24).map { index in
            File(
                id: TransferID(rawValue: Int(truncatingIfNeeded: number(index))), inode: number(index + 8),
                length: Int64(truncatingIfNeeded: number(index + 16)))
        }
    }

    /// What a download that waits for its name alone would have stored.
    func apply(_ file: File, to transfer: inout Transfer) {
        guard transfer.kind == .download else { return }
        // It is recorded as `verifying` only with a command that came meanwhile, or with an intention of its own.
        let isRecorded = transfer.state == .verifying && transfer.checkpoint?.download == nil
        // A start is not recorded: the record may be of an earlier process, for which it waited.
        guard isRecorded || [.queued, .running, .waiting, .retrying].contains(transfer.state) else { return }
        let data = ResumeData(
            url: transfer.url, validator: Validator(),
            ranges: areSynced ? ByteRangeSet(0..<file.length) : ByteRangeSet(), total: file.length,
            partialPath: PartialName.path(for: transfer.file), bootID: bootID)
        var checkpoint = transfer.checkpoint ?? Checkpoint()
        checkpoint.download = DownloadCheckpoint(data, inode: file.inode)
        transfer.checkpoint = checkpoint
        transfer.status = .verifying()
        (transfer.total, transfer.httpStatus) = (file.length, 200)
    }
}
