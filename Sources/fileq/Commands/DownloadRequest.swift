// SPDX-License-Identifier: MIT

import TransferModel

/// A URL to download, with the options that apply to it alone.
struct DownloadRequest {
    /// Its position in a list.
    struct Origin: Hashable {
        var file: String
        /// 1 for the first.
        var line: Int

        var words: String { "'\(file)', line \(line)" }
    }

    /// As typed.
    var address: String
    /// `nil` for command-line arguments.
    var origin: Origin?
    /// In the order given.
    var options: [Option] = []

    /// An option of this URL, with name and value as in aria2's lists.
    struct Option: Hashable {
        var name: String
        var value: String
        /// In the list.
        var line: Int
    }

    /// Prefixes `error` with the request it is about, of `count` requests.
    func placing(_ error: TransferError, index: Int, count: Int) -> TransferError {
        let place = origin.map { "\($0.words): " } ?? (count > 1 ? "URL \(index + 1) of \(count): " : "")
        return TransferError(error.code, place + error.message, systemErrno: error.systemErrno, fields: error.fields)
    }
}
