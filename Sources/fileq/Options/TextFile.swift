// SPDX-License-Identifier: MIT

import Glibc
import Platform
import TransferModel

/// Small text files that the user names; pipes such as `/dev/fd/3` are read as well.
enum TextFile {
    /// - Throws: code `usage`, beginning with `option`, for what cannot be read, is no UTF-8 or exceeds `limit` bytes.
    static func read(_ path: String, option: String, limit: Int) throws(TransferError) -> String {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw failure(path, option, errno) }
        defer { close(descriptor) }
        return try read(descriptor, named: path, option: option, limit: limit)
    }

    /// The same from a descriptor that is open already; it stays open.
    static func read(
        _ descriptor: Int32, named path: String, option: String,
        limit: Int
    ) throws(TransferError) -> String {
        let bytes: [UInt8]?
        do {
            bytes = try Descriptor(borrowing: descriptor).readToEnd(limit: limit)
        } catch {
            throw failure(path, option, error.errno)
        }
        guard let bytes else {
            throw TransferError(.usage, option: option, "'\(path)' is larger than \(limit >> 20) MiB")
        }
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw TransferError(.usage, option: option, "'\(path)' is no UTF-8 text")
        }
        // What the kernel takes for a name ends there: another file would be meant.
        guard !bytes.contains(0) else {
            throw TransferError(.usage, option: option, "'\(path)' is no text: it holds a NUL")
        }
        return text
    }

    private static func failure(_ path: String, _ option: String, _ code: Int32) -> TransferError {
        TransferError(.usage, option: option, "'\(path)': \(SystemError.phrase(code))", systemErrno: code)
    }
}

extension StringProtocol {
    /// Without the characters at both ends that `isMargin` takes.
    func trimmed(_ isMargin: (Character) -> Bool) -> String {
        var rest = self[...].drop(while: isMargin)
        while let last = rest.last, isMargin(last) { rest.removeLast() }
        return String(rest)
    }
}
