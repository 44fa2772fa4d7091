// SPDX-License-Identifier: MIT

import TransferModel

/// Files with secrets, which should not be on a command line.
enum SecretFile {
    /// The lines without their ends, without a last empty one. Warns if others can read the file.
    /// - Throws: code `usage` if it is unreadable, not UTF-8 or too large.
    static func lines(of path: String, option: String) throws(TransferError) -> [String] {
        let text = try TextFile.read(path, option: option, limit: 1 << 20)
        if let status = FileStatus(path), status.isRegular, status.isOpenToOthers {
            StandardError.say("\(option): other users can read '\(path)'; 'chmod 600' makes it private")
        }
        var lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).map(String.init)
        if lines.last?.isEmpty == true { lines.removeLast() }
        return lines
    }

    /// - Throws: code `usage` also for an empty file.
    static func firstLine(of path: String, option: String) throws(TransferError) -> String {
        guard let line = try lines(of: path, option: option).first, !line.isEmpty else {
            throw TransferError(.usage, option: option, "the first line of '\(path)' is empty")
        }
        return line
    }
}
