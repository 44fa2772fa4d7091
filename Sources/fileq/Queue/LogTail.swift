// SPDX-License-Identifier: MIT

import Glibc
import Platform
import TerminalInterface
import TransferModel

/// Follows a log file line by line, sanitized for a terminal. Restarts if the file is truncated or replaced.
struct LogTail {
    /// The maximum length of a line; longer ones are split.
    private static let maximumLine = 1 << 16

    private let path: String
    private var descriptor: Int32 = -1
    private var file: (device: UInt, inode: UInt) = (0, 0)
    private var offset: off_t = 0
    private var partial: [UInt8] = []

    init(path: String) { self.path = path }

    /// - Parameter lastLines: how many lines to begin with; `nil`: all.
    /// - Returns: whether the file exists.
    /// - Throws: code `cannotReadSource` if it exists but is unreadable.
    mutating func open(lastLines: Int?) throws(TransferError) -> Bool {
        guard try openFile() else { return false }
        if let lastLines { offset = try start(ofLast: lastLines) }
        return true
    }

    /// New complete lines; `nil` if there are none.
    mutating func next() throws(TransferError) -> [String]? {
        if descriptor >= 0, isOutOfDate { close() }
        if descriptor < 0 { guard try openFile() else { return nil } }
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        let count = pread(descriptor, &buffer, buffer.count, offset)
        guard count > 0 else { return nil }
        offset += off_t(count)
        var lines: [String] = []
        for byte in buffer[..<count] {
            if byte == UInt8(ascii: "\n") || partial.count >= Self.maximumLine {
                lines.append(Self.shown(partial))
                partial.removeAll(keepingCapacity: true)
            }
            if byte != UInt8(ascii: "\n") { partial.append(byte) }
        }
        return lines
    }

    /// An incomplete last line.
    var rest: String? { partial.isEmpty ? nil : Self.shown(partial) }

    private static func shown(_ bytes: [UInt8]) -> String {
        TextSanitizer.clean(String(decoding: bytes, as: UTF8.self))
    }

    /// - Returns: false if there is none.
    private mutating func openFile() throws(TransferError) -> Bool {
        let opened = Glibc.open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard opened >= 0 else {
            let code = errno
            if SystemError.isMissing(code) { return false }
            throw TransferError(.cannotReadSource, "'\(path)': \(TransferError.phrase(errno: code))", systemErrno: code)
        }
        var status = stat()
        fstat(opened, &status)
        (descriptor, file, offset, partial) = (opened, (UInt(status.st_dev), UInt(status.st_ino)), 0, [])
        return true
    }

    private mutating func close() {
        Glibc.close(descriptor)
        descriptor = -1
    }

    /// Whether the path is a different file now, or the file was truncated.
    private var isOutOfDate: Bool {
        var status = stat()
        guard stat(path, &status) == 0 else { return false }
        return UInt(status.st_ino) != file.inode || UInt(status.st_dev) != file.device || status.st_size < offset
    }

    /// Searches backwards in chunks.
    private func start(ofLast count: Int) throws(TransferError) -> off_t {
        var status = stat()
        fstat(descriptor, &status)
        guard count > 0 else { return status.st_size }
        var (end, left) = (status.st_size, count)
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while end > 0 {
            let length = Int(min(end, off_t(buffer.count)))
            let start = end - off_t(length)
            guard pread(descriptor, &buffer, length, start) == length else { break }
            for index in stride(from: length - 1, through: 0, by: -1) where buffer[index] == UInt8(ascii: "\n") {
                // The last newline ends a line and starts none.
                if start + off_t(index) == status.st_size - 1 { continue }
                left -= 1
                if left == 0 { return start + off_t(index) + 1 }
            }
            end = start
        }
        return 0
    }
}
