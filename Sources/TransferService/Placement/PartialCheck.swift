// SPDX-License-Identifier: MIT

import Glibc
import SessionCore
import TransferModel

/// Checks that the file being written is still the one under the partial name, with all its bytes.
enum PartialCheck {
    /// Seconds between two checks of one transfer.
    static let interval = 0.25

    /// Makes two quick file system calls.
    /// - Parameters:
    ///   - position: how many bytes the file must hold at least.
    ///   - isWhole: it must not hold more either.
    /// - Returns: the error, whose message names the next step.
    static func problem(with partial: PartialFile, holding position: Int64, isWhole: Bool = false) -> TransferError? {
        var own = stat(), named = stat()
        guard fstat(partial.descriptor, &own) == 0 else { return nil }
        let isNamed = lstat(partial.path, &named) == 0
        // If it cannot be checked, the rename fails with a better reason.
        guard isNamed || errno == ENOENT || errno == ENOTDIR else { return nil }
        if !isNamed {
            return TransferError(
                .cannotWrite,
                "\(partial.path): was deleted or moved away while it was being written; start the download again",
                systemErrno: ENOENT)
        }
        guard named.st_ino == own.st_ino, named.st_dev == own.st_dev else {
            return TransferError(
                .cannotWrite,
                "\(partial.path): was replaced by another file while it was being written; move that one "
                    + "away, then start the download again")
        }
        guard Int64(own.st_size) >= position else {
            return TransferError(
                .partialFile,
                "\(partial.path): was cut short while it was being written and holds \(own.st_size) of \(position) "
                    + "bytes; start the download again")
        }
        guard !isWhole || Int64(own.st_size) == position else {
            return TransferError(
                .partialFile,
                "\(partial.path): holds \(own.st_size) bytes instead of \(position); another program has written "
                    + "to it; start the download again")
        }
        return nil
    }
}
