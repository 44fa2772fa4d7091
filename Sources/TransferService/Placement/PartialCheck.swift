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
    static func problem(with partial: PartialFile, holding position: Int64, isWhole: Bool = false) -> TransferError? {
        var own = stat(), named = stat()
        guard fstat(partial.descriptor, &own) == 0 else { return nil }
        let isNamed = lstat(partial.path, &named) == 0
        // If it cannot be checked, the rename fails with a better reason.
        guard isNamed || errno == ENOENT || errno == ENOTDIR else { return nil }
        if !isNamed {
            return TransferError(
                .cannotWrite,
                "\(partial.path): was deleted or moved away while it was being written",
                systemErrno: ENOENT, fields: .init(path: partial.path, variant: .mustStartAgain))
        }
        guard named.st_ino == own.st_ino, named.st_dev == own.st_dev else {
            return TransferError(
                .cannotWrite,
                "\(partial.path): was replaced by another file while it was being written",
                fields: .init(path: partial.path, variant: .partialReplaced))
        }
        guard Int64(own.st_size) >= position else {
            return TransferError(
                .partialFile,
                "\(partial.path): was cut short while it was being written and holds \(own.st_size) of \(position) "
                    + "bytes", fields: .init(path: partial.path, variant: .mustStartAgain))
        }
        guard !isWhole || Int64(own.st_size) == position else {
            return TransferError(
                .partialFile,
                "\(partial.path): holds \(own.st_size) bytes instead of \(position); another program has written "
                    + "to it", fields: .init(path: partial.path, variant: .mustStartAgain))
        }
        return nil
    }
}
