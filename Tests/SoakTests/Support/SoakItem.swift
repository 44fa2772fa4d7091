// SPDX-License-Identifier: MIT

/// One transfer of a soak: how it is added, and what must have become of it.
struct SoakItem: Sendable, Hashable {
    enum End: Sendable, Hashable {
        case completed
        /// With this exit code.
        case failed(Int)
        case paused
        /// With its partial file, or without.
        case cancelled(deletesPartial: Bool)

        var state: String {
            switch self {
            case .completed: "completed"
            case .failed: "failed"
            case .paused: "paused"
            case .cancelled: "cancelled"
            }
        }
    }

    enum Kind: Sendable, Hashable {
        /// Of the lab's file of so many bytes and that version.
        case download(size: Int, version: Int)
        /// A download that never gets bytes of its own.
        case hopeless
        /// Stored by the server under the item's name, in a folder of its own.
        case fileQ
        /// Stored under `/plain/` and the item's name.
        case put
    }

    /// Unlike that of any other: of the file that is made, or that is sent.
    let name: String
    var kind: Kind
    /// What follows `fileq add`.
    var words: [String]
    var end = End.completed

    var isUpload: Bool { kind == .fileQ || kind == .put }
}
