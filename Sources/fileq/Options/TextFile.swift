// SPDX-License-Identifier: MIT

import Glibc
import Platform
import TransferModel

/// Small text files that the user names; pipes such as `/dev/fd/3` are read as well.
enum TextFile {
    /// - Throws: code `usage`, prefixed with `option`, if it is unreadable, not UTF-8 or exceeds `limit` bytes.
    static func read(_ path: String, option: String, limit: Int) throws(TransferError) -> String {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw failure(path, option, errno) }
        defer { close(descriptor) }
        return try read(descriptor, named: path, option: option, limit: limit)
    }

    /// All but a byte-order mark, as some editors write.
    static func content(of text: String) -> Substring.UTF8View {
        let bytes = text.utf8[...]
        return bytes.starts(with: [0xef, 0xbb, 0xbf]) ? bytes.dropFirst(3) : bytes
    }

    /// The same from an open descriptor, which stays open.
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
            throw TransferError(.usage, option: option, "'\(path)' is not UTF-8 text")
        }
        // The kernel truncates names at NUL.
        guard !bytes.contains(0) else {
            throw TransferError(.usage, option: option, "'\(path)' is not text: it contains NUL")
        }
        return text
    }

    private static func failure(_ path: String, _ option: String, _ code: Int32) -> TransferError {
        TransferError(.usage, option: option, "'\(path)': \(SystemError.phrase(code))", systemErrno: code)
    }
}

extension StringProtocol {
    /// Without leading and trailing characters that satisfy `isMargin`.
    func trimmed(_ isMargin: (Character) -> Bool) -> String {
        var rest = self[...].drop(while: isMargin)
        while let last = rest.last, isMargin(last) { rest.removeLast() }
        return String(rest)
    }
}
