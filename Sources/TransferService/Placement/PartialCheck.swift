// SPDX-License-Identifier: MIT

import Glibc
import Platform
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
    static func problem(with partial: PartialFile, holding position: Int64, isWhole: Bool = false) -> TransferError? {
        var own = stat(), named = stat()
        guard fstat(partial.descriptor, &own) == 0 else { return nil }
        let isNamed = lstat(partial.path, &named) == 0
        // If it cannot be checked, the rename fails with a better reason.
        guard isNamed || SystemError.isMissing(errno) else { return nil }
        if !isNamed {
            return TransferError(
                .cannotWrite, file: .deleted, path: partial.path, systemErrno: ENOENT, variant: .mustStartAgain)
        }
        guard named.st_ino == own.st_ino, named.st_dev == own.st_dev else {
            return TransferError(
                .cannotWrite,
                "\(partial.path): was replaced by another file while it was being written",
                fields: .init(path: partial.path, variant: .partialReplaced))
        }
        guard Int64(own.st_size) >= position else {
            return TransferError(
                .partialFile, file: .init(.cutShort, bytes: Int64(own.st_size), position: position),
                path: partial.path, variant: .mustStartAgain)
        }
        guard !isWhole || Int64(own.st_size) == position else {
            return TransferError(
                .partialFile, file: .init(.written, bytes: Int64(own.st_size), position: position),
                path: partial.path, variant: .mustStartAgain)
        }
        return nil
    }
}
