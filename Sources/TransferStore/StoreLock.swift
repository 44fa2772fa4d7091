// SPDX-License-Identifier: MIT

import Glibc
import TransferModel

/// One opener of a store at a time, over all processes. Held until the last reference goes; the kernel lets it go with the
/// process.
final class StoreLock: Sendable {
    private let descriptor: Int32

    /// - Throws: code `other`, naming the holder's process, where another one holds it; code `cannotWrite`.
    init(path: String) throws(TransferError) {
        descriptor = try StoreFolder.open(path)
        while flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
            let code = errno
            if code == EINTR { continue }
            let holder = Self.holder(descriptor)
            // A throw from here frees the object, which closes the file.
            guard code == EWOULDBLOCK else { throw StoreFailure.cannotWrite(path, code) }
            throw TransferError(.other, "\(path): this queue is open in \(holder ?? "another process"); stop that one first",
                                systemErrno: code)
        }
        let text = Array("\(getpid())\n".utf8)
        // The number is for messages alone.
        if ftruncate(descriptor, 0) == 0 { _ = pwrite(descriptor, text, text.count, 0) }
    }

    /// Lets another opener in although references to this one may live on a while.
    func unlock() { flock(descriptor, LOCK_UN) }

    deinit {
        unlock()
        close(descriptor)
    }

    private static func holder(_ descriptor: Int32) -> String? {
        var buffer = [UInt8](repeating: 0, count: 16)
        let count = pread(descriptor, &buffer, buffer.count, 0)
        let digits = String(decoding: buffer[..<max(0, count)].prefix { $0 > 0x20 }, as: UTF8.self)
        guard let pid = Int32(digits) else { return nil }
        return "process \(pid)"
    }
}
