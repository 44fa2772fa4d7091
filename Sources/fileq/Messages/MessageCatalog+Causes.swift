// SPDX-License-Identifier: MIT

import TransferModel

/// What the queue refuses, and what is wrong with its files, by the variant and the fields.
extension MessageCatalog {
    /// - Returns: `nil` for a variant whose sentence comes with the error, or without the fields that it needs.
    static func cause(_ variant: TransferError.Variant, _ fields: TransferError.Fields) -> String? {
        switch variant {
        case .nothingToUndo: "nothing to undo"
        case .queueEnding: "the queue is ending"
        case .invalidPriority: "a priority is a number from 0 to 1"
        case .waitsForItself: "a transfer cannot start after itself, nor after one that waits for it"
        case .s3StaysAtServer: "an upload to S3 cannot move to another server"
        case .uploadWithoutDestination: "an upload has no destination file"
        case .streamWithoutFile: "a download to standard output has no file"
        case .sessionOfOtherUpload: "only FileQ uploads have a SID"
        default:
            fields.transfer.flatMap { cause(variant, of: $0) } ?? fields.path.flatMap { cause(variant, at: $0) }
        }
    }

    private static func cause(_ variant: TransferError.Variant, of id: TransferID) -> String? {
        switch variant {
        case .unknownTransfer: "no transfer has the id \(id)"
        case .notStored: "transfer \(id) is not stored any more"
        case .alreadyCompleted: "transfer \(id) is completed: there is nothing left to fetch from another address"
        case .beingMoved: "transfer \(id) is being changed or moved; try again when that is done"
        case .almostCompleted: "transfer \(id) has all its bytes and is about to be completed"
        default: nil
        }
    }

    /// - Parameter path: of the file or folder, which begins the sentence.
    private static func cause(_ variant: TransferError.Variant, at path: String) -> String? {
        switch variant {
        case .folderMissing: "\(path): there is no such folder"
        case .folderNotWritable: "\(path): the folder cannot be written"
        case .nameOfOtherDownload: "\(path): exists already, from another download of that name"
        case .partialReplaced: "\(path): was replaced by another file while it was being written"
        case .databaseDamaged: "\(path): is damaged"
        case .databaseForbidden: "\(path): cannot be opened"
        case .databaseUnreadable: "\(path): holds an entry that cannot be read"
        case .diskError: "\(path): the disk reported an error"
        case .socketTaken: "\(path): a service listens here already"
        case .unsafeFileSystem: "\(path): this file system does not keep a socket to one user"
        default: nil
        }
    }
}
