// SPDX-License-Identifier: MIT

import Glibc
import Platform
import TerminalInterface
import TransferModel

/// A log file that grows, line by line, fit for a terminal. A file that was cut or replaced is begun anew.
struct LogTail {
    /// Of one line; what is longer is cut into pieces.
    private static let maximumLine = 1 << 16

    private let path: String
    private var descriptor: Int32 = -1
    private var file: (device: UInt, inode: UInt) = (0, 0)
    private var offset: off_t = 0
    private var partial: [UInt8] = []

    init(path: String) { self.path = path }

    /// - Parameter lastLines: where to begin; `nil`: at the beginning.
    /// - Returns: whether there is a file.
    /// - Throws: code `cannotReadSource` where there is one and it cannot be read.
    mutating func open(lastLines: Int?) throws(TransferError) -> Bool {
        guard try openFile() else { return false }
        if let lastLines { offset = try start(ofLast: lastLines) }
        return true
    }

    /// Whole lines that have been added; `nil` where there are none now.
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

    /// The last line, where its end is not there.
    var rest: String? { partial.isEmpty ? nil : Self.shown(partial) }

    private static func shown(_ bytes: [UInt8]) -> String {
        TextSanitizer.clean(String(decoding: bytes, as: UTF8.self))
    }

    /// - Returns: false where there is none.
    private mutating func openFile() throws(TransferError) -> Bool {
        let opened = Glibc.open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard opened >= 0 else {
            let code = errno
            if code == ENOENT { return false }
            throw TransferError(.cannotReadSource, "'\(path)': \(SystemError.phrase(code))", systemErrno: code)
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

    /// Whether the path is another file by now, or this one has become shorter.
    private var isOutOfDate: Bool {
        var status = stat()
        guard stat(path, &status) == 0 else { return false }
        return UInt(status.st_ino) != file.inode || UInt(status.st_dev) != file.device || status.st_size < offset
    }

    /// Searched from the end, piece by piece.
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
                // The very last one ends a line and begins none.
                if start + off_t(index) == status.st_size - 1 { continue }
                left -= 1
                if left == 0 { return start + off_t(index) + 1 }
            }
            end = start
        }
        return 0
    }
}
