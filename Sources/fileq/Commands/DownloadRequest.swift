// SPDX-License-Identifier: MIT

import TransferModel

/// One address to download from, and what was said of it alone.
struct DownloadRequest {
    /// What stands for it in a list.
    struct Origin: Hashable {
        var file: String
        /// 1 for the first.
        var line: Int

        var words: String { "'\(file)', line \(line)" }
    }

    /// As it was written.
    var address: String
    /// `nil` for what was given by itself.
    var origin: Origin?
    /// In the order in which they were written.
    var options: [Option] = []

    /// An option that belongs to this address: names and values as aria2 has them in its lists.
    struct Option: Hashable {
        var name: String
        var value: String
        /// In the list.
        var line: Int
    }

    /// Puts in front of `error` which of `count` requests it is about.
    func placing(_ error: TransferError, index: Int, count: Int) -> TransferError {
        let place = origin.map { "\($0.words): " } ?? (count > 1 ? "URL \(index + 1) of \(count): " : "")
        return TransferError(error.code, place + error.message, systemErrno: error.systemErrno, fields: error.fields)
    }
}
