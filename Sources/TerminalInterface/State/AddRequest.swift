// SPDX-License-Identifier: MIT

import TransferModel

/// What the form for adding holds, as typed. The program that shows it makes transfers of it.
package struct AddRequest: Sendable, Hashable {
    /// What to do where a file of that name exists.
    package enum Existing: String, Sendable, Hashable, CaseIterable {
        case ask, replace
        case keepBoth = "keep-both"
        case skip, newer
    }

    package enum Start: Sendable, Hashable {
        case now, paused
        /// As typed: `23:30`
        case at(String)
    }

    /// Addresses between spaces or in lines; a curl line; or arguments of the command that adds.
    package var addresses = ""
    /// Paths of files to upload to the address, `~` for the home folder; empty: a download.
    package var files: [String] = []
    /// `nil`: the usual one.
    package var folder: String?
    package var existing = Existing.ask
    package var start = Start.now
    /// `low` or `high`; `nil`: normal.
    package var priority: String?
    package var limit: String?
    package var checksum: String?
    /// The folder is created if it is missing.
    package var createsFolder = false

    package init() {}
}

/// The fields of the form, from the top.
package enum AddField: Int, Sendable, Hashable, CaseIterable {
    case addresses, files, folder, existing, start, priority, limit, checksum
}

/// What a request would add, as far as that can be known without the network.
package struct AddOutlook: Sendable, Hashable {
    package var downloads = 0
    package var uploads = 0
    package var servers = 0
    /// Of all files to upload.
    package var bytes: Int64?
    /// Downloads whose file exists already; `nil`: not known.
    package var existing: Int?
    /// The name of the only download, unless the server gives another.
    package var name: String?
    /// That of the first file that exists.
    package var existingName: String?
    /// Paths of the downloads that get no other name if theirs is taken. Emptied once they are compared with the queue.
    package var files: [String] = []
    /// How many of these files unfinished downloads of the queue have, and the first of those.
    var taken = 0
    var holder: TransferID?
    /// Which lines of a list are no download, and why.
    package var skipped: String?
    /// Why it cannot be added as it stands.
    package var problem: String?
    /// The problem is that the folder does not exist.
    package var missesFolder = false

    package init() {}
}

/// The result of adding.
package enum AddOutcome: Sendable, Hashable {
    /// So many transfers, with warnings.
    case added(Int, notes: [String])
    /// Nothing was added; `nil`: no field is the cause.
    case failed(String, AddField?)
    /// Nothing was added: the folder does not exist.
    case missesFolder(String)
}
