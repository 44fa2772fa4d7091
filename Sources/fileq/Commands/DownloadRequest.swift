// SPDX-License-Identifier: MIT

import TransferModel

/// A URL to download, with the options that apply to it alone.
struct DownloadRequest {
    /// Its position in a list.
    struct Origin: Hashable {
        var file: String
        /// 1 for the first; 0 for all of it.
        var line: Int

        var words: String { line > 0 ? "'\(file)', line \(line)" : "'\(file)'" }
    }

    /// As typed.
    var address: String
    /// `nil` for command-line arguments.
    var origin: Origin?
    /// Further addresses of the same file.
    var mirrors: [Mirror] = []
    /// What else is known of the file.
    var facts = Facts()
    /// In the order given.
    var options: [Option] = []
    /// Whether it is of a list of the user, not of a document or the command line.
    var isListed: Bool { origin.map { $0.line > 0 } ?? false }
    /// Why its lines cannot be read.
    var fault: TransferError?

    /// An address as a list has it.
    struct Mirror: Equatable {
        var address: String
        /// 1 is asked first.
        var priority: Int?
        var location: String?
    }

    struct Facts: Equatable {
        /// Bytes.
        var size: Int64?
        var checksum: Checksum?
        var pieces: PieceDigests?
    }

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
        return error.prefixed(place)
    }
}
