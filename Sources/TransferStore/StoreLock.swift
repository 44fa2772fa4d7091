// SPDX-License-Identifier: MIT

import Glibc
import Platform
import TransferModel

/// One opener of a store at a time, over all processes. Held until the last reference is released; the kernel releases
/// it with the process.
final class StoreLock: Sendable {
    private let file: Descriptor

    /// - Throws: code `other`, naming the holder's process, if another one holds it; code `cannotWrite`.
    init(path: String) throws(TransferError) {
        file = try StoreFolder.open(path)
        let isHeld: Bool
        do { isHeld = try FileLock.take(file) } catch { throw StoreFailure.cannotWrite(path, error.errno) }
        guard isHeld else {
            throw TransferError(
                .other, file: .init(.inUse, holder: Self.holder(file)), path: path, systemErrno: EWOULDBLOCK,
                variant: .queueInUse)
        }
        // The process ID is only for messages.
        if ftruncate(file.number, 0) == 0 { try? file.write(Array("\(getpid())\n".utf8), at: 0) }
    }

    /// Lets another process open the store, although references to this lock may live longer.
    func unlock() { FileLock.release(file) }

    deinit { unlock() }

    /// - Returns: its process.
    private static func holder(_ file: Descriptor) -> Int? {
        let digits = String(decoding: ((try? file.read(16, at: 0)) ?? []).prefix { $0 > 0x20 }, as: UTF8.self)
        return Int32(digits).map { Int($0) }
    }
}
