// SPDX-License-Identifier: MIT

import TransferModel

/// Files that hold what should not stand on a command line.
enum SecretFile {
    /// The lines without their ends; a last empty one is left out. Warns where others can read the file.
    /// - Throws: code `usage` where it cannot be read, is no UTF-8 or is larger than a list of secrets can be.
    static func lines(of path: String, option: String) throws(TransferError) -> [String] {
        let text = try TextFile.read(path, option: option, limit: 1 << 20)
        if let status = FileStatus(path), status.isRegular, status.isOpenToOthers {
            StandardError.say("\(option): other users can read '\(path)'; 'chmod 600' keeps it to yourself")
        }
        var lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).map(String.init)
        if lines.last?.isEmpty == true { lines.removeLast() }
        return lines
    }

    /// - Throws: code `usage` also for a file without a first line.
    static func firstLine(of path: String, option: String) throws(TransferError) -> String {
        guard let line = try lines(of: path, option: option).first, !line.isEmpty else {
            throw TransferError(.usage, option: option, "the first line of '\(path)' is empty")
        }
        return line
    }
}
